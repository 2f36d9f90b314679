// Felts of every shape, from what the server says the layout is.

import type { Spot } from '../lib/types'
import { centre, hasCentre } from './centre'
import { fieldBox, listBox } from './field'
import { bonusRow, fireRow } from './hand'
import { apron, dont } from './line'
import type { Felt } from './shapes'
import { box, fit, share, widthOf, words } from './shapes'
import { emptySide } from './side'
import { smallColumn, smallHeight } from './small'
import type { Side } from './side'
import { payWords, sort } from './spots'
import type { FeltSpot, Sorted } from './spots'
import { wideSide } from './wide'

export const WIDE = { width: 1000, least: 532, most: 660 }

/** A whole table, as high as there is room: line side and centre, or the line alone with a tray where there is no centre. */
export function wide(spots: Spot[], room = WIDE.least): Felt {
  const sorted = sort(spots)
  const { width } = WIDE
  const height = Math.min(WIDE.most, Math.max(WIDE.least, Math.round(room)))
  if (!hasCentre(sorted)) {
    const tray = { x: 58, y: 4, w: width - 116, h: 96 }
    const side = wideSide(sorted, 4, 106, width - 8, height - 110, true)
    return { width, height, ...side, tray }
  }
  const left = width * 0.652
  const right = left + width * 0.014
  const side = wideSide(sorted, 4, 4, left - 4, height - 8, false)
  const tray = { x: right, y: 4, w: width - right - 4, h: 88 }
  const middle = centre(sorted, right, 98, width - right - 4, height - 102, false)
  return { width, height, ...side, frames: [...side.frames, ...middle.frames], boxes: [...side.boxes, ...middle.boxes], tray }
}

export const NARROW = { width: 390, most: 640, spare: 60 }

/** The line side for a phone held upright; fire, bonus and the centre are in drawers. Numbers fill room that is left. */
export function narrow(spots: Spot[], room = 0): Felt {
  const sorted = sort(spots)
  const felt = column(sorted, smallHeight(sorted))
  const spare = Math.min(NARROW.spare, Math.floor((room - felt.height) / 2))
  return spare > 0 ? column(sorted, smallHeight(sorted) + spare) : felt
}

function column(sorted: Sorted, tall: number): Felt {
  const { width } = NARROW
  const side = emptySide()
  let y = 4
  const half = Math.ceil(sorted.numbers.length / 2)
  for (const row of [sorted.numbers.slice(0, half), sorted.numbers.slice(half)]) {
    if (!row.length) continue
    share(4, width - 8, 4, row.map(() => 1)).forEach((place, index) => {
      const number = row[index]
      if (number !== undefined) smallColumn(side, sorted, number, place.at, y, place.size, tall)
    })
    y += tall + 4
  }
  y = comeRow(side, sorted, y, width)
  y = bandRow(side, sorted, y, width)
  const not = sorted.get('dont_pass')
  if (not) {
    side.boxes.push(dont(not, 4, y, width - 8, 44))
    if (!sorted.get('dont_come')) side.puck.off = { x: width - 30, y: y + 23 }
    y += 48
  }
  y = lineRow(side, sorted, y, width)
  side.puck.r = 11
  return { width, height: y, ...side, tray: null }
}

function comeRow(side: Side, sorted: Sorted, y: number, width: number): number {
  const come = sorted.get('come')
  const not = sorted.get('dont_come')
  const h = 48
  const w = not ? (width - 12) * 0.36 : 0
  if (not) {
    const name = not.name.toUpperCase()
    side.boxes.push(box(not, 'Line', 4, y, w, h, {
      cloth: 'dont', edge: 'dont', round: 6,
      words: [
        words(14, y + 20, name, fit(name, 13, w - 22, true), 'dont', { serif: true, bold: true }),
        ...(not.bar.length ? [words(14, y + 40, 'BAR', 11, 'dont', { bold: true })] : []),
      ],
      pips: not.bar.slice(0, 1).map((dice) => ({ x: 62, y: y + 36, size: 14, dice })),
      zone: { x: w - 14, y: y + 34, r: 13, step: -22, most: 2 },
    }))
    side.puck.off = { x: w - 42, y: y + 34 }
  }
  if (come) {
    const x = not ? w + 8 : 4
    const name = come.name.toUpperCase()
    const size = fit(name, 28, (width - x) * 0.5, true, 5)
    side.boxes.push(box(come, 'Line', x, y, width - 4 - x, h, {
      cloth: 'felt-2', edge: 'ink', round: 6,
      words: [
        words(x + 18, y + h / 2 + size * 0.35, name, size, 'gold', { serif: true, bold: true, wide: 5 }),
        words(x + 18 + widthOf(name, size, true, 5) + 14, y + h / 2 + 4, payWords(come), 12, 'ink', { bold: true }),
      ],
      zone: { x: width - 28, y: y + h / 2, r: 14, step: -28, most: 2 },
    }))
  }
  return come || not ? y + h + 4 : y
}

