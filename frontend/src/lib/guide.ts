// The first-time guide: what to do next on the real table. It reads the table and knows no rule of the game.

import { settlements } from './history'
import type { Felt, Settled, TableEvent, View } from './types'

export interface Step {
  number: 1 | 2 | 3 | 4 | 5
  text: string
  /** The spot that is lit up, or the button. */
  lit: string | null
}

export const STEPS = 5

export function nextStep(felt: Felt | null, view: View | null, last: TableEvent | null, began: number): Step | null {
  if (!felt || !view || !view.is_seated) return null
  const name = (spot: string) => felt.layout.spots.find((one) => one.spot === spot)?.name ?? spot
  const line = name('pass')
  const mine = view.chips.filter((chip) => chip.player === view.you)
  const bet = mine.find((chip) => chip.spot === 'pass')
  const settled = last && last.number > began ? settledLine(last, view.you) : null
  if (settled && !bet) return { number: 5, text: `${settled} That is all there is to it: the log says why, every time. Bet again, or point at any spot to learn about it.`, lit: null }
  const closed = view.closed.find((one) => one.spots.includes('pass'))
  if (!bet && closed) return { number: 1, text: `You hold chips. The ${line} is closed just now: ${closed.sentence}. Watch this throw, or point at any spot to learn about it.`, lit: null }
  if (!bet) return { number: 1, text: `You hold chips. Choose one below and put it on the ${line}: that is the lit box.`, lit: 'pass' }
  const odds = felt.layout.spots.find((one) => one.spot === 'pass_odds')
  const wait = view.may_roll ? null : `Your bet is up. ${seatOf(view, view.shooter ?? view.offer_to)} has the dice: see where they land.`
  if (!view.point) return { number: 2, text: wait ?? 'Now throw the dice: press Roll.', lit: wait ? null : 'roll' }
  const behind = mine.some((chip) => chip.on === bet.tag)
  const pays = odds?.pays.find(([number]) => number === String(view.point))?.[1]
  if (odds && pays && !behind) {
    return { number: 4, text: `The point is ${view.point}: see the white puck. Your bet stays until it is decided. Back it with odds behind the line; they are paid ${pays}.`, lit: 'pass_odds' }
  }
  const on = wait ? 'Your bet stays until it is decided.' : 'Keep rolling until your bet is decided.'
  return { number: 3, text: `The point is ${view.point}, where the white puck stands. ${on}`, lit: wait ? null : 'roll' }
}

function seatOf(view: View, player: string | null): string {
  return view.seats.find((seat) => seat.player === player)?.name ?? 'Somebody else'
}

function settledLine(event: TableEvent, you: string | null): string | null {
  const settled = event.body['settled'] as Settled[]
  const index = settled.findIndex((one) => one.player === you && one.ruling.spot === 'pass' && ['win', 'lose'].includes(one.ruling.result))
  const line = settlements(event, you).find(({ key }) => key === `${event.number}-${index}`)
  return line ? `${line.text}.` : null
}
