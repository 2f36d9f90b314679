// The center of a felt: hard ways, one-roll bets, horns and hops.

import { box, divide, fitFontSize, frame, label } from './shapes'
import type { Box, Frame } from './shapes'
import { combinationText, diceTotal, payText } from './spotGroups'
import type { FeltSpot, SpotGroups } from './spotGroups'

export interface CenterBoxes {
  frames: Frame[]
  boxes: Box[]
}

export function hasCenter(groups: SpotGroups): boolean {
  return groups.hard.length + groups.single.length + groups.mixed.length + groups.horn.length + groups.hops.length > 0
}

interface Section {
  title: string
  weight: number
  draw: (y: number, h: number) => void
}

export function centerBoxes(
  groups: SpotGroups,
  x: number,
  y: number,
  w: number,
  h: number,
  roomy: boolean,
): CenterBoxes {
  const content: CenterBoxes = { frames: [], boxes: [] }
  const sections = (
    [
      {
        title: 'Hard ways',
        weight: groups.hard.length ? 0.165 : 0,
        draw: (at, size) => addRow(content, groups.hard, 'Hard ways', x, at, w, size, pairCell),
      },
      {
        title: 'One roll',
        weight: groups.single.length ? 0.15 : 0,
        draw: (at, size) => addRow(content, groups.single, 'One roll', x, at, w, size, pairCell),
      },
      {
        title: '',
        weight: groups.mixed.length ? 0.118 : 0,
        draw: (at, size) => addRow(content, groups.mixed, 'One roll', x, at, w, size, nameCell),
      },
      {
        title: groups.single.length ? '' : 'One roll',
        weight: groups.horn.length ? 0.118 : 0,
        draw: (at, size) => addRow(content, groups.horn, 'One roll', x, at, w, size, hornCell, groups.single),
      },
      {
        title: 'Hops',
        weight: groups.hops.length ? (roomy ? 0.4 : 0.33) : 0,
        draw: (at, size) => addHops(content, groups.hops, x, at, w, size),
      },
    ] as Section[]
  ).filter((section) => section.weight > 0)
  const heading = 17
  const room = h - sections.filter((section) => section.title).length * heading
  const places = divide(
    0,
    room,
    5,
    sections.map((section) => section.weight),
  )
  let top = y
  sections.forEach((section, index) => {
    const size = places[index]?.size ?? 0
    if (section.title) {
      content.frames.push(
        frame(x, top, w, heading, { edge: 'none', labels: sectionHeading(section.title, groups, x, top + 12, w) }),
      )
      top += heading
    }
    section.draw(top, size)
    top += size + 5
  })
  return content
}

function sectionHeading(title: string, groups: SpotGroups, x: number, y: number, w: number): Frame['labels'] {
  const titleLabel = label(x + 2, y, title.toUpperCase(), 11.5, 'gold', { bold: true, letterSpacing: 1.5 })
  if (title !== 'Hops') return [titleLabel]
  const pair = groups.hops.find((spot) => spot.winning_dice[0]?.[0] === spot.winning_dice[0]?.[1])
  const mixed = groups.hops.find((spot) => spot.winning_dice[0]?.[0] !== spot.winning_dice[0]?.[1])
  const payouts = [pair && `pair ${payText(pair)}`, mixed && `mixed ${payText(mixed)}`].filter(Boolean).join(', ')
  return [titleLabel, label(x + w - 2, y, payouts, 11, 'ink', { anchor: 'end' })]
}

type Cell = (spot: FeltSpot, group: string, x: number, y: number, w: number, h: number, others: FeltSpot[]) => Box

function addRow(
  content: CenterBoxes,
  spots: FeltSpot[],
  group: string,
  x: number,
  y: number,
  w: number,
  h: number,
  cell: Cell,
  others: FeltSpot[] = [],
): void {
  const weights = spots.map((spot) =>
    cell === hornCell ? hornWeight(spot) : cell === nameCell && spot.pays.length > 1 ? 1.5 : 1,
  )
  divide(x, w, 0, weights).forEach((place, index) => {
    const spot = spots[index]
    if (spot) content.boxes.push(cell(spot, group, place.at, y, place.size, h, others))
  })
  content.frames.push(frame(x, y, w, h, { edge: 'ink', round: 6 }))
}

/** A cell with dice, number and payout. */
const pairCell: Cell = (spot, group, x, y, w, h) => {
  const pays = payText(spot)
  const number = spot.pick || String(diceTotal(spot))
  const size = Math.min(17, (w - 40) / 2.4)
  return box(spot, group, x, y, w, h, {
    cloth: 'center-2',
    edge: 'thin',
    pips: spot.winning_dice.slice(0, 1).map((dice) => ({ x: x + 7 + size * 1.1, y: y + 7 + size / 2, size, dice })),
    labels: [
      label(x + 7, y + h - 7, number, 13, 'ink', { bold: true }),
      label(x + w - 6, y + h - 7, pays, fitFontSize(pays, 12, w - 30), 'gold', { anchor: 'end', bold: true }),
    ],
    zone: { x: x + w - 17, y: y + Math.max(15, (h - 18) / 2), r: 12, step: -20, maxChips: 2 },
  })
}

