// The line side of a felt: numbers, come, field, don't and line. Drawn wide for a table, narrow for a phone.

import type { FeltSpot, Sorted } from './spots'
import { isOdds, kindOf, payWords } from './spots'
import type { Box, Felt, Frame, Ink, Words } from './shapes'
import { fit, frame, share, widthOf, words } from './shapes'

const NAMES: Record<number, string> = { 6: 'SIX', 9: 'NINE' }
const SHORT: Record<string, string> = { place: 'PLACE', buy: 'BUY', lay: 'LAY', place_lose: 'LOSE', put: 'PUT' }

export interface Side {
  frames: Frame[]
  boxes: Box[]
  puck: Felt['puck']
  columns: Felt['columns']
  fire: Felt['fire']
  bonus: Felt['bonus']
}

export function emptySide(): Side {
  return { frames: [], boxes: [], puck: { on: {}, off: { x: 0, y: 0 }, r: 15 }, columns: {}, fire: [], bonus: [] }
}

/** What a row of the line side is called and how much of the height it takes. */
interface Row {
  what: 'bonus' | 'fire' | 'numbers' | 'come' | 'band' | 'dont' | 'line' | 'odds' | 'more'
  weight: number
}

export function rowsOf(sorted: Sorted): Row[] {
  const odds = sorted.get('pass_odds')
  const rows: Row[] = [
    { what: 'bonus', weight: sorted.bonus.length ? 0.086 : 0 },
    { what: 'fire', weight: sorted.fire.length ? 0.098 : 0 },
    { what: 'numbers', weight: sorted.above.length ? 0.448 : 0.4 },
    { what: 'come', weight: sorted.get('come') ? 0.1 : 0 },
    { what: 'band', weight: sorted.band.length ? 0.118 : 0 },
    { what: 'more', weight: sorted.more.length ? 0.1 : 0 },
    { what: 'dont', weight: sorted.get('dont_pass') ? 0.088 : 0 },
    { what: 'line', weight: odds ? 0.082 : 0.11 },
    { what: 'odds', weight: odds ? 0.078 : 0 },
  ]
  return rows.filter((row) => row.weight > 0)
}

export function wideSide(sorted: Sorted, left: number, top: number, w: number, h: number, bothArms: boolean): Side {
  const side = emptySide()
  const rows = rowsOf(sorted)
  const places = share(top, h, 4, rows.map((row) => row.weight))
  const at = new Map(rows.map((row, index) => [row.what, places[index] ?? { at: top, size: 0 }]))
  const arm = Math.round(w * (bothArms ? 0.052 : 0.066))
  const inner = { x: left + arm + 4, w: w - (arm + 4) * (bothArms ? 2 : 1) }
  for (const row of rows) {
    const { at: y, size } = at.get(row.what) ?? { at: 0, size: 0 }
    if (row.what === 'bonus') bonusRow(side, sorted.bonus, left, y, w, size)
    if (row.what === 'fire') fireRow(side, sorted.fire, sorted.numbers, left, y, w, size)
    if (row.what === 'numbers') numbersRow(side, sorted, inner.x, y, inner.w, size)
    if (row.what === 'come') comeBox(side, sorted, inner.x, y, inner.w, size)
    if (row.what === 'band') bandRow(side, sorted.band, inner.x, y, inner.w, size)
    if (row.what === 'more') plainRow(side, sorted.more, inner.x, y, inner.w, size)
    if (row.what === 'dont') dontBox(side, sorted, inner.x, y, inner.w, size)
  }
  const numbers = at.get('numbers')
  const line = at.get('line')
  if (numbers && line) lineBox(side, sorted, left, numbers.at, w, line.at, line.size, arm, bothArms)
  const odds = at.get('odds')
  if (odds) oddsBox(side, sorted, left + arm * 0.7, odds.at, w - arm * 0.7 * (bothArms ? 2 : 1), odds.size)
  return side
}

// ------------------------------------------------------------------------------------------------- numbers

