// Groups the spots by where they are drawn on a felt. Their names and payouts come from the server.

import type { Spot } from '../lib/serverTypes'

export interface FeltSpot extends Spot {
  /** "place" for "place:6". */
  kind: string
  /** "6" for "place:6". */
  pick: string
}

export interface SpotGroups {
  get: (spot: string) => FeltSpot | undefined
  numbers: number[]
  /** The kinds of bets with a cell above the numeral of each number, and those with a cell below. */
  above: string[]
  below: string[]
  fieldRow: FeltSpot[]
  hard: FeltSpot[]
  /** One-roll bets on a single pair of faces. */
  single: FeltSpot[]
  /** Other one-roll bets. */
  mixed: FeltSpot[]
  horn: FeltSpot[]
  hops: FeltSpot[]
  fire: FeltSpot[]
  bonus: FeltSpot[]
  more: FeltSpot[]
}

const ABOVE = ['lay', 'place_lose']

export function kindOf(spot: string): string {
  return spot.split(':')[0] ?? spot
}

export function pickOf(spot: string): string {
  return spot.split(':')[1] ?? ''
}

/** Return 6 for "place:6", and null for "hop:2-5". */
export function numberOf(spot: string): number | null {
  const pick = pickOf(spot)
  return /^\d+$/.test(pick) ? Number(pick) : null
}

export function isOdds(spot: { spot: string }): boolean {
  return kindOf(spot.spot).endsWith('_odds')
}

export function groupSpots(spots: Spot[]): SpotGroups {
  const all: FeltSpot[] = spots.map((spot) => ({ ...spot, kind: kindOf(spot.spot), pick: pickOf(spot.spot) }))
  const bySpot = new Map(all.map((spot) => [spot.spot, spot]))
  const numbers = [
    ...new Set(all.filter((s) => s.area === 'come' || s.area === 'numbers').flatMap((s) => numberOf(s.spot) ?? [])),
  ]
  const cells = [...new Set(all.filter((s) => s.area === 'numbers' && numberOf(s.spot) !== null).map((s) => s.kind))]
  const lineKinds = new Set(['pass', 'dont_pass', 'come', 'dont_come'])
  const rest = all.filter((s) => !lineKinds.has(s.kind) && !isOdds(s) && !cells.includes(s.kind))
  const oneRoll = rest.filter((s) => s.area === 'one_roll')
  const horn = oneRoll.filter((s) => s.pick !== '' || s.pays.length >= 4)
  const besideField = rest.filter((s) => s.area === 'field' || (s.area === 'numbers' && numberOf(s.spot) === null))
  const listed = oneRoll.filter(
    (s) => !horn.includes(s) && !s.winning_dice.length && s.pays.length > 1 && /^\d-\d/.test(s.pays[0]?.[0] ?? ''),
  )
  const single = oneRoll.filter((s) => s.winning_dice.length === 1 && !horn.includes(s))
  const placed = {
    fieldRow: [...besideField, ...listed],
    hard: inArea(rest, 'hardways'),
    hops: inArea(rest, 'hops'),
    fire: inArea(rest, 'fire'),
    bonus: inArea(rest, 'bonus'),
  }
  const mixed = oneRoll.filter((s) => !single.includes(s) && !horn.includes(s) && !listed.includes(s))
  const used = new Set([...Object.values(placed).flat(), ...single, ...horn, ...mixed])
  return {
    get: (spot) => bySpot.get(spot),
    numbers: numbers.sort((a, b) => a - b),
    above: ABOVE.filter((kind) => cells.includes(kind)),
    below: cells.filter((kind) => !ABOVE.includes(kind)),
    ...placed,
    single: single.sort((a, b) => diceTotal(a) - diceTotal(b)),
    mixed,
    horn,
    more: rest.filter((s) => !used.has(s)),
  }
}

function inArea(spots: FeltSpot[], name: string): FeltSpot[] {
  return spots.filter((spot) => spot.area === name)
}

export function diceTotal({ winning_dice: [dice] }: Pick<Spot, 'winning_dice'>): number {
  return (dice?.[0] ?? 0) + (dice?.[1] ?? 0)
}

/** Return the parts of a combination bet as lines: the numbers first, then the names of parts without a number. */
export function combinationText(spot: Spot, others: FeltSpot[]): string[] {
  const parts = spot.pays.map(([name]) => {
    const part = others.find((other) => other.name === name)
    return part?.winning_dice.length ? String(diceTotal(part)) : name
  })
  const numbers = parts.filter((part) => /^\d+$/.test(part))
  const names = parts.filter((part) => !/^\d+$/.test(part))
  const nameText = names.join(', ').toLowerCase()
  return numbers.length ? [numbers.join(' '), ...(nameText ? [`+ ${nameText}`] : [])] : [nameText]
}

/** Return what a spot pays, on one number if given: "7 to 6", "7 to 1 or 15 to 1". */
export function payText(spot: Spot, number?: number | null): string {
  if (number != null) {
    const entry = spot.pays.find(([condition]) => condition === String(number))
    if (entry) return entry[1]
  }
  const odds = [...new Set(spot.pays.map(([, pays]) => pays))]
  return odds.length > 3 ? `${odds[0]} to ${odds.at(-1)}` : odds.join(' or ')
}
