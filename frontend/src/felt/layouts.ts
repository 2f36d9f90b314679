// The felts for desktop and phone, laid out from the spots that the server sends.

import type { Spot } from '../lib/serverTypes'
import { centerBoxes, hasCenter } from './centerBoxes'
import { desktopLineSide } from './desktopLineSide'
import { fieldBox, listBox } from './fieldBoxes'
import { addBonusRow, addFireRow } from './fireAndBonusBoxes'
import { dontPassBox, passOddsBox } from './lineBoxes'
import { emptyLineSide } from './lineSide'
import type { LineSide } from './lineSide'
import { phoneColumnHeight, phoneNumberColumn } from './phoneNumberBoxes'
import { box, divide, fitFontSize, label, textWidth } from './shapes'
import type { FeltLayout } from './shapes'
import { groupSpots, payText } from './spotGroups'
import type { FeltSpot, SpotGroups } from './spotGroups'

export const DESKTOP = { width: 1000, minHeight: 532, maxHeight: 660 }

/** Return a whole table that fills the available height: line side and center, or only the line side with a tray. */
export function desktopLayout(spots: Spot[], availableHeight = DESKTOP.minHeight): FeltLayout {
  const groups = groupSpots(spots)
  const { width } = DESKTOP
  const height = Math.min(DESKTOP.maxHeight, Math.max(DESKTOP.minHeight, Math.round(availableHeight)))
  if (!hasCenter(groups)) {
    const tray = { x: 58, y: 4, w: width - 116, h: 96 }
    const side = desktopLineSide(groups, 4, 106, width - 8, height - 110, true)
    return { width, height, ...side, tray }
  }
  const left = width * 0.652
  const right = left + width * 0.014
  const side = desktopLineSide(groups, 4, 4, left - 4, height - 8, false)
  const tray = { x: right, y: 4, w: width - right - 4, h: 88 }
  const middle = centerBoxes(groups, right, 98, width - right - 4, height - 102, false)
  return {
    width,
    height,
    ...side,
    frames: [...side.frames, ...middle.frames],
    boxes: [...side.boxes, ...middle.boxes],
    tray,
  }
}

export const PHONE = { width: 390, maxWidth: 640, maxExtra: 60 }

/** Return the line side for a phone in portrait. Fire, bonus and center bets are in drawers. Numbers grow to fill the height. */
export function phoneLayout(spots: Spot[], availableHeight = 0): FeltLayout {
  const groups = groupSpots(spots)
  const felt = phoneColumn(groups, phoneColumnHeight(groups))
  const extra = Math.min(PHONE.maxExtra, Math.floor((availableHeight - felt.height) / 2))
  return extra > 0 ? phoneColumn(groups, phoneColumnHeight(groups) + extra) : felt
}

function phoneColumn(groups: SpotGroups, numberHeight: number): FeltLayout {
  const { width } = PHONE
  const side = emptyLineSide()
  let y = 4
  const half = Math.ceil(groups.numbers.length / 2)
  for (const row of [groups.numbers.slice(0, half), groups.numbers.slice(half)]) {
    if (!row.length) continue
    divide(
      4,
      width - 8,
      4,
      row.map(() => 1),
    ).forEach((place, index) => {
      const number = row[index]
      if (number !== undefined) phoneNumberColumn(side, groups, number, place.at, y, place.size, numberHeight)
    })
    y += numberHeight + 4
  }
  y = comeRow(side, groups, y, width)
  y = fieldRow(side, groups, y, width)
  const dontPass = groups.get('dont_pass')
  if (dontPass) {
    side.boxes.push(dontPassBox(dontPass, 4, y, width - 8, 44))
    if (!groups.get('dont_come')) side.puck.off = { x: width - 30, y: y + 23 }
    y += 48
  }
  y = lineRow(side, groups, y, width)
  side.puck.r = 11
  return { width, height: y, ...side, tray: null }
}

function comeRow(side: LineSide, groups: SpotGroups, y: number, width: number): number {
  const come = groups.get('come')
  const dontCome = groups.get('dont_come')
  const h = 48
  const w = dontCome ? (width - 12) * 0.36 : 0
  if (dontCome) {
    const name = dontCome.name.toUpperCase()
    side.boxes.push(
      box(dontCome, 'Line', 4, y, w, h, {
        cloth: 'dont',
        edge: 'dont',
        round: 6,
        labels: [
          label(14, y + 20, name, fitFontSize(name, 13, w - 22, true), 'dont', { serif: true, bold: true }),
          ...(dontCome.barred_dice.length ? [label(14, y + 40, 'BAR', 11, 'dont', { bold: true })] : []),
        ],
        pips: dontCome.barred_dice.slice(0, 1).map((dice) => ({ x: 62, y: y + 36, size: 14, dice })),
        zone: { x: w - 14, y: y + 34, r: 13, step: -22, maxChips: 2 },
      }),
    )
    side.puck.off = { x: w - 42, y: y + 34 }
  }
  if (come) {
    const x = dontCome ? w + 8 : 4
    const name = come.name.toUpperCase()
    const size = fitFontSize(name, 28, (width - x) * 0.5, true, 5)
    side.boxes.push(
      box(come, 'Line', x, y, width - 4 - x, h, {
        cloth: 'felt-2',
        edge: 'ink',
        round: 6,
        labels: [
          label(x + 18, y + h / 2 + size * 0.35, name, size, 'gold', { serif: true, bold: true, letterSpacing: 5 }),
          label(x + 18 + textWidth(name, size, true, 5) + 14, y + h / 2 + 4, payText(come), 12, 'ink', { bold: true }),
        ],
        zone: { x: width - 28, y: y + h / 2, r: 14, step: -28, maxChips: 2 },
      }),
    )
  }
  return come || dontCome ? y + h + 4 : y
}

