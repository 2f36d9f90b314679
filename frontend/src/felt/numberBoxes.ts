// The numbers of a felt: a column each, with what lays against it, come bets, and what is placed on it.

import { barDice, barWords } from './line'
import type { Side } from './side'
import type { Ink } from './shapes'
import { box, fit, frame, share, words } from './shapes'
import type { FeltSpot, Sorted } from './spots'
import { payWords } from './spots'

const NAMES: Record<number, string> = { 6: 'SIX', 9: 'NINE' }
const SHORT: Record<string, string> = { place: 'PLACE', buy: 'BUY', lay: 'LAY', place_lose: 'LOSE', put: 'PUT' }

export function numbersRow(side: Side, sorted: Sorted, x: number, y: number, w: number, h: number): void {
  const dont = sorted.get('dont_come')
  const dontW = dont ? w * 0.137 : 0
  if (dont) dontComeBox(side, dont, x, y, dontW, h)
  const columns = share(x + dontW + (dont ? 4 : 0), w - dontW - (dont ? 4 : 0), 2, sorted.numbers.map(() => 1))
  sorted.numbers.forEach((number, index) => {
    const column = columns[index]
    if (column) numberColumn(side, sorted, number, column.at, y, column.size, h)
  })
}

/** One number: the strip behind, what lays against it, the numeral with come bets, what is placed on it. */
function numberColumn(side: Side, sorted: Sorted, number: number, x: number, y: number, w: number, h: number): void {
  side.columns[number] = frame(x, y, w, h, { edge: 'ink', round: 6 })
  const behind = sorted.get(`dont_come:${number}`)
  const [strip, over, middle, under] = share(y, h, 0, [behind ? 0.13 : 0, sorted.above.length ? 0.265 : 0, 0.335, sorted.below.length ? 0.275 : 0])
  if (!strip || !over || !middle || !under) return
  if (behind) {
    const high = strip.size > 40
    side.boxes.push(box(behind, 'Numbers', x, strip.at, w, strip.size, {
      cloth: 'dont', edge: 'thin', words: sorted.above.length ? [] : [words(x + 8, strip.at + (high ? 15 : strip.size / 2 + 4), "DON'T", fit("DON'T", 10.5, w * 0.4), 'dont', { bold: true })],
      zone: { x: x + w * (sorted.above.length || high ? 0.3 : 0.6), y: strip.at + (high ? strip.size - 16 : strip.size / 2), r: 11, step: 20, most: 2 },
    }))
  }
  side.puck.on[number] = { x: x + w - 17, y: strip.at + (strip.size || 26) / 2 }
  cells(side, cellsOf(sorted, sorted.above, number), x, over.at, w, over.size, 'dont')
  const come = sorted.get(`come:${number}`)
  const name = numeral(number)
  const size = fit(name, Math.min(31, middle.size * 0.52), w * 0.86, true)
  const roomy = middle.size > 90
  if (come) {
    side.boxes.push(box(come, 'Numbers', x, middle.at, w, middle.size, {
      cloth: 'felt', edge: 'thin',
      words: [
        words(x + w / 2, middle.at + (roomy ? middle.size * 0.42 : size * 1.02), name, roomy ? fit(name, 44, w * 0.9, true) : size, 'ink', { serif: true, bold: true, anchor: 'middle' }),
        words(x + w / 2, middle.at + middle.size - 7, 'COME', 10.5, 'ink', { anchor: 'middle', wide: 2.5, bold: true }),
      ],
      zone: { x: x + w * 0.3, y: middle.at + middle.size * (roomy ? 0.66 : 0.62), r: 13, step: 24, most: 2 },
    }))
  }
  cells(side, cellsOf(sorted, sorted.below, number), x, under.at, w, under.size, 'gold')
}

function cells(side: Side, spots: FeltSpot[], x: number, y: number, w: number, h: number, ink: Ink): void {
  share(x, w, 0, spots.map(() => 1)).forEach((cell, index) => {
    const spot = spots[index]
    if (!spot) return
    const name = cellName(spot)
    const pays = payWords(spot)
    const middle = cell.at + cell.size / 2
    side.boxes.push(box(spot, 'Numbers', cell.at, y, cell.size, h, {
      cloth: ink === 'dont' ? 'dont' : 'felt', edge: 'thin',
      words: [
        words(middle, y + h - 18, name, fit(name, 10.5, cell.size - 3), ink === 'dont' ? 'dont' : 'ink', { bold: true, anchor: 'middle' }),
        words(middle, y + h - 6, pays, fit(pays, 10.5, cell.size - 3), ink, { bold: true, anchor: 'middle' }),
      ],
      zone: { x: middle, y: y + Math.max(13, (h - 28) / 2), r: 12, step: 0, most: 1 },
    }))
  })
}

/** What stands in a row of cells at a number. */
export function cellsOf(sorted: Sorted, kinds: string[], number: number): FeltSpot[] {
  return kinds.flatMap((kind) => sorted.get(`${kind}:${number}`) ?? [])
}

export function cellName(spot: FeltSpot): string {
  return SHORT[spot.kind] ?? spot.name.replace(/ \d+$/, '').toUpperCase()
}

export function numeral(number: number): string {
  return NAMES[number] ?? String(number)
}

function dontComeBox(side: Side, spot: FeltSpot, x: number, y: number, w: number, h: number): void {
  const [first, ...rest] = spot.name.toUpperCase().split(' ')
  const title = [first ?? '', rest.join(' ')].filter(Boolean)
  const size = Math.min(...title.map((line) => fit(line, 18, w - 12, true, 1)))
  const lines = title.map((line, index) => words(x + w / 2, y + 24 + index * size * 1.15, line, size, 'dont', { serif: true, bold: true, anchor: 'middle', wide: 1 }))
  const below = y + 24 + title.length * size * 1.15
  side.boxes.push(box(spot, 'Numbers', x, y, w, h, {
    cloth: 'dont', edge: 'dont', round: 6,
    words: [...lines, words(x + w / 2, below + 2, payWords(spot), 12, 'dont', { bold: true, anchor: 'middle' }), ...barWords(spot, x + w / 2, y + h - 36, 'middle')],
    pips: barDice(spot, x + w / 2, y + h - 19, 15),
    zone: { x: x + w / 2 - 14, y: below + (h - (below - y) - 44) * 0.8, r: 13, step: 26, most: 2 },
  }))
  side.puck.off = { x: x + w / 2, y: below + 26 }
}
