// The field and what lies beside it: big 6 and 8, and boxes that list what they pay.

import type { Side } from './side'
import type { Box } from './shapes'
import { box, fit, share, widthOf, words } from './shapes'
import type { FeltSpot } from './spots'
import { payWords } from './spots'

const BAND: Record<string, number> = { field: 0.6, big6: 0.13, big8: 0.13, six_seven_eight: 0.235 }

export function bandRow(side: Side, spots: FeltSpot[], x: number, y: number, w: number, h: number): void {
  const order = (spot: FeltSpot) => (spot.spot === 'big6' ? 0 : spot.spot === 'field' ? 1 : 2)
  const sorted = [...spots].sort((a, b) => order(a) - order(b))
  const fixed = sorted.filter((s) => s.kind !== 'field').reduce((sum, s) => sum + (BAND[s.kind] ?? 0.2), 0)
  const places = share(x, w, 4, sorted.map((s) => (s.kind === 'field' ? Math.max(0.3, 1 - fixed) : (BAND[s.kind] ?? 0.2))))
  sorted.forEach((spot, index) => {
    const place = places[index]
    if (!place) return
    if (spot.kind === 'field') side.boxes.push(fieldBox(spot, place.at, y, place.size, h))
    else if (/^big\d/.test(spot.kind)) side.boxes.push(bigBox(spot, place.at, y, place.size, h))
    else side.boxes.push(listBox(spot, place.at, y, place.size, h))
  })
}

/** Numbers in a row, those that pay more in a ring with what they pay below. */
export function fieldBox(spot: FeltSpot, x: number, y: number, w: number, h: number): Box {
  const plain = spot.pays[0]?.[1] ?? ''
  const numbers = spot.pays
    .flatMap(([what, pays]) => what.split(', ').map((number) => ({ number: Number(number), pays })))
    .sort((a, b) => a.number - b.number)
  const name = spot.name.toUpperCase()
  const narrow = w < 400
  const size = fit(name, narrow ? 15 : 22, w * 0.26, true, narrow ? 0.5 : 1.5)
  const left = x + 12 + widthOf(name, size, true, narrow ? 0.5 : 1.5) + (narrow ? 2 : 12)
  const room = x + w - (narrow ? 34 : 92) - left
  const numeral = w < 330 ? 12.5 : narrow ? 17 : 19
  const places = share(left, room, 0, numbers.map(({ pays }) => (pays === plain ? 1 : 1.5)))
  const found = box(spot, 'Field', x, y, w, h, {
    cloth: 'felt', edge: 'ink', round: 6,
    words: [
      words(x + 12, y + h / 2 - 1, name, size, 'ink', { serif: true, bold: true, wide: narrow ? 0.5 : 1.5 }),
      words(x + 12, y + h / 2 + 16, plain, 12, 'gold', { bold: true }),
    ],
    zone: { x: x + w - (narrow ? 18 : 72), y: y + h / 2 - (narrow ? 6 : 0), r: narrow ? 13 : 14, step: narrow ? 0 : 30, most: narrow ? 1 : 3 },
  })
  numbers.forEach(({ number, pays }, index) => {
    const place = places[index]
    if (!place) return
    const middle = place.at + place.size / 2
    const special = pays !== plain
    found.words.push(words(middle, y + h / 2 + (special ? 1 : 6), String(number), numeral, special ? 'gold' : 'ink', { serif: true, bold: true, anchor: 'middle' }))
    if (special) {
      found.rings.push({ x: middle, y: y + h / 2 - 5, r: w < 330 ? 11 : 14 })
      found.words.push(words(middle, y + h / 2 + 22, pays, fit(pays, 10.5, place.size + 14), 'gold', { bold: true, anchor: 'middle' }))
    }
  })
  return found
}

function bigBox(spot: FeltSpot, x: number, y: number, w: number, h: number): Box {
  const number = spot.kind.replace('big', '')
  return box(spot, 'Field', x, y, w, h, {
    cloth: 'felt', edge: 'gold', round: 6,
    words: [
      words(x + 8, y + 17, 'BIG', 12, 'gold', { bold: true, wide: 1 }),
      words(x + 8, y + 31, payWords(spot), fit(payWords(spot), 10.5, w * 0.5), 'ink', { bold: true }),
      words(x + w - 8, y + 12 + Math.min(32, h * 0.55) * 0.72, number, Math.min(32, h * 0.55), 'gold', { serif: true, bold: true, anchor: 'end' }),
    ],
    zone: { x: x + 19, y: y + h - 16, r: 11, step: 18, most: 2 },
  })
}

/** A box that lists what it pays, line by line. */
export function listBox(spot: FeltSpot, x: number, y: number, w: number, h: number): Box {
  const name = spot.name.replaceAll('-', ' · ')
  const lines = spot.pays.map(([what, pays]) => (spot.pays.length > 1 && what ? `${shortly(what)} ${pays}` : pays))
  const shown = lines.slice(0, h < 52 ? 1 : 2)
  const size = fit(name, 18, w - 44, true)
  return box(spot, 'Field', x, y, w, h, {
    cloth: 'felt', edge: 'ink', round: 6,
    words: [
      words(x + 10, y + 6 + size * 0.85, name, size, 'ink', { serif: true, bold: true }),
      ...shown.map((line, index) => words(x + 10, y + 8 + size + 12 + index * 13, line, fit(line, 11, w - 16), index ? 'ink' : 'gold', { bold: true })),
    ],
    zone: w < 130 ? { x: x + w - 14, y: y + 15, r: 11, step: 0, most: 1 } : { x: x + w - 20, y: y + 20, r: 13, step: -26, most: 2 },
  })
}

/** "3-3, 4-4" is "pairs"; a long list of throws is "others". */
function shortly(what: string): string {
  const parts = what.split(', ')
  if (parts.length < 2 || !parts.every((part) => /^\d-\d$/.test(part))) return what
  return parts.every((part) => part[0] === part[2]) ? 'pairs' : 'others'
}

export function plainRow(side: Side, spots: FeltSpot[], x: number, y: number, w: number, h: number): void {
  share(x, w, 4, spots.map(() => 1)).forEach((place, index) => {
    const spot = spots[index]
    if (spot) side.boxes.push(listBox(spot, place.at, y, place.size, h))
  })
}