function fieldRow(side: LineSide, groups: SpotGroups, y: number, width: number): number {
  const field = groups.fieldRow.find((spot) => spot.kind === 'field')
  const others: FeltSpot[] = [...groups.fieldRow.filter((spot) => spot.kind !== 'field'), ...groups.more]
  if (field) {
    side.boxes.push(fieldBox(field, 4, y, others.length === 1 ? 264 : width - 8, 54))
    if (others.length === 1 && others[0]) side.boxes.push(listBox(others[0], 272, y, width - 276, 54))
    y += 58
  }
  if (others.length > 1 || (!field && others.length)) {
    divide(
      4,
      width - 8,
      4,
      others.map(() => 1),
    ).forEach((place, index) => {
      const spot = others[index]
      if (spot) side.boxes.push(listBox(spot, place.at, y, place.size, 50))
    })
    y += 54
  }
  return y
}

function lineRow(side: LineSide, groups: SpotGroups, y: number, width: number): number {
  const line = groups.get('pass')
  const odds = groups.get('pass_odds')
  if (!line) return y
  const h = 50
  const w = odds ? (width - 12) * 0.56 : width - 8
  const name = line.name.toUpperCase().includes('LINE') ? line.name.toUpperCase() : `${line.name.toUpperCase()} LINE`
  const size = fitFontSize(name, 18, w * 0.56, true, 1.5)
  side.boxes.push(
    box(line, 'Line', 4, y, w, h, {
      cloth: 'felt-2',
      edge: 'ink',
      round: 10,
      labels: [
        label(18, y + h / 2 + size * 0.35 - (odds ? 6 : 0), name, size, 'ink', {
          serif: true,
          bold: true,
          letterSpacing: 1.5,
        }),
        label(
          odds ? 18 : 30 + textWidth(name, size, true, 1.5),
          y + h / 2 + (odds ? 18 : 4),
          payText(line),
          12,
          'gold',
          { bold: true },
        ),
      ],
      zone: { x: w - 20, y: y + h / 2, r: 15, step: -28, maxChips: 3 },
    }),
  )
  if (odds) side.boxes.push(passOddsBox(odds, w + 8, y, width - w - 12, h, width - w - 34))
  return y + h + 4
}

/** Return the felt inside a drawer of the phone layout. */
export function drawerLayout(spots: Spot[], name: string): FeltLayout {
  const groups = groupSpots(spots)
  const width = 390
  const side = emptyLineSide()
  const onlyIf = (isHere: boolean, list: FeltSpot[]) => (isHere ? list : [])
  if (name === 'Fire' || name === 'Bonus') {
    let y = 4
    if (name === 'Fire') addFireRow(side, groups.fire, 4, y, width - 8, 64)
    else {
      for (const spot of groups.bonus) {
        addBonusRow(side, [spot], groups.bonus, 4, y, width - 8, 52)
        y += 56
      }
    }
    return { width, height: name === 'Fire' ? 72 : y + 4, ...side, tray: null }
  }
  const inside: SpotGroups = {
    ...groups,
    hard: onlyIf(name === 'Hard ways', groups.hard),
    single: onlyIf(name === 'One roll', groups.single),
    mixed: onlyIf(name === 'One roll', groups.mixed),
    horn: onlyIf(name === 'One roll', groups.horn),
    hops: onlyIf(name === 'Hops', groups.hops),
  }
  const height =
    name === 'Hops'
      ? 212
      : name === 'Hard ways'
        ? 88
        : 70 * [inside.single, inside.mixed, inside.horn].filter((row) => row.length).length + 22
  const content = centerBoxes(inside, 4, 4, width - 8, height - 8, true)
  return { width, height, ...side, frames: content.frames, boxes: content.boxes, tray: null }
}

/** Return the names of the drawers that the phone layout needs. */
export function drawerNames(spots: Spot[]): string[] {
  const groups = groupSpots(spots)
  const drawers: [string, boolean][] = [
    ['Hard ways', groups.hard.length > 0],
    ['One roll', groups.single.length + groups.mixed.length + groups.horn.length > 0],
    ['Hops', groups.hops.length > 0],
    ['Fire', groups.fire.length > 0],
    ['Bonus', groups.bonus.length > 0],
  ]
  return drawers.filter(([, isNeeded]) => isNeeded).map(([name]) => name)
}
