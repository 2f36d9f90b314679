// Spots sorted by where they belong on a felt. What a spot is called and pays is the server's to say.

import type { Spot } from '../lib/types'

export interface FeltSpot extends Spot {
  kind: string
  pick: string
}

export interface Sorted {
  get: (spot: string) => FeltSpot | undefined
  numbers: number[]
  /** Kinds that have a cell above and below the numeral of each number. */
  above: string[]
  below: string[]
  band: FeltSpot[]
  hard: FeltSpot[]
  single: FeltSpot[]
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

/** 6 of "place:6"; nothing of "hop:2-5". */
export function numberOf(spot: string): number | null {
  const pick = pickOf(spot)
  return /^\d+$/.test(pick) ? Number(pick) : null
}

export function isOdds(spot: { spot: string }): boolean {
  return kindOf(spot.spot).endsWith('_odds')
}

export function sort(spots: Spot[]): Sorted {
  const all: FeltSpot[] = spots.map((spot) => ({ ...spot, kind: kindOf(spot.spot), pick: pickOf(spot.spot) }))
  const by = new Map(all.map((spot) => [spot.spot, spot]))
  const numbers = [...new Set(all.filter((s) => s.area === 'come' || s.area === 'numbers').flatMap((s) => numberOf(s.spot) ?? []))]
  const cells = [...new Set(all.filter((s) => s.area === 'numbers' && numberOf(s.spot) !== null).map((s) => s.kind))]
  const taken = new Set(['pass', 'dont_pass', 'come', 'dont_come'])
  const rest = all.filter((s) => !taken.has(s.kind) && !isOdds(s) && !cells.includes(s.kind))
  const one = rest.filter((s) => s.area === 'one_roll')
  const horn = one.filter((s) => s.pick !== '' || s.pays.length >= 4)
  const banded = rest.filter((s) => s.area === 'field' || (s.area === 'numbers' && numberOf(s.spot) === null))
  const wide = one.filter((s) => !horn.includes(s) && !s.dice.length && s.pays.length > 1 && /^\d-\d/.test(s.pays[0]?.[0] ?? ''))
  const single = one.filter((s) => s.dice.length === 1 && !horn.includes(s))
  const places = { band: [...banded, ...wide], hard: area(rest, 'hardways'), hops: area(rest, 'hops'), fire: area(rest, 'fire'), bonus: area(rest, 'bonus') }
  const mixed = one.filter((s) => !single.includes(s) && !horn.includes(s) && !wide.includes(s))
  const put = new Set([...Object.values(places).flat(), ...single, ...horn, ...mixed])
  return {
    get: (spot) => by.get(spot),
    numbers: numbers.sort((a, b) => a - b),
    above: ABOVE.filter((kind) => cells.includes(kind)),
    below: cells.filter((kind) => !ABOVE.includes(kind)),
    ...places,
    single: single.sort((a, b) => total(a) - total(b)),
    mixed,
    horn,
    more: rest.filter((s) => !put.has(s)),
  }
}

function area(spots: FeltSpot[], name: string): FeltSpot[] {
  return spots.filter((spot) => spot.area === name)
}

export function total(spot: { dice: [number, number][] }): number {
  return (spot.dice[0]?.[0] ?? 0) + (spot.dice[0]?.[1] ?? 0)
}

/** What a combination is made of, in lines: the numbers of its parts, then the names of those that have none. */
export function partWords(spot: Spot, others: FeltSpot[]): string[] {
  const parts = spot.pays.map(([what]) => {
    const part = others.find((one) => one.name === what)
    return part?.dice.length ? String(total(part)) : what
  })
  const numbers = parts.filter((part) => /^\d+$/.test(part))
  const names = parts.filter((part) => !/^\d+$/.test(part))
  const named = names.join(', ').toLowerCase()
  return numbers.length ? [numbers.join(' '), ...(named ? [`+ ${named}`] : [])] : [named]
}

/** What a spot pays in few words: "7 to 6", "7 to 1 or 15 to 1". */
export function payWords(spot: Spot, at?: number | null): string {
  if (at != null) {
    const found = spot.pays.find(([what]) => what === String(at))
    if (found) return found[1]
  }
  const odds = [...new Set(spot.pays.map(([, pays]) => pays))]
  return odds.length > 3 ? `${odds[0]} to ${odds.at(-1)}` : odds.join(' or ')
}