const nameCell: Cell = (spot, group, x, y, w, h) => {
  const hasSeveral = spot.pays.length > 1
  const lines = hasSeveral
    ? spot.pays.map(([condition, pays]) => `${condition.toLowerCase().replace('any ', '')} ${pays}`)
    : [payText(spot)]
  const shown = lines.slice(0, 2)
  return box(spot, group, x, y, w, h, {
    cloth: 'center-2',
    edge: 'thin',
    labels: [
      label(
        x + 8,
        y + Math.min(h * 0.42, 19),
        spot.name,
        fitFontSize(spot.name, 12.5, hasSeveral ? w * 0.36 : w - 12),
        'ink',
        { bold: true },
      ),
      ...(hasSeveral
        ? shown.map((line, index) =>
            label(x + w - 6, y + Math.min(h * 0.42, 19) + index * 14, line, fitFontSize(line, 10.8, w * 0.53), 'gold', {
              bold: true,
              anchor: 'end',
            }),
          )
        : shown.map((line) =>
            label(x + 8, y + Math.min(h * 0.42, 19) + 15, line, fitFontSize(line, 11.5, w - 40), 'gold', {
              bold: true,
            }),
          )),
    ],
    zone: { x: x + (hasSeveral ? 18 : w - 18), y: y + h - 15, r: 12, step: hasSeveral ? 20 : -20, maxChips: 2 },
  })
}

function hornWeight(spot: FeltSpot): number {
  return spot.pick ? 0.62 : 1.3
}

const hornCell: Cell = (spot, group, x, y, w, h, others) => {
  const middle = x + w / 2
  if (spot.pick) {
    return box(spot, group, x, y, w, h, {
      cloth: 'center-2',
      edge: 'thin',
      labels: [
        label(middle, y + 14, 'HIGH', fitFontSize('HIGH', 10.5, w - 4), 'ink', { bold: true, anchor: 'middle' }),
        label(middle, y + h - 5, spot.pick, Math.min(17, h * 0.34), 'gold', {
          serif: true,
          bold: true,
          anchor: 'middle',
        }),
      ],
      zone: { x: middle, y: y + 17 + (h - 17 - Math.min(17, h * 0.34) - 3) / 2, r: 10, step: 0, maxChips: 1 },
    })
  }
  const lines = spot.is_split ? ['dealer splits'] : combinationText(spot, others)
  return box(spot, group, x, y, w, h, {
    cloth: 'center-2',
    edge: 'thin',
    dashed: spot.is_split,
    labels: [
      label(x + 8, y + 17, spot.name.toUpperCase(), fitFontSize(spot.name.toUpperCase(), 12.5, w - 36), 'ink', {
        bold: true,
      }),
      ...lines.map((line, index) =>
        label(x + 8, y + 31 + index * 13, line, fitFontSize(line, 10.5, w - 12), 'gold', { bold: true }),
      ),
    ],
    zone: { x: x + w - 16, y: y + 15, r: 11, step: -18, maxChips: 2 },
  })
}

/** Add the hop bets, in a column for each total. */
function addHops(content: CenterBoxes, spots: FeltSpot[], x: number, y: number, w: number, h: number): void {
  const totals = [...new Set(spots.map(diceTotal))].sort((a, b) => a - b)
  const columns = divide(
    x,
    w,
    0,
    totals.map(() => 1),
  )
  const head = 18
  content.frames.push(
    frame(x, y, w, head, {
      cloth: 'center',
      edge: 'none',
      labels: totals.map((number, index) =>
        label((columns[index]?.at ?? 0) + (columns[index]?.size ?? 0) / 2, y + 13, String(number), 12.5, 'gold', {
          bold: true,
          anchor: 'middle',
        }),
      ),
    }),
  )
  totals.forEach((number, index) => {
    const column = columns[index]
    const members = spots.filter((spot) => diceTotal(spot) === number)
    if (!column) return
    divide(
      y + head,
      h - head,
      0,
      members.map(() => 1),
    ).forEach((place, row) => {
      const spot = members[row]
      if (!spot) return
      const isTall = place.size > 38
      const size = Math.min(16, (column.size - (isTall ? 6 : 24)) / 2.2, place.size * 0.6)
      content.boxes.push(
        box(spot, 'Hops', column.at, place.at, column.size, place.size, {
          cloth: spot.winning_dice[0]?.[0] === spot.winning_dice[0]?.[1] ? 'center-2' : 'center',
          edge: 'thin',
          pips: spot.winning_dice.slice(0, 1).map((dice) => ({
            x: isTall ? column.at + column.size / 2 : column.at + 3 + size * 1.1,
            y: isTall ? place.at + 3 + size / 2 + (place.size > 52 ? 6 : 0) : place.at + place.size / 2,
            size,
            dice,
          })),
          zone: {
            x: isTall ? column.at + column.size / 2 : column.at + column.size - 11,
            y: isTall ? place.at + place.size - (place.size > 52 ? 15 : 12) : place.at + place.size / 2,
            r: isTall ? 11 : 10,
            step: 0,
            maxChips: 1,
          },
        }),
      )
    })
  })
  content.frames.push(frame(x, y, w, h, { edge: 'ink', round: 6 }))
}
