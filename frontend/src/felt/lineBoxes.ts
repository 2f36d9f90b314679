// The boxes of the line: come, don't pass, pass, and the odds behind the line.

import type { LineSide } from './lineSide'
import { box, fitFontSize, label, textWidth } from './shapes'
import type { Box, Label } from './shapes'
import { payText } from './spotGroups'
import type { FeltSpot, SpotGroups } from './spotGroups'

export function addComeBox(side: LineSide, groups: SpotGroups, x: number, y: number, w: number, h: number): void {
  const come = groups.get('come')
  if (!come) return
  const name = come.name.toUpperCase()
  const size = fitFontSize(name, Math.min(34, h * 0.66), w * 0.4, true, 9)
  const wide = textWidth(name, size, true, 9)
  side.boxes.push(
    box(come, 'Line', x, y, w, h, {
      cloth: 'felt-2',
      edge: 'ink',
      round: 6,
      labels: [
        label(x + w * 0.42, y + h / 2 + size * 0.35, name, size, 'gold', {
          serif: true,
          bold: true,
          anchor: 'middle',
          letterSpacing: 9,
        }),
        label(x + w * 0.42 + wide / 2 + 24, y + h / 2 + 4, payText(come), 12.5, 'ink', { bold: true }),
      ],
      zone: { x: x + 28, y: y + h / 2, r: 14, step: 30, maxChips: 3 },
    }),
  )
}

export function addDontPassBox(side: LineSide, groups: SpotGroups, x: number, y: number, w: number, h: number): void {
  const spot = groups.get('dont_pass')
  if (!spot) return
  side.boxes.push(dontPassBox(spot, x, y, w, h))
  if (!groups.get('dont_come')) side.puck.off = { x: x + w - 26, y: y + h / 2 }
}

/** Return a box with the name, the payout, the barred dice, and room for chips with odds beside them. */
export function dontPassBox(spot: FeltSpot, x: number, y: number, w: number, h: number): Box {
  const name = spot.name.toUpperCase()
  const size = fitFontSize(name, Math.min(21, h * 0.48), w * (w < 400 ? 0.3 : 0.4), true, 1.5)
  const gap = w < 400 ? 9 : 14
  const after = x + 16 + textWidth(name, size, true, 1.5) + gap
  const pays = payText(spot)
  const bar = after + textWidth(pays, 12) + gap
  return box(spot, 'Line', x, y, w, h, {
    cloth: 'dont',
    edge: 'dont',
    round: 6,
    labels: [
      label(x + 16, y + h / 2 + size * 0.35, name, size, 'dont', { serif: true, bold: true, letterSpacing: 1.5 }),
      label(after, y + h / 2 + 4.5, pays, 12, 'dont', { bold: true }),
      ...barLabel(spot, bar, y + h / 2 + 4.5, 'start'),
    ],
    pips: barDice(spot, bar + 58, y + h / 2, 16),
    zone: {
      x: w < 400 ? x + w - 68 : x + w * 0.68,
      y: y + h / 2,
      r: Math.min(14, h / 2 - 3),
      step: 50,
      maxChips: w < 400 ? 2 : 3,
    },
  })
}

export function barLabel(spot: FeltSpot, x: number, y: number, anchor: 'start' | 'middle'): Label[] {
  return spot.barred_dice.length ? [label(x, y, 'BAR', 11, 'dont', { bold: true, letterSpacing: 1, anchor })] : []
}

export function barDice(spot: FeltSpot, x: number, y: number, size: number): Box['pips'] {
  return spot.barred_dice.slice(0, 1).map((dice) => ({ x, y, size, dice }))
}

