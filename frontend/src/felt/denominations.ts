// The chips. Each value has its own color, rim pattern and printed number.

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

/** Return the largest chip that is not worth more than a stake. */
export function denominationOf(cents: number): Denomination {
  return DENOMINATIONS.findLast((chip) => chip.cents <= cents) ?? DENOMINATIONS[0]!
}

/** Return the smallest chip that covers the minimum bet. */
export function defaultChip(minBet: number | null): number {
  return (DENOMINATIONS.find((chip) => chip.cents >= (minBet ?? 500)) ?? DENOMINATIONS.at(-1)!).cents
}

/** The colors of seats. They differ in lightness as well as in hue, and each seat also has a letter. */
export const SEAT_COLORS = ['#8ec5ff', '#f7a6c4', '#b8e986', '#f5b971', '#c9b3ff', '#7fe0d0', '#f2e27a', '#d5d9de']
