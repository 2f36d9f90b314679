// Where every chip stands: one's own first, then the others by seat, then how many more there are.

import { money } from '../lib/money'
import type { Chip, Ruling, Seat, View } from '../lib/types'
import type { Box, Felt } from './shapes'
import { kindOf } from './spots'

export interface Stand {
  chip: Chip
  x: number
  y: number
  r: number
  mine: boolean
  seat: number
  letter: string
  /** What stands on the top edge: the kind of bet, or that it is off or called on. */
  lammer: '' | 'OFF' | 'ON' | 'BUY' | 'LAY'
}

export interface More {
  x: number
  y: number
  r: number
  count: number
}

const LAMMERS: Record<string, 'BUY' | 'LAY'> = { buy: 'BUY', lay: 'LAY' }

export function letters(seats: Seat[]): Map<string, string> {
  const found = new Map<string, string>()
  const taken = new Set<string>()
  for (const { player, name } of seats) {
    const initials = [...(name || '?').toUpperCase()].filter((letter) => /\p{L}|\p{N}/u.test(letter))
    const letter = initials.find((one) => !taken.has(one)) ?? initials[0] ?? '?'
    taken.add(letter)
    found.set(player, letter)
  }
  return found
}

export function standing(felt: Felt, view: Pick<View, 'chips' | 'seats' | 'you'>): { stands: Stand[]; more: More[] } {
  const order = new Map(view.seats.map((seat, index) => [seat.player, index]))
  const rank = (chip: Chip) => (chip.player === view.you ? -1 : (order.get(chip.player) ?? 99))
  const tags = letters(view.seats)
  const boxes = new Map(felt.boxes.map((box) => [box.spot, box]))
  const behind = new Map<string, Chip[]>()
  const flat = new Map<string, Chip[]>()
  for (const chip of view.chips) {
    const own = chip.on !== null && boxes.has(kindOf(chip.spot)) ? kindOf(chip.spot) : null
    if (chip.on !== null && own === null) behind.set(chip.on, [...(behind.get(chip.on) ?? []), chip])
    else flat.set(own ?? chip.spot, [...(flat.get(own ?? chip.spot) ?? []), chip])
  }
  const stands: Stand[] = []
  const more: More[] = []
  const stand = (chip: Chip, box: Box, x: number, y: number): Stand => ({
    chip, x, y, r: box.zone.r, mine: chip.player === view.you, seat: order.get(chip.player) ?? 0,
    letter: tags.get(chip.player) ?? '?', lammer: lammerOf(chip),
  })
  for (const [spot, chips] of flat) {
    const box = boxes.get(spot)
    if (!box) continue
    const { x, y, r, step, most } = box.zone
    const sorted = [...chips].sort((a, b) => rank(a) - rank(b))
    const shown = sorted.length > most ? sorted.slice(0, Math.max(1, most - 1)) : sorted
    shown.forEach((chip, index) => {
      const at = x + index * step
      const leaning = behind.get(chip.tag) ?? []
      const { base, dx, dy } = leaning.length ? heel(box, at) : { base: y, dx: 0, dy: 0 }
      stands.push(stand(chip, box, at, base))
      leaning.forEach((odds, beside) => stands.push(stand(odds, box, at + dx * (beside + 1), base + dy * (beside + 1))))
    })
    if (sorted.length > shown.length) {
      const at = step ? x + shown.length * step : x + r * 1.1
      more.push({ x: at, y: step ? y : y + r * 0.7, r: step ? r : r * 0.6, count: sorted.length - shown.length })
    }
  }
  return { stands, more }
}

/** Where odds lean on their wager: to the right, or where the box has no room there, above it; the wager makes room. */
function heel(box: Box, at: number): { base: number; dx: number; dy: number } {
  const { y, r } = box.zone
  if (box.zone.odds !== 'above' && at + r * 2.5 <= box.x + box.w) return { base: y, dx: r * 1.5, dy: -2 }
  const dy = -Math.min(r * 1.5, Math.max(r / 3, box.h - 2 * r))
  return { base: Math.max(y, box.y + r - dy), dx: 0, dy }
}

function lammerOf(chip: Chip): Stand['lammer'] {
  if (!chip.working) return 'OFF'
  if (chip.call === 'on') return 'ON'
  return LAMMERS[kindOf(chip.spot)] ?? ''
}

/** What a winner brings into the rack, which is less than it wins where vigorish is taken. */
export function paid(ruling: Pick<Ruling, 'net' | 'vig'> | undefined, currency: string): string {
  const cents = (ruling?.net ?? 0) - (ruling?.vig ?? 0)
  return cents ? `${cents > 0 ? '+' : ''}${money(cents, currency)}` : ''
}

/** The next box in a direction, for the arrow keys: near, and more ahead than aside. */
export function nextBox(boxes: Box[], from: Box, dx: number, dy: number): Box | null {
  const x = from.x + from.w / 2
  const y = from.y + from.h / 2
  let best: Box | null = null
  let least = Infinity
  for (const box of boxes) {
    if (box === from) continue
    const ahead = dx * (box.x + box.w / 2 - x) + dy * (box.y + box.h / 2 - y)
    const aside = Math.abs(dy * (box.x + box.w / 2 - x)) + Math.abs(dx * (box.y + box.h / 2 - y))
    if (ahead <= 1) continue
    const far = ahead + aside * 2.2
    if (far < least) [best, least] = [box, far]
  }
  return best
}
