// Bets on a whole hand: fire and bonus, with a place for the marker of every number they gather.

import type { Side } from './side'
import { box, fit, share, widthOf, words } from './shapes'
import type { FeltSpot } from './spots'
import { payWords } from './spots'

export function fireRow(side: Side, spots: FeltSpot[], x: number, y: number, w: number, h: number): void {
  const [spot] = spots
  if (!spot) return
  const name = spot.name.toUpperCase()
  const left = x + 26 + widthOf(name, 18, true, 1.5) + 74
  const slots = share(left, x + w - 10 - left, 0, spot.collects.map(() => 1))
  spot.collects.forEach((number, index) => {
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

/** Boxes side by side, low numbers before high ones. */
export function bonusRow(side: Side, spots: FeltSpot[], all: FeltSpot[], x: number, y: number, w: number, h: number): void {
  const sorted = spots.map((spot) => ({ spot, numbers: marked(spot, all) })).sort((a, b) => mean(a.spot) - mean(b.spot))
  share(x, w, 4, sorted.map(({ numbers }) => (numbers.length ? 1.25 : 0.9))).forEach((place, index) => {
    const { spot, numbers } = sorted[index] ?? {}
    if (!spot || !numbers) return
    const name = (spot.kind === 'all' ? 'All' : spot.name.replace(/^All /, '')).toUpperCase()
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

/** The numbers that a box has markers for: a box that gathers those of others, too, leaves them there. */
function marked(spot: FeltSpot, all: FeltSpot[]): number[] {
  const smaller = all.filter((other) => other.collects.length < spot.collects.length)
  return spot.collects.filter((number) => !smaller.some((other) => other.collects.includes(number)))
}

const mean = ({ collects }: FeltSpot) => collects.reduce((sum, number) => sum + number, 0) / (collects.length || 1)