function bandRow(side: Side, sorted: Sorted, y: number, width: number): number {
  const field = sorted.band.find((spot) => spot.kind === 'field')
  const others: FeltSpot[] = [...sorted.band.filter((spot) => spot.kind !== 'field'), ...sorted.more]
  if (field) {
    side.boxes.push(fieldBox(field, 4, y, others.length === 1 ? 264 : width - 8, 54))
    if (others.length === 1 && others[0]) side.boxes.push(listBox(others[0], 272, y, width - 276, 54))
    y += 58
  }
  if (others.length > 1 || (!field && others.length)) {
    share(4, width - 8, 4, others.map(() => 1)).forEach((place, index) => {
      const spot = others[index]
      if (spot) side.boxes.push(listBox(spot, place.at, y, place.size, 50))
    })
    y += 54
  }
  return y
}

function lineRow(side: Side, sorted: Sorted, y: number, width: number): number {
  const line = sorted.get('pass')
  const odds = sorted.get('pass_odds')
  if (!line) return y
  const h = 50
  const w = odds ? (width - 12) * 0.56 : width - 8
  const name = line.name.toUpperCase().includes('LINE') ? line.name.toUpperCase() : `${line.name.toUpperCase()} LINE`
  const size = fit(name, 18, w * 0.56, true, 1.5)
  side.boxes.push(box(line, 'Line', 4, y, w, h, {
    cloth: 'felt-2', edge: 'ink', round: 10,
    words: [
      words(18, y + h / 2 + size * 0.35 - (odds ? 6 : 0), name, size, 'ink', { serif: true, bold: true, wide: 1.5 }),
      words(odds ? 18 : 30 + widthOf(name, size, true, 1.5), y + h / 2 + (odds ? 18 : 4), payWords(line), 12, 'gold', { bold: true }),
    ],
    zone: { x: w - 20, y: y + h / 2, r: 15, step: -28, most: 3 },
  }))
  if (odds) side.boxes.push(apron(odds, w + 8, y, width - w - 12, h, width - w - 34))
  return y + h + 4
}

/** What is in a drawer of a phone. */
export function drawer(spots: Spot[], what: string): Felt {
  const sorted = sort(spots)
  const width = 390
  const side = emptySide()
  const keep = (list: FeltSpot[], here: boolean) => (here ? list : [])
  if (what === 'Fire' || what === 'Bonus') {
    let y = 4
    if (what === 'Fire') fireRow(side, sorted.fire, 4, y, width - 8, 64)
    else {
      for (const spot of sorted.bonus) {
        bonusRow(side, [spot], sorted.bonus, 4, y, width - 8, 52)
        y += 56
      }
    }
    return { width, height: what === 'Fire' ? 72 : y + 4, ...side, tray: null }
  }
  const only: Sorted = {
    ...sorted,
    hard: keep(sorted.hard, what === 'Hard ways'),
    single: keep(sorted.single, what === 'One roll'),
    mixed: keep(sorted.mixed, what === 'One roll'),
    horn: keep(sorted.horn, what === 'One roll'),
    hops: keep(sorted.hops, what === 'Hops'),
  }
  const height = what === 'Hops' ? 212 : what === 'Hard ways' ? 88 : 70 * [only.single, only.mixed, only.horn].filter((one) => one.length).length + 22
  const found = centre(only, 4, 4, width - 8, height - 8, true)
  return { width, height, ...side, frames: found.frames, boxes: found.boxes, tray: null }
}

/** The drawers that a phone needs for a layout. */
export function drawers(spots: Spot[]): string[] {
  const sorted = sort(spots)
  const there: [string, boolean][] = [
    ['Hard ways', sorted.hard.length > 0],
    ['One roll', sorted.single.length + sorted.mixed.length + sorted.horn.length > 0],
    ['Hops', sorted.hops.length > 0],
    ['Fire', sorted.fire.length > 0],
    ['Bonus', sorted.bonus.length > 0],
  ]
  return there.filter(([, is]) => is).map(([name]) => name)
}

