// The centre of a felt: hard ways, one-roll bets, horns and hops.

import type { FeltSpot, Sorted } from './spots'
import { partWords, payWords, total } from './spots'
import type { Box, Frame } from './shapes'
import { box, fit, frame, share, words } from './shapes'

export interface Centre {
  frames: Frame[]
  boxes: Box[]
}

export function hasCentre(sorted: Sorted): boolean {
  return sorted.hard.length + sorted.single.length + sorted.mixed.length + sorted.horn.length + sorted.hops.length > 0
}

interface Part {
  what: string
  weight: number
  draw: (y: number, h: number) => void
}

export function centre(sorted: Sorted, x: number, y: number, w: number, h: number, roomy: boolean): Centre {
  const found: Centre = { frames: [], boxes: [] }
  const parts = ([
    { what: 'Hard ways', weight: sorted.hard.length ? 0.165 : 0, draw: (at, size) => rowOf(found, sorted.hard, 'Hard ways', x, at, w, size, pairCell) },
    { what: 'One roll', weight: sorted.single.length ? 0.15 : 0, draw: (at, size) => rowOf(found, sorted.single, 'One roll', x, at, w, size, pairCell) },
    { what: '', weight: sorted.mixed.length ? 0.118 : 0, draw: (at, size) => rowOf(found, sorted.mixed, 'One roll', x, at, w, size, nameCell) },
    { what: sorted.single.length ? '' : 'One roll', weight: sorted.horn.length ? 0.118 : 0, draw: (at, size) => rowOf(found, sorted.horn, 'One roll', x, at, w, size, hornCell, sorted.single) },
    { what: 'Hops', weight: sorted.hops.length ? (roomy ? 0.4 : 0.33) : 0, draw: (at, size) => hops(found, sorted.hops, x, at, w, size) },
  ] as Part[]).filter((part) => part.weight > 0)
  const heading = 17
  const room = h - parts.filter((part) => part.what).length * heading
  const places = share(0, room, 5, parts.map((part) => part.weight))
  let down = y
  parts.forEach((part, index) => {
    const size = places[index]?.size ?? 0
    if (part.what) {
      found.frames.push(frame(x, down, w, heading, { edge: 'none', words: headings(part.what, sorted, x, down + 12, w) }))
      down += heading
    }
    part.draw(down, size)
    down += size + 5
  })
  return found
}

function headings(what: string, sorted: Sorted, x: number, y: number, w: number): Frame['words'] {
  const title = words(x + 2, y, what.toUpperCase(), 11.5, 'gold', { bold: true, wide: 1.5 })
  if (what !== 'Hops') return [title]
  const pair = sorted.hops.find((spot) => spot.dice[0]?.[0] === spot.dice[0]?.[1])
  const mixed = sorted.hops.find((spot) => spot.dice[0]?.[0] !== spot.dice[0]?.[1])
  const said = [pair && `pair ${payWords(pair)}`, mixed && `mixed ${payWords(mixed)}`].filter(Boolean).join(', ')
  return [title, words(x + w - 2, y, said, 11, 'ink', { anchor: 'end' })]
}

type Cell = (spot: FeltSpot, group: string, x: number, y: number, w: number, h: number, others: FeltSpot[]) => Box

function rowOf(found: Centre, spots: FeltSpot[], group: string, x: number, y: number, w: number, h: number, cell: Cell, others: FeltSpot[] = []): void {
  const weights = spots.map((spot) => (cell === hornCell ? hornWeight(spot) : cell === nameCell && spot.pays.length > 1 ? 1.5 : 1))
  share(x, w, 0, weights).forEach((place, index) => {
    const spot = spots[index]
    if (spot) found.boxes.push(cell(spot, group, place.at, y, place.size, h, others))
  })
  found.frames.push(frame(x, y, w, h, { edge: 'ink', round: 6 }))
}

/** Dice, number, what it pays. */
const pairCell: Cell = (spot, group, x, y, w, h) => {
  const pays = payWords(spot)
  const number = spot.pick || String(total(spot))
  const size = Math.min(17, (w - 40) / 2.4)
  return box(spot, group, x, y, w, h, {
    cloth: 'centre-2', edge: 'thin',
    pips: spot.dice.slice(0, 1).map((dice) => ({ x: x + 7 + size * 1.1, y: y + 7 + size / 2, size, dice })),
    words: [
      words(x + 7, y + h - 7, number, 13, 'ink', { bold: true }),
      words(x + w - 6, y + h - 7, pays, fit(pays, 12, w - 30), 'gold', { anchor: 'end', bold: true }),
    ],
    zone: { x: x + w - 17, y: y + Math.max(15, (h - 18) / 2), r: 12, step: -20, most: 2 },
  })
}

