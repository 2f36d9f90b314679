// Chips tell their worth by colour, by the pattern of their rim, and by the number printed on them.

export interface Denomination {
  cents: number
  body: string
  mark: string
  pattern: 'groove' | 'blocks' | 'ticks' | 'wedges' | 'diamonds' | 'checker'
}

export const DENOMINATIONS: Denomination[] = [
  { cents: 100, body: '#f2ecd8', mark: '#8a8470', pattern: 'groove' },
  { cents: 500, body: '#c43a22', mark: '#fff8ec', pattern: 'blocks' },
  { cents: 2500, body: '#1e8e5a', mark: '#fff8ec', pattern: 'ticks' },
  { cents: 10_000, body: '#17191e', mark: '#fff8ec', pattern: 'wedges' },
  { cents: 50_000, body: '#7445b5', mark: '#f6e6b0', pattern: 'diamonds' },
  { cents: 100_000, body: '#f0a51e', mark: '#1c1a12', pattern: 'checker' },
]

/** The largest chip that a stake holds. */
export function denominationOf(cents: number): Denomination {
  return DENOMINATIONS.findLast((one) => one.cents <= cents) ?? (DENOMINATIONS[0] as Denomination)
}

/** The chip a newcomer holds: the smallest that is enough for a bet. */
export function firstChip(least: number | null): number {
  return (DENOMINATIONS.find((one) => one.cents >= (least ?? 500)) ?? DENOMINATIONS.at(-1) as Denomination).cents
}

/** Colours of seats, told apart by lightness as well as by hue; the letter says it, too. */
export const SEATS = ['#8ec5ff', '#f7a6c4', '#b8e986', '#f5b971', '#c9b3ff', '#7fe0d0', '#f2e27a', '#d5d9de']
