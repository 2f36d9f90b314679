// What the card of a spot shows: suggested amounts, payouts, and the user's wagers there.

import { kindOf } from '../felt/spotGroups'
import type { LegalAction, PlacedBet, Spot, StakeRange, TableView } from './serverTypes'

const MULTIPLES = [1, 2, 3, 5, 10]

/** Return the stakes a spot accepts now: up to what the user's bets leave free. Null for odds, which depend on a bet. */
export function acceptedStakes(
  spot: Pick<Spot, 'spot' | 'stake_range' | 'max_cents'>,
  view: Pick<TableView, 'free_stakes'> | null,
): StakeRange | null {
  if (!spot.stake_range || kindOf(spot.spot).endsWith('_odds')) return null
  return { ...spot.stake_range, max_cents: view?.free_stakes[spot.spot] ?? spot.max_cents }
}

/** Return the limits in words: "$10 to $5,000", or what is still free: "$10 to $2,000 more, up to $5,000 in all". */
export function limitsText(range: StakeRange, maxCents: number | null, cash: (cents: number) => string): string {
  const { min_cents: min, max_cents: free } = range
  if (free === null || maxCents === null) return `from ${cash(min)}`
  if (free === maxCents) return `${cash(min)} to ${cash(maxCents)}`
  if (free === 0) return `the maximum of ${cash(maxCents)} is up`
  const more = free < min ? `${cash(free)} more` : `${cash(min)} to ${cash(free)} more`
  return `${more}, up to ${cash(maxCents)} in all`
}

/** Return amounts that are paid without breakage: the smallest one and multiples of it. */
export function exactAmounts(range: StakeRange, count = 4): number[] {
  const { max_cents: max } = range
  const smallest = smallestExact(range)
  return MULTIPLES.map((multiple) => smallest * multiple)
    .filter((amount) => max === null || amount <= max)
    .slice(0, count)
}

/** Return a quarter, a half, three quarters and all of the maximum, rounded down to amounts that are paid without breakage. */
export function amountsUpToMax(range: StakeRange): number[] {
  const { min_cents: min, max_cents: max, exact_step_cents: step } = range
  if (max === null) return exactAmounts(range)
  const amounts = [1, 2, 3, 4].map((quarters) => Math.floor((max * quarters) / 4 / step) * step)
  return [...new Set(amounts)].filter((amount) => amount >= min)
}

/** Return stakes to press to: the next one that is paid exactly, and twice the current one. */
export function pressSizes(range: StakeRange, stakeCents: number): number[] {
  const { min_cents: min, max_cents: max, step_cents: step } = range
  return [...new Set([smallestExact(range), stakeCents * 2])]
    .filter((size) => size >= min && size % step === 0 && (max === null || size <= max))
    .sort((a, b) => a - b)
}

/** Return the stake to reduce to: the next lower one that is paid exactly, or else the next lower one. */
export function reduceSize(range: StakeRange): number | null {
  const { min_cents: min, max_cents: max, exact_step_cents: step } = range
  if (max === null || max < min) return null
  const exact = Math.floor(max / step) * step
  return exact >= min ? exact : max
}

function smallestExact({ min_cents: min, exact_step_cents: step }: StakeRange): number {
  return Math.ceil(min / step) * step
}

/** Return what a spot pays: "7 to 6", or a line for each payout with its numbers: "2 to 1 (4, 10)". */
export function payLines(spot: Pick<Spot, 'pays'>): string[] {
  const conditions = new Map<string, string[]>()
  for (const [condition, odds] of spot.pays) conditions.set(odds, [...(conditions.get(odds) ?? []), condition])
  return [...conditions].map(([odds, all]) => {
    const text = all.filter(Boolean).join(', ')
    return text ? `${odds} (${text})` : odds
  })
}

/** One of the user's wagers, with the actions that are legal for it. */
export interface OwnWager {
  bet: PlacedBet
  /** Whether these are odds behind the wager listed before. */
  isOdds: boolean
  press: LegalAction | null
  reduce: LegalAction | null
  takeDown: LegalAction | null
  callOn: LegalAction | null
  callOff: LegalAction | null
}

/** Return the user's wagers on a spot, each followed by the odds behind it. */
export function ownWagers(view: TableView, spot: string): OwnWager[] {
  const own = view.bets.filter((bet) => bet.player === view.you)
  return own
    .filter((bet) => bet.spot === spot)
    .flatMap((bet) => [bet, ...own.filter((odds) => odds.base_tag === bet.tag)])
    .map((bet) => withLegalActions(view, bet, bet.spot !== spot))
}

function withLegalActions(view: TableView, bet: PlacedBet, isOdds: boolean): OwnWager {
  const legal = (verb: string) =>
    view.legal_actions.find((action) => action.verb === verb && action.tag === bet.tag) ?? null
  return {
    bet,
    isOdds,
    press: legal('press'),
    reduce: legal('reduce'),
    takeDown: legal('take_down'),
    callOn: bet.working ? null : legal('call_on'),
    callOff: bet.working ? legal('call_off') : null,
  }
}

/** Return the odds bets that are legal on a spot or behind the user's wagers there. */
export function availableOdds(view: TableView, spot: string): LegalAction[] {
  const tags = new Set(ownWagers(view, spot).map(({ bet }) => bet.tag))
  return view.legal_actions.filter(
    ({ verb, spot: target, base_tag }) =>
      verb === 'bet' && base_tag !== null && (target === spot || tags.has(base_tag)),
  )
}

/** Return the citations that are clauses, without the silences among them. */
export function withoutSilences(cite: string[], silences: string[]): string[] {
  return cite.filter((citation) => !silences.includes(citation))
}
