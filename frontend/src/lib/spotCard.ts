// What the card of a spot shows: amounts that are paid exactly, what it pays in words, one's own wagers there.

import type { Chip, Choice, Spot, Stakes, View } from './types'

const TIMES = [1, 2, 3, 5, 10]

/** Amounts that are paid without breakage: the least such, and some times of it. */
export function payingAmounts(stakes: Stakes, count = 4): number[] {
  const first = Math.ceil(stakes.least / stakes.even) * stakes.even
  return TIMES.map((times) => first * times)
    .filter((amount) => stakes.most === null || amount <= stakes.most)
    .slice(0, count)
}

/** Amounts up to the most that is taken, paid without breakage: a quarter of it, half, and so on. */
export function upToTheMost(stakes: Stakes): number[] {
  const { least, most, even } = stakes
  if (most === null) return payingAmounts(stakes)
  const parts = [1, 2, 3, 4].map((quarters) => Math.floor((most * quarters) / 4 / even) * even)
  return [...new Set(parts)].filter((amount) => amount >= least)
}

/** Sizes to press to: the next that is paid exactly, and twice the stake. */
export function pressSizes(stakes: Stakes, stake: number): number[] {
  const next = Math.ceil(stakes.least / stakes.even) * stakes.even
  const twice = stake * 2
  return [...new Set([next, twice])]
    .filter((size) => size >= stakes.least && size % stakes.step === 0 && (stakes.most === null || size <= stakes.most))
    .sort((a, b) => a - b)
}

/** The size to reduce to: the next below that is paid exactly, or else the next below. */
export function smallerSize(stakes: Stakes): number | null {
  if (stakes.most === null || stakes.most < stakes.least) return null
  const even = Math.floor(stakes.most / stakes.even) * stakes.even
  return even >= stakes.least ? even : stakes.most
}

/** "7 to 6", or what each number or part pays: "2 to 1 (4, 10)". */
export function payLines(spot: Pick<Spot, 'pays'>): string[] {
  const whens = new Map<string, string[]>()
  for (const [when, odds] of spot.pays) whens.set(odds, [...(whens.get(odds) ?? []), when])
  return [...whens].map(([odds, all]) => {
    const said = all.filter(Boolean).join(', ')
    return said ? `${odds} (${said})` : odds
  })
}

export interface Holding {
  chip: Chip
  /** Whether these are odds behind the wager before. */
  behind: boolean
  press: Choice | null
  reduce: Choice | null
  takeDown: Choice | null
  callOn: Choice | null
  callOff: Choice | null
}

/** One's own wagers on a spot, each followed by the odds behind it, with what may be done about them. */
export function holdings(view: View, spot: string): Holding[] {
  const mine = view.chips.filter((chip) => chip.player === view.you)
  return mine
    .filter((chip) => chip.spot === spot)
    .flatMap((chip) => [chip, ...mine.filter((odds) => odds.on === chip.tag)])
    .map((chip) => holding(view, chip, chip.spot !== spot))
}

function holding(view: View, chip: Chip, behind: boolean): Holding {
  const may = (what: string) => view.choices.find((choice) => choice.do === what && choice.tag === chip.tag) ?? null
  return {
    chip,
    behind,
    press: may('press'),
    reduce: may('reduce'),
    takeDown: may('take_down'),
    callOn: chip.working ? null : may('call_on'),
    callOff: chip.working ? may('call_off') : null,
  }
}

/** Odds that may be put behind one's wagers on a spot, or on the spot of the odds itself. */
export function oddsToAdd(view: View, spot: string): Choice[] {
  const tags = new Set(holdings(view, spot).map(({ chip }) => chip.tag))
  return view.choices.filter(
    (choice) => choice.do === 'bet' && choice.on !== null && (choice.spot === spot || tags.has(choice.on)),
  )
}

/** Clauses apart from the silences among them. */
export function clausesOf(cite: string[], silences: string[]): string[] {
  return cite.filter((part) => !silences.includes(part))
}
