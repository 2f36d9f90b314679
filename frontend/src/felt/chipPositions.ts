// Where each chip is drawn: the user's own first, then those of other seats, then a count of the rest.

import { formatMoney } from '../lib/money'
import type { PlacedBet, Seat, Settlement, TableView } from '../lib/serverTypes'
import type { Box, FeltLayout } from './shapes'
import { kindOf } from './spotGroups'

export interface ChipPosition {
  bet: PlacedBet
  x: number
  y: number
  r: number
  isOwn: boolean
  seat: number
  letter: string
  /** The button on top of the chip: buy or lay, or that the bet is off or called on. */
  lammer: '' | 'OFF' | 'ON' | 'BUY' | 'LAY'
}

/** The number of chips that a box has no room for. */
export interface HiddenChips {
  x: number
  y: number
  r: number
  count: number
}

const LAMMERS: Record<string, 'BUY' | 'LAY'> = { buy: 'BUY', lay: 'LAY' }

/** Return a letter for each player, from their names and different where possible. */
export function seatLetters(seats: Seat[]): Map<string, string> {
  const letters = new Map<string, string>()
  const taken = new Set<string>()
  for (const { player, name } of seats) {
    const initials = [...(name || '?').toUpperCase()].filter((letter) => /\p{L}|\p{N}/u.test(letter))
    const letter = initials.find((initial) => !taken.has(initial)) ?? initials[0] ?? '?'
    taken.add(letter)
    letters.set(player, letter)
  }
  return letters
}

export function positionChips(
  felt: FeltLayout,
  view: Pick<TableView, 'bets' | 'seats' | 'you'>,
): { chips: ChipPosition[]; hidden: HiddenChips[] } {
  const order = new Map(view.seats.map((seat, index) => [seat.player, index]))
  const rank = (bet: PlacedBet) => (bet.player === view.you ? -1 : (order.get(bet.player) ?? 99))
  const letters = seatLetters(view.seats)
  const boxes = new Map(felt.boxes.map((box) => [box.spot, box]))
  const oddsByBase = new Map<string, PlacedBet[]>()
  const bySpot = new Map<string, PlacedBet[]>()
  for (const bet of view.bets) {
    const oddsBox = bet.base_tag !== null && boxes.has(kindOf(bet.spot)) ? kindOf(bet.spot) : null
    if (bet.base_tag !== null && oddsBox === null)
      oddsByBase.set(bet.base_tag, [...(oddsByBase.get(bet.base_tag) ?? []), bet])
    else bySpot.set(oddsBox ?? bet.spot, [...(bySpot.get(oddsBox ?? bet.spot) ?? []), bet])
  }
  const chips: ChipPosition[] = []
  const hidden: HiddenChips[] = []
  const chipAt = (bet: PlacedBet, box: Box, x: number, y: number): ChipPosition => ({
    bet,
    x,
    y,
    r: box.zone.r,
    isOwn: bet.player === view.you,
    seat: order.get(bet.player) ?? 0,
    letter: letters.get(bet.player) ?? '?',
    lammer: lammerOf(bet),
  })
  for (const [spot, bets] of bySpot) {
    const box = boxes.get(spot)
    if (!box) continue
    const { x, y, r, step, maxChips } = box.zone
    const sorted = [...bets].sort((a, b) => rank(a) - rank(b))
    const shown = sorted.length > maxChips ? sorted.slice(0, Math.max(1, maxChips - 1)) : sorted
    shown.forEach((bet, index) => {
      const at = x + index * step
      const odds = oddsByBase.get(bet.tag) ?? []
      const { base, dx, dy } = odds.length ? oddsOffset(box, at) : { base: y, dx: 0, dy: 0 }
      chips.push(chipAt(bet, box, at, base))
      odds.forEach((odd, i) => chips.push(chipAt(odd, box, at + dx * (i + 1), base + dy * (i + 1))))
    })
    if (sorted.length > shown.length) {
      const at = step ? x + shown.length * step : x + r * 1.1
      hidden.push({ x: at, y: step ? y : y + r * 0.7, r: step ? r : r * 0.6, count: sorted.length - shown.length })
    }
  }
  return { chips, hidden }
}

/** Return the offset of odds from their wager: to the right, or above if there is no room. The wager moves down for them. */
function oddsOffset(box: Box, at: number): { base: number; dx: number; dy: number } {
  const { y, r } = box.zone
  if (box.zone.odds !== 'above' && at + r * 2.5 <= box.x + box.w) return { base: y, dx: r * 1.5, dy: -2 }
  const dy = -Math.min(r * 1.5, Math.max(r / 3, box.h - 2 * r))
  return { base: Math.max(y, box.y + r - dy), dx: 0, dy }
}

function lammerOf(bet: PlacedBet): ChipPosition['lammer'] {
  if (!bet.working) return 'OFF'
  if (bet.call === 'on') return 'ON'
  return LAMMERS[kindOf(bet.spot)] ?? ''
}

/** Return what a winning wager adds to the rack: its win without the vig. */
export function paidText(
  settlement: Pick<Settlement, 'net_cents' | 'vig_cents'> | undefined,
  currency: string,
): string {
  const cents = (settlement?.net_cents ?? 0) - (settlement?.vig_cents ?? 0)
  return cents ? `${cents > 0 ? '+' : ''}${formatMoney(cents, currency)}` : ''
}

/** Return the nearest box in a direction, for the arrow keys. Boxes straight ahead are preferred. */
export function neighborBox(boxes: Box[], from: Box, dx: number, dy: number): Box | null {
  const x = from.x + from.w / 2
  const y = from.y + from.h / 2
  let nearest: Box | null = null
  let minDistance = Infinity
  for (const box of boxes) {
    if (box === from) continue
    const ahead = dx * (box.x + box.w / 2 - x) + dy * (box.y + box.h / 2 - y)
    const aside = Math.abs(dy * (box.x + box.w / 2 - x)) + Math.abs(dx * (box.y + box.h / 2 - y))
    if (ahead <= 1) continue
    const distance = ahead + aside * 2.2
    if (distance < minDistance) [nearest, minDistance] = [box, distance]
  }
  return nearest
}
