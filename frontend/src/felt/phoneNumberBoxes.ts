// The number boxes of the phone felt: rows high enough for a thumb, with come and don't come side by side.

import type { LineSide } from './lineSide'
import { cellName, cellsOf, numeral } from './numberBoxes'
import { box, divide, fitFontSize, frame, label } from './shapes'
import type { Box, Ink } from './shapes'
import { payText } from './spotGroups'
import type { FeltSpot, SpotGroups } from './spotGroups'

/** The minimum width and height of a touch target. */
export const MIN_TARGET_PX = 44
const DONT_WIDTH = 46
/** The height of a label below chips. */
const LABEL_HEIGHT = 14

export function phoneColumnHeight(groups: SpotGroups): number {
  const rows = 1 + (groups.above.length ? 1 : 0) + (groups.below.length ? 1 : 0)
  return rows === 1 ? 2 * MIN_TARGET_PX : rows === 2 ? 2 * MIN_TARGET_PX + 12 : rows * MIN_TARGET_PX
}

/** Add one number: lay bets on top, come and don't come with the numeral between them, place bets at the bottom. */
export function phoneNumberColumn(
  side: LineSide,
  groups: SpotGroups,
  number: number,
  x: number,
  y: number,
  w: number,
  h: number,
): void {
  side.columns[number] = frame(x, y, w, h, { edge: 'ink', round: 6 })
  const above = cellsOf(groups, groups.above, number)
  const below = cellsOf(groups, groups.below, number)
  const [over, middle, under] = divide(y, h, 0, [above.length ? 1 : 0, 1, below.length ? 1 : 0])
  if (!over || !middle || !under) return
  cells(side, above, x, over.at, w, over.size, 'dont')
  const come = groups.get(`come:${number}`)
  const dont = groups.get(`dont_come:${number}`)
  const comeW = dont ? w - DONT_WIDTH : w
  if (come) side.boxes.push(comeCell(come, numeral(number), x, middle.at, comeW, middle.size))
  if (dont) side.boxes.push(dontCell(dont, x + comeW, middle.at, w - comeW, middle.size))
  side.puck.on[number] = { x: x + w - 13, y: middle.at + (middle.size - LABEL_HEIGHT) / 2 }
  cells(side, below, x, under.at, w, under.size, 'gold')
}

/** Return a box with the chip on the left, its odds above it, and the numeral on the right. */
function comeCell(spot: FeltSpot, name: string, x: number, y: number, w: number, h: number): Box {
  const room = w - 33
  const size = fitFontSize(name, 29, room, true)
  return box(spot, 'Numbers', x, y, w, h, {
    cloth: 'felt',
    edge: 'thin',
    labels: [
      label(x + 30 + room / 2, y + h / 2 + size * 0.36, name, size, 'ink', {
        serif: true,
        bold: true,
        anchor: 'middle',
      }),
    ],
    zone: { x: x + 14, y: y + h / 2, r: 12, step: 0, maxChips: 1, odds: 'above' },
  })
}

/** Return a box with the chips on the left, their label below, and room for the puck on the right. */
function dontCell(spot: FeltSpot, x: number, y: number, w: number, h: number): Box {
  return box(spot, 'Numbers', x, y, w, h, {
    cloth: 'dont',
    edge: 'thin',
    labels: [
      label(x + w / 2, y + h - 6, "DON'T", fitFontSize("DON'T", 10, w - 6), 'dont', { bold: true, anchor: 'middle' }),
    ],
    zone: { x: x + 13, y: y + (h - LABEL_HEIGHT) / 2, r: 10, step: 0, maxChips: 1 },
  })
}

function cells(side: LineSide, spots: FeltSpot[], x: number, y: number, w: number, h: number, ink: Ink): void {
  divide(
    x,
    w,
    0,
    spots.map(() => 1),
  ).forEach((place, index) => {
    const spot = spots[index]
    if (spot) side.boxes.push(cell(spot, place.at, y, place.size, h, ink))
  })
}

/** Return a box with labels on the left and the chip on the right. */
function cell(spot: FeltSpot, x: number, y: number, w: number, h: number, ink: Ink): Box {
  const name = cellName(spot)
  const pays = payText(spot)
  const room = w - 25
  return box(spot, 'Numbers', x, y, w, h, {
    cloth: ink === 'dont' ? 'dont' : 'felt',
    edge: 'thin',
    labels: [
      label(x + 4, y + h / 2 - 3, name, fitFontSize(name, 10, room), ink === 'dont' ? 'dont' : 'ink', { bold: true }),
      label(x + 4, y + h / 2 + 11, pays, fitFontSize(pays, 10.5, room), ink, { bold: true }),
    ],
    zone: { x: x + w - 11, y: y + h / 2 + 1, r: 10, step: 0, maxChips: 1 },
  })
}
