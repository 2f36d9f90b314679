// The field and the boxes beside it: big 6 and 8, and boxes that list their payouts.

import type { LineSide } from './lineSide'
import { box, divide, fitFontSize, label, textWidth } from './shapes'
import type { Box } from './shapes'
import { payText } from './spotGroups'
import type { FeltSpot } from './spotGroups'

const BAND_WEIGHTS: Record<string, number> = { field: 0.6, big6: 0.13, big8: 0.13, six_seven_eight: 0.235 }

export function addFieldRow(side: LineSide, spots: FeltSpot[], x: number, y: number, w: number, h: number): void {
  const order = (spot: FeltSpot) => (spot.spot === 'big6' ? 0 : spot.spot === 'field' ? 1 : 2)
  const sorted = [...spots].sort((a, b) => order(a) - order(b))
  const fixed = sorted.filter((s) => s.kind !== 'field').reduce((sum, s) => sum + (BAND_WEIGHTS[s.kind] ?? 0.2), 0)
  const places = divide(
    x,
    w,
    4,
    sorted.map((s) => (s.kind === 'field' ? Math.max(0.3, 1 - fixed) : (BAND_WEIGHTS[s.kind] ?? 0.2))),
  )
  sorted.forEach((spot, index) => {
    const place = places[index]
    if (!place) return
    if (spot.kind === 'field') side.boxes.push(fieldBox(spot, place.at, y, place.size, h))
    else if (/^big\d/.test(spot.kind)) side.boxes.push(bigBox(spot, place.at, y, place.size, h))
    else side.boxes.push(listBox(spot, place.at, y, place.size, h))
  })
}

/** Return the field box: the numbers in a row. Those with a higher payout have a ring and show it below. */
export function fieldBox(spot: FeltSpot, x: number, y: number, w: number, h: number): Box {
  const plain = spot.pays[0]?.[1] ?? ''
  const numbers = spot.pays
    .flatMap(([condition, pays]) => condition.split(', ').map((number) => ({ number: Number(number), pays })))
    .sort((a, b) => a.number - b.number)
  const name = spot.name.toUpperCase()
  const isNarrow = w < 400
  const size = fitFontSize(name, isNarrow ? 15 : 22, w * 0.26, true, isNarrow ? 0.5 : 1.5)
  const left = x + 12 + textWidth(name, size, true, isNarrow ? 0.5 : 1.5) + (isNarrow ? 2 : 12)
  const room = x + w - (isNarrow ? 34 : 92) - left
  const numeral = w < 330 ? 12.5 : isNarrow ? 17 : 19
  const places = divide(
    left,
    room,
    0,
    numbers.map(({ pays }) => (pays === plain ? 1 : 1.5)),
  )
  const result = box(spot, 'Field', x, y, w, h, {
    cloth: 'felt',
    edge: 'ink',
    round: 6,
    labels: [
      label(x + 12, y + h / 2 - 1, name, size, 'ink', { serif: true, bold: true, letterSpacing: isNarrow ? 0.5 : 1.5 }),
      label(x + 12, y + h / 2 + 16, plain, 12, 'gold', { bold: true }),
    ],
    zone: {
      x: x + w - (isNarrow ? 18 : 72),
      y: y + h / 2 - (isNarrow ? 6 : 0),
      r: isNarrow ? 13 : 14,
      step: isNarrow ? 0 : 30,
      maxChips: isNarrow ? 1 : 3,
    },
  })
  numbers.forEach(({ number, pays }, index) => {
    const place = places[index]
    if (!place) return
    const middle = place.at + place.size / 2
    const paysMore = pays !== plain
    result.labels.push(
      label(middle, y + h / 2 + (paysMore ? 1 : 6), String(number), numeral, paysMore ? 'gold' : 'ink', {
        serif: true,
        bold: true,
        anchor: 'middle',
      }),
    )
    if (paysMore) {
      result.rings.push({ x: middle, y: y + h / 2 - 5, r: w < 330 ? 11 : 14 })
      result.labels.push(
        label(middle, y + h / 2 + 22, pays, fitFontSize(pays, 10.5, place.size + 14), 'gold', {
          bold: true,
          anchor: 'middle',
        }),
      )
    }
  })
  return result
}

function bigBox(spot: FeltSpot, x: number, y: number, w: number, h: number): Box {
  const number = spot.kind.replace('big', '')
  return box(spot, 'Field', x, y, w, h, {
    cloth: 'felt',
    edge: 'gold',
    round: 6,
    labels: [
      label(x + 8, y + 17, 'BIG', 12, 'gold', { bold: true, letterSpacing: 1 }),
      label(x + 8, y + 31, payText(spot), fitFontSize(payText(spot), 10.5, w * 0.5), 'ink', { bold: true }),
      label(x + w - 8, y + 12 + Math.min(32, h * 0.55) * 0.72, number, Math.min(32, h * 0.55), 'gold', {
        serif: true,
        bold: true,
        anchor: 'end',
      }),
    ],
    zone: { x: x + 19, y: y + h - 16, r: 11, step: 18, maxChips: 2 },
  })
}

/** Return a box that lists its payouts, one per line. */
export function listBox(spot: FeltSpot, x: number, y: number, w: number, h: number): Box {
  const name = spot.name.replaceAll('-', ' · ')
  const lines = spot.pays.map(([condition, pays]) =>
    spot.pays.length > 1 && condition ? `${shortRolls(condition)} ${pays}` : pays,
  )
  const shown = lines.slice(0, h < 52 ? 1 : 2)
  const size = fitFontSize(name, 18, w - 44, true)
  return box(spot, 'Field', x, y, w, h, {
    cloth: 'felt',
    edge: 'ink',
    round: 6,
    labels: [
      label(x + 10, y + 6 + size * 0.85, name, size, 'ink', { serif: true, bold: true }),
      ...shown.map((line, index) =>
        label(x + 10, y + 8 + size + 12 + index * 13, line, fitFontSize(line, 11, w - 16), index ? 'ink' : 'gold', {
          bold: true,
        }),
      ),
    ],
    zone:
      w < 130
        ? { x: x + w - 14, y: y + 15, r: 11, step: 0, maxChips: 1 }
        : { x: x + w - 20, y: y + 20, r: 13, step: -26, maxChips: 2 },
  })
}

/** Shorten a list of rolls: "3-3, 4-4" becomes "pairs", any other long list "others". */
function shortRolls(condition: string): string {
  const parts = condition.split(', ')
  if (parts.length < 2 || !parts.every((part) => /^\d-\d$/.test(part))) return condition
  return parts.every((part) => part[0] === part[2]) ? 'pairs' : 'others'
}

export function addListRow(side: LineSide, spots: FeltSpot[], x: number, y: number, w: number, h: number): void {
  divide(
    x,
    w,
    4,
    spots.map(() => 1),
  ).forEach((place, index) => {
    const spot = spots[index]
    if (spot) side.boxes.push(listBox(spot, place.at, y, place.size, h))
  })
}
