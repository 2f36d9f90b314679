// The first-time guide: suggests the next action at the table. It reads the view and contains no rules of craps.

import { settlementLines } from './logEntries'
import type { TableEvent, TableInfo, TableView } from './serverTypes'

export interface GuideStep {
  number: 1 | 2 | 3 | 4 | 5
  text: string
  /** What to highlight: a spot, or 'roll' for the roll button. */
  highlight: string | null
}

export const STEPS = 5

/** Return the next step for the user, or null if the user has no seat. Rolls up to `startSequence` are ignored. */
export function nextStep(
  info: TableInfo | null,
  view: TableView | null,
  lastRoll: TableEvent | null,
  startSequence: number,
): GuideStep | null {
  if (!info || !view || !view.is_seated) return null
  const spots = new Map(info.layout.spots.map((spot) => [spot.spot, spot]))
  const lineName = spots.get('pass')?.name ?? 'pass'
  const ownBets = view.bets.filter((bet) => bet.player === view.you)
  const lineBet = ownBets.find((bet) => bet.spot === 'pass')
  const result = lastRoll && lastRoll.sequence > startSequence ? lineResult(lastRoll, view.you) : null
  if (result && !lineBet)
    return {
      number: 5,
      text: `${result} That is the whole game. The log explains every result. Bet again, or point at a spot to learn about it.`,
      highlight: null,
    }
  const closed = view.closed_spots.find(({ spots }) => spots.includes('pass'))
  if (!lineBet && closed)
    return {
      number: 1,
      text: `You have chips. The ${lineName} is closed right now: ${closed.message}. Watch this roll, or point at a spot to learn about it.`,
      highlight: null,
    }
  if (!lineBet)
    return {
      number: 1,
      text: `You have chips. Choose one below and click the highlighted ${lineName}.`,
      highlight: 'pass',
    }
  const odds = spots.get('pass_odds')
  const wait = view.can_roll
    ? null
    : `Your bet is placed. ${playerName(view, view.shooter ?? view.offered_to)} has the dice. Wait for the roll.`
  if (!view.point) return { number: 2, text: wait ?? 'Now press Roll.', highlight: wait ? null : 'roll' }
  const hasOdds = ownBets.some((bet) => bet.base_tag === lineBet.tag)
  const pays = odds?.pays.find(([number]) => number === String(view.point))?.[1]
  if (odds && pays && !hasOdds) {
    return {
      number: 4,
      text: `The point is ${view.point}, marked by the white puck. Your bet stays until it is decided. You can add odds behind the line, which pay ${pays}.`,
      highlight: 'pass_odds',
    }
  }
  const advice = wait ? 'Your bet stays until it is decided.' : 'Keep rolling until your bet is decided.'
  return {
    number: 3,
    text: `The point is ${view.point}, marked by the white puck. ${advice}`,
    highlight: wait ? null : 'roll',
  }
}

function playerName(view: TableView, player: string | null): string {
  return view.seats.find((seat) => seat.player === player)?.name ?? 'Another player'
}

/** Return the sentence that settles the user's line bet, or null if the roll did not decide it. */
function lineResult(event: TableEvent, you: string | null): string | null {
  const settled = event.body.settled ?? []
  const index = settled.findIndex(
    ({ player, settlement }) =>
      player === you && settlement.spot === 'pass' && ['win', 'lose'].includes(settlement.result),
  )
  const line = settlementLines(event, you).find(({ key }) => key === `${event.sequence}-${index}`)
  return line ? `${line.text}.` : null
}
