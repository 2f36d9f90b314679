// The numbers of a felt on a phone: rows that a thumb can tell apart, with come and don't come side by side.

import { cellName, cellsOf, numeral } from './numbers'
import type { Side } from './side'
import type { Box, Ink } from './shapes'
import { box, fit, frame, share, words } from './shapes'
import type { FeltSpot, Sorted } from './spots'
import { payWords } from './spots'

/** A thumb needs so much either way. */
export const THUMB = 44
const DONT = 46
/** What a name below chips takes of the height. */
const LABEL = 14

/** How high a column is. */
export function smallHeight(sorted: Sorted): number {
  const rows = 1 + (sorted.above.length ? 1 : 0) + (sorted.below.length ? 1 : 0)
  return rows === 1 ? 2 * THUMB : rows === 2 ? 2 * THUMB + 12 : rows * THUMB
}

/** One number: what lays against it, come and don't come bets with the numeral between them, what is placed on it. */
export function smallColumn(side: Side, sorted: Sorted, number: number, x: number, y: number, w: number, h: number): void {
  side.columns[number] = frame(x, y, w, h, { edge: 'ink', round: 6 })
  const above = cellsOf(sorted, sorted.above, number)
  const below = cellsOf(sorted, sorted.below, number)
  const [over, middle, under] = share(y, h, 0, [above.length ? 1 : 0, 1, below.length ? 1 : 0])
  if (!over || !middle || !under) return
  cells(side, above, x, over.at, w, over.size, 'dont')
  const come = sorted.get(`come:${number}`)
  const dont = sorted.get(`dont_come:${number}`)
  const comeW = dont ? w - DONT : w
  if (come) side.boxes.push(comeCell(come, numeral(number), x, middle.at, comeW, middle.size))
  if (dont) side.boxes.push(dontCell(dont, x + comeW, middle.at, w - comeW, middle.size))
  side.puck.on[number] = { x: x + w - 13, y: middle.at + (middle.size - LABEL) / 2 }
  cells(side, below, x, under.at, w, under.size, 'gold')
}

/** The chip on the left, its odds above it, the numeral on the right. */
function comeCell(spot: FeltSpot, name: string, x: number, y: number, w: number, h: number): Box {
  const room = w - 33
  const size = fit(name, 29, room, true)
  return box(spot, 'Numbers', x, y, w, h, {
    cloth: 'felt', edge: 'thin',
    words: [words(x + 30 + room / 2, y + h / 2 + size * 0.36, name, size, 'ink', { serif: true, bold: true, anchor: 'middle' })],
    zone: { x: x + 14, y: y + h / 2, r: 12, step: 0, most: 1, odds: 'above' },
  })
}

/** Chips on the left, their name below, and room for the puck on the right. */
function dontCell(spot: FeltSpot, x: number, y: number, w: number, h: number): Box {
  return box(spot, 'Numbers', x, y, w, h, {
    cloth: 'dont', edge: 'thin',
    words: [words(x + w / 2, y + h - 6, "DON'T", fit("DON'T", 10, w - 6), 'dont', { bold: true, anchor: 'middle' })],
    zone: { x: x + 13, y: y + (h - LABEL) / 2, r: 10, step: 0, most: 1 },
  })
}

function cells(side: Side, spots: FeltSpot[], x: number, y: number, w: number, h: number, ink: Ink): void {
  share(x, w, 0, spots.map(() => 1)).forEach((place, index) => {
    const spot = spots[index]
    if (spot) side.boxes.push(cell(spot, place.at, y, place.size, h, ink))
  })
}

/** Words on the left, the chip on the right. */
function cell(spot: FeltSpot, x: number, y: number, w: number, h: number, ink: Ink): Box {
  const name = cellName(spot)
  const pays = payWords(spot)
  const room = w - 25
  return box(spot, 'Numbers', x, y, w, h, {
    cloth: ink === 'dont' ? 'dont' : 'felt', edge: 'thin',
    words: [
      words(x + 4, y + h / 2 - 3, name, fit(name, 10, room), ink === 'dont' ? 'dont' : 'ink', { bold: true }),
      words(x + 4, y + h / 2 + 11, pays, fit(pays, 10.5, room), ink, { bold: true }),
    ],
    zone: { x: x + w - 11, y: y + h / 2 + 1, r: 10, step: 0, most: 1 },
  })
}