const nameCell: Cell = (spot, group, x, y, w, h) => {
  const several = spot.pays.length > 1
  const lines = several ? spot.pays.map(([what, pays]) => `${what.toLowerCase().replace('any ', '')} ${pays}`) : [payWords(spot)]
  const shown = lines.slice(0, 2)
  return box(spot, group, x, y, w, h, {
    cloth: 'centre-2', edge: 'thin',
    words: [
      words(x + 8, y + Math.min(h * 0.42, 19), spot.name, fit(spot.name, 12.5, several ? w * 0.36 : w - 12), 'ink', { bold: true }),
      ...(several
        ? shown.map((line, index) => words(x + w - 6, y + Math.min(h * 0.42, 19) + index * 14, line, fit(line, 10.8, w * 0.53), 'gold', { bold: true, anchor: 'end' }))
        : shown.map((line) => words(x + 8, y + Math.min(h * 0.42, 19) + 15, line, fit(line, 11.5, w - 40), 'gold', { bold: true }))),
    ],
    zone: { x: x + (several ? 18 : w - 18), y: y + h - 15, r: 12, step: several ? 20 : -20, most: 2 },
  })
}

function hornWeight(spot: FeltSpot): number {
  return spot.pick ? 0.62 : 1.3
}

const hornCell: Cell = (spot, group, x, y, w, h, others) => {
  const middle = x + w / 2
  if (spot.pick) {
    return box(spot, group, x, y, w, h, {
      cloth: 'centre-2', edge: 'thin',
      words: [
        words(middle, y + 14, 'HIGH', fit('HIGH', 10.5, w - 4), 'ink', { bold: true, anchor: 'middle' }),
        words(middle, y + h - 5, spot.pick, Math.min(17, h * 0.34), 'gold', { serif: true, bold: true, anchor: 'middle' }),
      ],
      zone: { x: middle, y: y + 17 + (h - 17 - Math.min(17, h * 0.34) - 3) / 2, r: 10, step: 0, most: 1 },
    })
  }
  const lines = spot.splits ? ['dealer splits'] : partWords(spot, others)
  return box(spot, group, x, y, w, h, {
    cloth: 'centre-2', edge: 'thin', dashed: spot.splits,
    words: [
      words(x + 8, y + 17, spot.name.toUpperCase(), fit(spot.name.toUpperCase(), 12.5, w - 36), 'ink', { bold: true }),
      ...lines.map((line, index) => words(x + 8, y + 31 + index * 13, line, fit(line, 10.5, w - 12), 'gold', { bold: true })),
    ],
    zone: { x: x + w - 16, y: y + 15, r: 11, step: -18, most: 2 },
  })
}

/** Columns by total; the pairs of a total share its column. */
function hops(found: Centre, spots: FeltSpot[], x: number, y: number, w: number, h: number): void {
  const totals = [...new Set(spots.map(total))].sort((a, b) => a - b)
  const columns = share(x, w, 0, totals.map(() => 1))
  const head = 18
  found.frames.push(frame(x, y, w, head, {
    cloth: 'centre', edge: 'none',
    words: totals.map((number, index) => words((columns[index]?.at ?? 0) + (columns[index]?.size ?? 0) / 2, y + 13, String(number), 12.5, 'gold', { bold: true, anchor: 'middle' })),
  }))
  totals.forEach((number, index) => {
    const column = columns[index]
    const members = spots.filter((spot) => total(spot) === number)
    if (!column) return
    share(y + head, h - head, 0, members.map(() => 1)).forEach((place, row) => {
      const spot = members[row]
      if (!spot) return
      const tall = place.size > 38
      const size = Math.min(16, (column.size - (tall ? 6 : 24)) / 2.2, place.size * 0.6)
      found.boxes.push(box(spot, 'Hops', column.at, place.at, column.size, place.size, {
        cloth: spot.dice[0]?.[0] === spot.dice[0]?.[1] ? 'centre-2' : 'centre', edge: 'thin',
        pips: spot.dice.slice(0, 1).map((dice) => ({ x: tall ? column.at + column.size / 2 : column.at + 3 + size * 1.1, y: tall ? place.at + 3 + size / 2 + (place.size > 52 ? 6 : 0) : place.at + place.size / 2, size, dice })),
        zone: { x: tall ? column.at + column.size / 2 : column.at + column.size - 11, y: tall ? place.at + place.size - (place.size > 52 ? 15 : 12) : place.at + place.size / 2, r: tall ? 11 : 10, step: 0, most: 1 },
      }))
    })
  })
  found.frames.push(frame(x, y, w, h, { edge: 'ink', round: 6 }))
}