function numbersRow(side: Side, sorted: Sorted, x: number, y: number, w: number, h: number): void {
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
export function numberColumn(side: Side, sorted: Sorted, number: number, x: number, y: number, w: number, h: number, narrow = false): void {
  side.columns[number] = frame(x, y, w, h, { edge: 'ink', round: 6 })
  const behind = sorted.get(`dont_come:${number}`)
  const parts = share(y, h, 0, [behind ? (narrow ? 0.15 : 0.13) : 0, sorted.above.length ? (narrow ? 0.29 : 0.265) : 0, narrow ? 0.27 : 0.335, sorted.below.length ? 0.275 : 0])
  const [strip, over, middle, under] = parts
  if (!strip || !over || !middle || !under) return
  if (behind) {
    const high = strip.size > 40
    side.boxes.push(box(behind, 'Numbers', x, strip.at, w, strip.size, {
      cloth: 'dont', edge: 'thin', words: sorted.above.length ? [] : [words(x + 8, strip.at + (high ? 15 : strip.size / 2 + 4), "DON'T", fit("DON'T", 10.5, w * 0.4), 'dont', { bold: true })],
      zone: { x: x + w * (sorted.above.length || high ? 0.3 : 0.6), y: strip.at + (high ? strip.size - 16 : strip.size / 2), r: narrow ? 9 : 11, step: 20, most: 2 },
    }))
  }
  side.puck.on[number] = { x: x + w - 17, y: strip.at + (strip.size || 26) / 2 }
  cells(side, sorted, sorted.above, number, x, over.at, w, over.size, 'dont', narrow)
  const come = sorted.get(`come:${number}`)
  const name = NAMES[number] ?? String(number)
  const size = fit(name, Math.min(31, middle.size * (narrow ? 0.66 : 0.52)), w * (narrow ? 0.46 : 0.86), true)
  const roomy = middle.size > 90
  if (come) {
    side.boxes.push(box(come, 'Numbers', x, middle.at, w, middle.size, {
      cloth: 'felt', edge: 'thin',
      words: [
        words(x + w * (narrow ? 0.63 : 0.5), middle.at + (roomy ? middle.size * 0.42 : narrow ? middle.size / 2 + size * 0.36 : size * 1.02), name, roomy && !narrow ? fit(name, 44, w * 0.9, true) : size, 'ink', { serif: true, bold: true, anchor: 'middle' }),
        ...(narrow ? [] : [words(x + w / 2, middle.at + middle.size - 7, 'COME', 10.5, 'soft', { anchor: 'middle', wide: 2.5, bold: true })]),
      ],
      zone: narrow
        ? { x: x + 15, y: middle.at + middle.size / 2, r: 12, step: 0, most: 1 }
        : { x: x + w * 0.3, y: middle.at + middle.size * (roomy ? 0.66 : 0.62), r: 13, step: 24, most: 2 },
    }))
  }
  cells(side, sorted, sorted.below, number, x, under.at, w, under.size, 'gold', narrow)
}

function cells(side: Side, sorted: Sorted, kinds: string[], number: number, x: number, y: number, w: number, h: number, ink: Ink, narrow: boolean): void {
  const found = kinds.flatMap((kind) => sorted.get(`${kind}:${number}`) ?? [])
  const places = share(x, w, 0, found.map(() => 1))
  found.forEach((spot, index) => {
    const cell = places[index]
    if (!cell) return
    const name = SHORT[spot.kind] ?? spot.name.replace(/ \d+$/, '').toUpperCase()
    const pays = payWords(spot)
    const middle = cell.at + cell.size / 2
    if (narrow) {
      side.boxes.push(narrowCell(spot, name, pays, cell.at, y, cell.size, h, ink))
      return
    }
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

/** A cell on a phone: words on the left, the chip on the right. */
function narrowCell(spot: FeltSpot, name: string, pays: string, x: number, y: number, w: number, h: number, ink: Ink): Box {
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

// ------------------------------------------------------------------------------------------------- rows

function comeBox(side: Side, sorted: Sorted, x: number, y: number, w: number, h: number): void {
  const come = sorted.get('come')
  if (!come) return
  const name = come.name.toUpperCase()
  const size = fit(name, Math.min(34, h * 0.66), w * 0.4, true, 9)
  const wide = widthOf(name, size, true, 9)
  side.boxes.push(box(come, 'Line', x, y, w, h, {
    cloth: 'felt-2', edge: 'ink', round: 6,
    words: [
      words(x + w * 0.42, y + h / 2 + size * 0.35, name, size, 'gold', { serif: true, bold: true, anchor: 'middle', wide: 9 }),
      words(x + w * 0.42 + wide / 2 + 24, y + h / 2 + 4, payWords(come), 12.5, 'ink', { bold: true }),
    ],
    zone: { x: x + 28, y: y + h / 2, r: 14, step: 30, most: 3 },
  }))
}

const BAND: Record<string, number> = { field: 0.6, big6: 0.13, big8: 0.13, six_seven_eight: 0.235 }

function bandRow(side: Side, spots: FeltSpot[], x: number, y: number, w: number, h: number): void {
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

function plainRow(side: Side, spots: FeltSpot[], x: number, y: number, w: number, h: number): void {
  share(x, w, 4, spots.map(() => 1)).forEach((place, index) => {
    const spot = spots[index]
    if (spot) side.boxes.push(listBox(spot, place.at, y, place.size, h))
  })
}

function dontBox(side: Side, sorted: Sorted, x: number, y: number, w: number, h: number): void {
  const spot = sorted.get('dont_pass')
  if (!spot) return
  side.boxes.push(dont(spot, x, y, w, h))
  if (!sorted.get('dont_come')) side.puck.off = { x: x + w - 26, y: y + h / 2 }
}

/** Name, what it pays, the bar, and room for chips with their odds beside. */
export function dont(spot: FeltSpot, x: number, y: number, w: number, h: number): Box {
  const name = spot.name.toUpperCase()
  const size = fit(name, Math.min(21, h * 0.48), w * (w < 400 ? 0.3 : 0.4), true, 1.5)
  const gap = w < 400 ? 9 : 14
  const after = x + 16 + widthOf(name, size, true, 1.5) + gap
  const pays = payWords(spot)
  const bar = after + widthOf(pays, 12) + gap
  return box(spot, 'Line', x, y, w, h, {
    cloth: 'dont', edge: 'dont', round: 6,
    words: [
      words(x + 16, y + h / 2 + size * 0.35, name, size, 'dont', { serif: true, bold: true, wide: 1.5 }),
      words(after, y + h / 2 + 4.5, pays, 12, 'dont', { bold: true }),
      ...barWords(spot, bar, y + h / 2 + 4.5, 'start'),
    ],
    pips: barDice(spot, bar + 58, y + h / 2, 16),
    zone: { x: w < 400 ? x + w - 68 : x + w * 0.68, y: y + h / 2, r: Math.min(14, h / 2 - 3), step: 50, most: w < 400 ? 2 : 3 },
  })
}

function barWords(spot: FeltSpot, x: number, y: number, anchor: 'start' | 'middle'): Words[] {
  return spot.bar.length ? [words(x, y, 'BAR', 11, 'dont', { bold: true, wide: 1, anchor })] : []
}

function barDice(spot: FeltSpot, x: number, y: number, size: number): Box['pips'] {
  return spot.bar.slice(0, 1).map((dice) => ({ x, y, size, dice }))
}

function lineBox(side: Side, sorted: Sorted, x: number, top: number, w: number, y: number, h: number, arm: number, bothArms: boolean): void {
  const spot = sorted.get('pass')
  if (!spot) return
  const name = spot.name.toUpperCase().includes('LINE') ? spot.name.toUpperCase() : `${spot.name.toUpperCase()} LINE`
  const size = fit(name, Math.min(bothArms ? 34 : 24, h * 0.55), w * 0.45, true, 2.5)
  const armSize = Math.min(20, arm * 0.5)
  const right = x + w
  const bottom = y + h
  const r = Math.min(34, arm)
  const outline = bothArms
    ? `M${x + 4},${top} H${x + arm - 4} Q${x + arm},${top} ${x + arm},${top + 4} V${y - 16} Q${x + arm},${y} ${x + arm + 16},${y} H${right - arm - 16} Q${right - arm},${y} ${right - arm},${y - 16} V${top + 4} Q${right - arm},${top} ${right - arm + 4},${top} H${right - 4} Q${right},${top} ${right},${top + 4} V${bottom - r} Q${right},${bottom} ${right - r},${bottom} H${x + r} Q${x},${bottom} ${x},${bottom - r} V${top + 4} Q${x},${top} ${x + 4},${top} Z`
    : `M${x + 4},${top} H${x + arm - 4} Q${x + arm},${top} ${x + arm},${top + 4} V${y - 16} Q${x + arm},${y} ${x + arm + 16},${y} H${right - 6} Q${right},${y} ${right},${y + 6} V${bottom - 6} Q${right},${bottom} ${right - 6},${bottom} H${x + r} Q${x},${bottom} ${x},${bottom - r} V${top + 4} Q${x},${top} ${x + 4},${top} Z`
  const mid = top + (y - top) / 2
  const turned = [words(x + arm / 2 + armSize * 0.35, mid, name, fit(name, armSize, (y - top) * 0.8, true, 5), 'ink', { serif: true, bold: true, anchor: 'middle', wide: 5, turn: -90 })]
  if (bothArms) turned.push(words(right - arm / 2 - armSize * 0.35, mid, name, fit(name, armSize, (y - top) * 0.8, true, 5), 'ink', { serif: true, bold: true, anchor: 'middle', wide: 5, turn: 90 }))
  const start = x + arm + 24
  side.boxes.push(box(spot, 'Line', x, y, w, h, {
    cloth: 'felt-2', edge: 'ink', path: outline,
    words: [
      ...turned,
      words(start, y + h / 2 + size * 0.35, name, size, 'ink', { serif: true, bold: true, wide: 2.5 }),
      words(start + widthOf(name, size, true, 2.5) + 24, y + h / 2 + 4.5, payWords(spot), 12.5, 'gold', { bold: true }),
    ],
    zone: { x: x + w * 0.6, y: y + h / 2, r: Math.min(14, h / 2 - 3), step: 34, most: 4 },
  }))
}

function oddsBox(side: Side, sorted: Sorted, x: number, y: number, w: number, h: number): void {
  const spot = sorted.get('pass_odds')
  if (spot) side.boxes.push(apron(spot, x, y, w, h, w * 0.6))
}

/** Odds behind the line: what each number pays. */
export function apron(spot: FeltSpot, x: number, y: number, w: number, h: number, chips: number): Box {
  const name = (/^behind/i.test(spot.name) ? spot.name : 'Odds behind').toUpperCase()
  const size = fit(name, 13, w * (w < 330 ? 0.62 : 0.35))
  const groups = new Map<string, string[]>()
  for (const [number, pays] of spot.pays) groups.set(pays, [...(groups.get(pays) ?? []), number])
  const rates = [...groups].map(([pays, numbers]) => `${numbers.join(', ')}: ${pays}`).join(' · ')
  const tall = h > 48 || w < 330
  const shown = w < 330 ? [...groups.keys()].join(' · ') : rates
  const room = chips - 28 - (tall ? 0 : widthOf(name, size) + 16)
  return box(spot, 'Line', x, y, w, h, {
    cloth: 'none', edge: 'ink', dashed: true, round: 8,
    words: tall
      ? [words(x + 14, y + h / 2 - 3, name, size, 'ink', { bold: true }), words(x + 14, y + h / 2 + 14, shown, fit(shown, 12, room), 'gold', { bold: true })]
      : [words(x + 14, y + h / 2 + 4.5, name, size, 'ink', { bold: true }), words(x + 14 + widthOf(name, size) + 14, y + h / 2 + 4.5, shown, fit(shown, 11.5, room), 'gold', { bold: true })],
    zone: { x: x + chips, y: y + h / 2, r: Math.min(14, h / 2 - 3), step: 34, most: 4 },
  })
}

// ------------------------------------------------------------------------------------------------- fire, bonus

export function fireRow(side: Side, spots: FeltSpot[], numbers: number[], x: number, y: number, w: number, h: number): void {
  const [spot] = spots
  if (!spot) return
  const name = spot.name.toUpperCase()
  const left = x + 26 + widthOf(name, 18, true, 1.5) + 74
  const slots = share(left, x + w - 10 - left, 0, numbers.map(() => 1))
  numbers.forEach((number, index) => {
    const slot = slots[index]
    if (slot) side.fire.push({ number, x: slot.at + slot.size / 2, y: y + h * 0.38, r: Math.min(14, h * 0.3) })
  })
  const rates = spot.pays.map(([what, pays]) => `${what} ${pays}`)
  const from = w < 500 ? x + 4 : left
  const columns = share(from, x + w - 4 - from, 0, rates.map(() => 1))
  side.boxes.push(box(spot, 'Fire', x, y, w, h, {
    cloth: 'fire', edge: 'fire', round: 6,
    words: [
      words(x + 14, y + h * (w < 500 ? 0.44 : 0.5) + 2, name, 18, 'ink', { serif: true, bold: true, wide: 1.5 }),
      ...rates.map((line, index) => words((columns[index]?.at ?? 0) + (columns[index]?.size ?? 0) / 2, y + h - 5, line, fit(line, 11, columns[index]?.size ?? 60), 'ink', { anchor: 'middle', bold: true })),
    ],
    zone: { x: x + 26 + widthOf(name, 18, true, 1.5) + 16, y: y + h * (w < 500 ? 0.4 : 0.5), r: 13, step: 24, most: 2 },
  }))
}

export function bonusRow(side: Side, spots: FeltSpot[], x: number, y: number, w: number, h: number): void {
  const weights = spots.map((spot) => (spot.kind === 'all' ? 0.9 : 1.25))
  const order = (spot: FeltSpot) => (spot.kind === 'small' ? 0 : spot.kind === 'all' ? 1 : 2)
  const sorted = spots.map((spot, index) => ({ spot, weight: weights[index] ?? 1 })).sort((a, b) => order(a.spot) - order(b.spot))
  share(x, w, 4, sorted.map(({ weight }) => weight)).forEach((place, index) => {
    const spot = sorted[index]?.spot
    if (!spot) return
    const name = (spot.kind === 'all' ? 'All' : spot.name.replace(/^All /, '')).toUpperCase()
    const numbers = spot.kind === 'small' ? [2, 3, 4, 5, 6] : spot.kind === 'tall' ? [8, 9, 10, 11, 12] : []
    const said = Math.max(widthOf(name, 14, true, 1), widthOf(payWords(spot), 11))
    const left = place.at + 12 + said + 34
    share(left, place.at + place.size - 6 - left, 0, numbers.map(() => 1)).forEach((slot, at) => {
      side.bonus.push({ number: numbers[at] ?? 0, x: slot.at + slot.size / 2, y: y + h / 2, r: Math.min(11, slot.size / 2 - 1) })
    })
    side.boxes.push(box(spot, 'Bonus', place.at, y, place.size, h, {
      cloth: 'bonus', edge: 'bonus', round: 6,
      words: [
        words(place.at + 10, y + h / 2 - 2, name, 14, 'ink', { serif: true, bold: true, wide: 1 }),
        words(place.at + 10, y + h / 2 + 13, payWords(spot), 11, 'gold', { bold: true }),
      ],
      zone: { x: place.at + 12 + said + 16, y: y + h / 2, r: 12, step: numbers.length ? 0 : 26, most: numbers.length ? 1 : 3 },
    }))
  })
}

// ------------------------------------------------------------------------------------------------- small print

export function box(spot: FeltSpot, group: string, x: number, y: number, w: number, h: number, more: Partial<Box> & Pick<Box, 'zone'>): Box {
  return { ...frame(x, y, w, h), spot: spot.spot, group, ...more }
}

/** Odds that have no box of their own stand beside the wager they are behind. */
export function isBeside(spot: { spot: string }, boxes: Box[]): boolean {
  return isOdds(spot) && !boxes.some((one) => one.spot === kindOf(spot.spot))
}
