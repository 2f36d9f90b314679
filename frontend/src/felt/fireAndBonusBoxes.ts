// The fire and bonus bets, with a marker for every number they collect.

import type { LineSide } from './lineSide'
import { box, divide, fitFontSize, label, textWidth } from './shapes'
import { payText } from './spotGroups'
import type { FeltSpot } from './spotGroups'

export function addFireRow(side: LineSide, spots: FeltSpot[], x: number, y: number, w: number, h: number): void {
  const [spot] = spots
  if (!spot) return
  const name = spot.name.toUpperCase()
  const left = x + 26 + textWidth(name, 18, true, 1.5) + 74
  const slots = divide(
    left,
    x + w - 10 - left,
    0,
    spot.collects.map(() => 1),
  )
  spot.collects.forEach((number, index) => {
    const slot = slots[index]
    if (slot) side.fire.push({ number, x: slot.at + slot.size / 2, y: y + h * 0.38, r: Math.min(14, h * 0.3) })
  })
  const payouts = spot.pays.map(([condition, pays]) => `${condition} ${pays}`)
  const from = w < 500 ? x + 4 : left
  const columns = divide(
    from,
    x + w - 4 - from,
    0,
    payouts.map(() => 1),
  )
  side.boxes.push(
    box(spot, 'Fire', x, y, w, h, {
      cloth: 'fire',
      edge: 'fire',
      round: 6,
      labels: [
        label(x + 14, y + h * (w < 500 ? 0.44 : 0.5) + 2, name, 18, 'ink', {
          serif: true,
          bold: true,
          letterSpacing: 1.5,
        }),
        ...payouts.map((line, index) =>
          label(
            (columns[index]?.at ?? 0) + (columns[index]?.size ?? 0) / 2,
            y + h - 5,
            line,
            fitFontSize(line, 11, columns[index]?.size ?? 60),
            'ink',
            { anchor: 'middle', bold: true },
          ),
        ),
      ],
      zone: {
        x: x + 26 + textWidth(name, 18, true, 1.5) + 16,
        y: y + h * (w < 500 ? 0.4 : 0.5),
        r: 13,
        step: 24,
        maxChips: 2,
      },
    }),
  )
}

/** Add the bonus boxes side by side, low numbers first. */
export function addBonusRow(
  side: LineSide,
  spots: FeltSpot[],
  all: FeltSpot[],
  x: number,
  y: number,
  w: number,
  h: number,
): void {
  const sorted = spots
    .map((spot) => ({ spot, numbers: ownMarkers(spot, all) }))
    .sort((a, b) => meanNumber(a.spot) - meanNumber(b.spot))
  divide(
    x,
    w,
    4,
    sorted.map(({ numbers }) => (numbers.length ? 1.25 : 0.9)),
  ).forEach((place, index) => {
    const { spot, numbers } = sorted[index] ?? {}
    if (!spot || !numbers) return
    const name = (spot.kind === 'all' ? 'All' : spot.name.replace(/^All /, '')).toUpperCase()
    const textEnd = Math.max(textWidth(name, 14, true, 1), textWidth(payText(spot), 11))
    const left = place.at + 12 + textEnd + 34
    divide(
      left,
      place.at + place.size - 6 - left,
      0,
      numbers.map(() => 1),
    ).forEach((slot, at) => {
      side.bonus.push({
        number: numbers[at] ?? 0,
        x: slot.at + slot.size / 2,
        y: y + h / 2,
        r: Math.min(11, slot.size / 2 - 1),
      })
    })
    side.boxes.push(
      box(spot, 'Bonus', place.at, y, place.size, h, {
        cloth: 'bonus',
        edge: 'bonus',
        round: 6,
        labels: [
          label(place.at + 10, y + h / 2 - 2, name, 14, 'ink', { serif: true, bold: true, letterSpacing: 1 }),
          label(place.at + 10, y + h / 2 + 13, payText(spot), 11, 'gold', { bold: true }),
        ],
        zone: {
          x: place.at + 12 + textEnd + 16,
          y: y + h / 2,
          r: 12,
          step: numbers.length ? 0 : 26,
          maxChips: numbers.length ? 1 : 3,
        },
      }),
    )
  })
}

/** Return the numbers that get a marker in this box. Numbers that a smaller bet collects too are marked there. */
function ownMarkers(spot: FeltSpot, all: FeltSpot[]): number[] {
  const smaller = all.filter((other) => other.collects.length < spot.collects.length)
  return spot.collects.filter((number) => !smaller.some((other) => other.collects.includes(number)))
}

const meanNumber = ({ collects }: FeltSpot) =>
  collects.reduce((sum, number) => sum + number, 0) / (collects.length || 1)