export function addPassLineBox(
  side: LineSide,
  groups: SpotGroups,
  x: number,
  top: number,
  w: number,
  y: number,
  h: number,
  arm: number,
  bothArms: boolean,
): void {
  const spot = groups.get('pass')
  if (!spot) return
  const name = spot.name.toUpperCase().includes('LINE') ? spot.name.toUpperCase() : `${spot.name.toUpperCase()} LINE`
  const size = fitFontSize(name, Math.min(bothArms ? 34 : 24, h * 0.55), w * 0.45, true, 2.5)
  const armSize = Math.min(20, arm * 0.5)
  const right = x + w
  const bottom = y + h
  const r = Math.min(34, arm)
  const outline = bothArms
    ? `M${x + 4},${top} H${x + arm - 4} Q${x + arm},${top} ${x + arm},${top + 4} V${y - 16} Q${x + arm},${y} ${x + arm + 16},${y} H${right - arm - 16} Q${right - arm},${y} ${right - arm},${y - 16} V${top + 4} Q${right - arm},${top} ${right - arm + 4},${top} H${right - 4} Q${right},${top} ${right},${top + 4} V${bottom - r} Q${right},${bottom} ${right - r},${bottom} H${x + r} Q${x},${bottom} ${x},${bottom - r} V${top + 4} Q${x},${top} ${x + 4},${top} Z`
    : `M${x + 4},${top} H${x + arm - 4} Q${x + arm},${top} ${x + arm},${top + 4} V${y - 16} Q${x + arm},${y} ${x + arm + 16},${y} H${right - 6} Q${right},${y} ${right},${y + 6} V${bottom - 6} Q${right},${bottom} ${right - 6},${bottom} H${x + r} Q${x},${bottom} ${x},${bottom - r} V${top + 4} Q${x},${top} ${x + 4},${top} Z`
  const mid = top + (y - top) / 2
  const armLabels = [
    label(x + arm / 2 + armSize * 0.35, mid, name, fitFontSize(name, armSize, (y - top) * 0.8, true, 5), 'ink', {
      serif: true,
      bold: true,
      anchor: 'middle',
      letterSpacing: 5,
      rotation: -90,
    }),
  ]
  if (bothArms)
    armLabels.push(
      label(right - arm / 2 - armSize * 0.35, mid, name, fitFontSize(name, armSize, (y - top) * 0.8, true, 5), 'ink', {
        serif: true,
        bold: true,
        anchor: 'middle',
        letterSpacing: 5,
        rotation: 90,
      }),
    )
  const start = x + arm + 24
  side.boxes.push(
    box(spot, 'Line', x, y, w, h, {
      cloth: 'felt-2',
      edge: 'ink',
      path: outline,
      labels: [
        ...armLabels,
        label(start, y + h / 2 + size * 0.35, name, size, 'ink', { serif: true, bold: true, letterSpacing: 2.5 }),
        label(start + textWidth(name, size, true, 2.5) + 24, y + h / 2 + 4.5, payText(spot), 12.5, 'gold', {
          bold: true,
        }),
      ],
      zone: { x: x + w * 0.6, y: y + h / 2, r: Math.min(14, h / 2 - 3), step: 34, maxChips: 4 },
    }),
  )
}

export function addPassOddsBox(side: LineSide, groups: SpotGroups, x: number, y: number, w: number, h: number): void {
  const spot = groups.get('pass_odds')
  if (spot) side.boxes.push(passOddsBox(spot, x, y, w, h, w * 0.6))
}

/** Return the box for odds behind the line, with the payout of each number. */
export function passOddsBox(spot: FeltSpot, x: number, y: number, w: number, h: number, chipX: number): Box {
  const name = (/^behind/i.test(spot.name) ? spot.name : 'Odds behind').toUpperCase()
  const size = fitFontSize(name, 13, w * (w < 330 ? 0.62 : 0.35))
  const groups = new Map<string, string[]>()
  for (const [number, pays] of spot.pays) groups.set(pays, [...(groups.get(pays) ?? []), number])
  const rates = [...groups].map(([pays, numbers]) => `${numbers.join(', ')}: ${pays}`).join(' · ')
  const isTall = h > 48 || w < 330
  const shown = w < 330 ? [...groups.keys()].join(' · ') : rates
  const room = chipX - 28 - (isTall ? 0 : textWidth(name, size) + 16)
  return box(spot, 'Line', x, y, w, h, {
    cloth: 'none',
    edge: 'ink',
    dashed: true,
    round: 8,
    labels: isTall
      ? [
          label(x + 14, y + h / 2 - 3, name, size, 'ink', { bold: true }),
          label(x + 14, y + h / 2 + 14, shown, fitFontSize(shown, 12, room), 'gold', { bold: true }),
        ]
      : [
          label(x + 14, y + h / 2 + 4.5, name, size, 'ink', { bold: true }),
          label(x + 14 + textWidth(name, size) + 14, y + h / 2 + 4.5, shown, fitFontSize(shown, 11.5, room), 'gold', {
            bold: true,
          }),
        ],
    zone: { x: x + chipX, y: y + h / 2, r: Math.min(14, h / 2 - 3), step: 34, maxChips: 4 },
  })
}
