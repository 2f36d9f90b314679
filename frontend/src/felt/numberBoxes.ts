// The number boxes of the desktop felt: a column for each, with lay, come and place bets.

import { barDice, barLabel } from './lineBoxes'
import type { LineSide } from './lineSide'
import { box, divide, fitFontSize, frame, label } from './shapes'
import type { Ink } from './shapes'
import { payText } from './spotGroups'
import type { FeltSpot, SpotGroups } from './spotGroups'

const NAMES: Record<number, string> = { 6: 'SIX', 9: 'NINE' }
const SHORT_NAMES: Record<string, string> = { place: 'PLACE', buy: 'BUY', lay: 'LAY', place_lose: 'LOSE', put: 'PUT' }

export function addNumbersRow(side: LineSide, groups: SpotGroups, x: number, y: number, w: number, h: number): void {
  const dont = groups.get('dont_come')
  const dontW = dont ? w * 0.137 : 0
  if (dont) addDontComeBox(side, dont, x, y, dontW, h)
  const columns = divide(
    x + dontW + (dont ? 4 : 0),
    w - dontW - (dont ? 4 : 0),
    2,
    groups.numbers.map(() => 1),
  )
  groups.numbers.forEach((number, index) => {
    const column = columns[index]
    if (column) addNumberColumn(side, groups, number, column.at, y, column.size, h)
  })
}

/** Add one number: the don't come strip, lay bets, the numeral with come bets, and place bets. */
function addNumberColumn(
  side: LineSide,
  groups: SpotGroups,
  number: number,
  x: number,
  y: number,
  w: number,
  h: number,
): void {
  side.columns[number] = frame(x, y, w, h, { edge: 'ink', round: 6 })
  const dontCome = groups.get(`dont_come:${number}`)
  const [strip, over, middle, under] = divide(y, h, 0, [
    dontCome ? 0.13 : 0,
    groups.above.length ? 0.265 : 0,
    0.335,
    groups.below.length ? 0.275 : 0,
  ])
  if (!strip || !over || !middle || !under) return
  if (dontCome) {
    const isHigh = strip.size > 40
    side.boxes.push(
      box(dontCome, 'Numbers', x, strip.at, w, strip.size, {
        cloth: 'dont',
        edge: 'thin',
        labels: groups.above.length
          ? []
          : [
              label(
                x + 8,
                strip.at + (isHigh ? 15 : strip.size / 2 + 4),
                "DON'T",
                fitFontSize("DON'T", 10.5, w * 0.4),
                'dont',
                { bold: true },
              ),
            ],
        zone: {
          x: x + w * (groups.above.length || isHigh ? 0.3 : 0.6),
          y: strip.at + (isHigh ? strip.size - 16 : strip.size / 2),
          r: 11,
          step: 20,
          maxChips: 2,
        },
      }),
    )
  }
  side.puck.on[number] = { x: x + w - 17, y: strip.at + (strip.size || 26) / 2 }
  addCells(side, cellsOf(groups, groups.above, number), x, over.at, w, over.size, 'dont')
  const come = groups.get(`come:${number}`)
  const name = numeral(number)
  const size = fitFontSize(name, Math.min(31, middle.size * 0.52), w * 0.86, true)
  const roomy = middle.size > 90
  if (come) {
    side.boxes.push(
      box(come, 'Numbers', x, middle.at, w, middle.size, {
        cloth: 'felt',
        edge: 'thin',
        labels: [
          label(
            x + w / 2,
            middle.at + (roomy ? middle.size * 0.42 : size * 1.02),
            name,
            roomy ? fitFontSize(name, 44, w * 0.9, true) : size,
            'ink',
            { serif: true, bold: true, anchor: 'middle' },
          ),
          label(x + w / 2, middle.at + middle.size - 7, 'COME', 10.5, 'ink', {
            anchor: 'middle',
            letterSpacing: 2.5,
            bold: true,
          }),
        ],
        zone: { x: x + w * 0.3, y: middle.at + middle.size * (roomy ? 0.66 : 0.62), r: 13, step: 24, maxChips: 2 },
      }),
    )
  }
  addCells(side, cellsOf(groups, groups.below, number), x, under.at, w, under.size, 'gold')
}

function addCells(side: LineSide, spots: FeltSpot[], x: number, y: number, w: number, h: number, ink: Ink): void {
  divide(
    x,
    w,
    0,
    spots.map(() => 1),
  ).forEach((cell, index) => {
    const spot = spots[index]
    if (!spot) return
    const name = cellName(spot)
    const pays = payText(spot)
    const middle = cell.at + cell.size / 2
    side.boxes.push(
      box(spot, 'Numbers', cell.at, y, cell.size, h, {
        cloth: ink === 'dont' ? 'dont' : 'felt',
        edge: 'thin',
        labels: [
          label(middle, y + h - 18, name, fitFontSize(name, 10.5, cell.size - 3), ink === 'dont' ? 'dont' : 'ink', {
            bold: true,
            anchor: 'middle',
          }),
          label(middle, y + h - 6, pays, fitFontSize(pays, 10.5, cell.size - 3), ink, { bold: true, anchor: 'middle' }),
        ],
        zone: { x: middle, y: y + Math.max(13, (h - 28) / 2), r: 12, step: 0, maxChips: 1 },
      }),
    )
  })
}

/** Return the spots of these kinds for a number. */
export function cellsOf(groups: SpotGroups, kinds: string[], number: number): FeltSpot[] {
  return kinds.flatMap((kind) => groups.get(`${kind}:${number}`) ?? [])
}

export function cellName(spot: FeltSpot): string {
  return SHORT_NAMES[spot.kind] ?? spot.name.replace(/ \d+$/, '').toUpperCase()
}

export function numeral(number: number): string {
  return NAMES[number] ?? String(number)
}

function addDontComeBox(side: LineSide, spot: FeltSpot, x: number, y: number, w: number, h: number): void {
  const [first, ...rest] = spot.name.toUpperCase().split(' ')
  const title = [first ?? '', rest.join(' ')].filter(Boolean)
  const size = Math.min(...title.map((line) => fitFontSize(line, 18, w - 12, true, 1)))
  const lines = title.map((line, index) =>
    label(x + w / 2, y + 24 + index * size * 1.15, line, size, 'dont', {
      serif: true,
      bold: true,
      anchor: 'middle',
      letterSpacing: 1,
    }),
  )
  const below = y + 24 + title.length * size * 1.15
  side.boxes.push(
    box(spot, 'Numbers', x, y, w, h, {
      cloth: 'dont',
      edge: 'dont',
      round: 6,
      labels: [
        ...lines,
        label(x + w / 2, below + 2, payText(spot), 12, 'dont', { bold: true, anchor: 'middle' }),
        ...barLabel(spot, x + w / 2, y + h - 36, 'middle'),
      ],
      pips: barDice(spot, x + w / 2, y + h - 19, 15),
      zone: { x: x + w / 2 - 14, y: below + (h - (below - y) - 44) * 0.8, r: 13, step: 26, maxChips: 2 },
    }),
  )
  side.puck.off = { x: x + w / 2, y: below + 26 }
}
