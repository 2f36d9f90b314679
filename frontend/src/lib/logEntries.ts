// Turns table events into what the log shows: rolls, hands and lines of text.

import type { PuckChange, TableEvent } from './serverTypes'

export interface RollEntry {
  number: number
  dice: [number, number]
  total: number
  call: string
  puckChange: PuckChange
  event: TableEvent
}

export interface HandEntry {
  rolls: RollEntry[]
  pointsMade: number
  isOver: boolean
}

/** Return the rolls among events. A roll whose number is in an event that is not loaded is left out. */
export function rollEntries(events: TableEvent[]): RollEntry[] {
  const rolls: RollEntry[] = []
  let number = 0
  for (const event of events) {
    if (event.kind === 'secret_revealed') number = (event.body.proof as { lock: { roll: number } }).lock.roll
    if (event.kind !== 'rolled' || !number) continue
    const [first = 1, second = 1] = String(event.body.dice).split('-').map(Number)
    const total = String(event.body.roll)
      .split('-')
      .map(Number)
      .reduce((sum, face) => sum + face, 0)
    rolls.push({
      number,
      dice: [first, second],
      total,
      call: event.stick_call ?? '',
      puckChange: event.puck_change ?? '',
      event,
    })
  }
  return rolls
}

/** Group rolls by hand. The server says where a hand ends. */
export function handEntries(events: TableEvent[]): HandEntry[] {
  const rolls = new Map(rollEntries(events).map((roll) => [roll.event, roll]))
  const hands: HandEntry[] = []
  for (const event of events) {
    const roll = rolls.get(event)
    if (roll) {
      if (hands.at(-1)?.isOver !== false) hands.push({ rolls: [], pointsMade: 0, isOver: false })
      const hand = hands.at(-1)
      hand?.rolls.push(roll)
      if (hand && roll.puckChange === 'point_made') hand.pointsMade++
    }
    const last = hands.at(-1)
    if (last && event.ends_hand) last.isOver = true
  }
  return hands
}

/** Count how often each total was rolled, and how often fair dice are expected to roll it. */
export function totalCounts(rolls: RollEntry[]): { total: number; count: number; expected: number }[] {
  return Array.from({ length: 11 }, (_, index) => {
    const total = index + 2
    return {
      total,
      count: rolls.filter((roll) => roll.total === total).length,
      expected: (rolls.length * (6 - Math.abs(7 - total))) / 36,
    }
  })
}

export interface LogLine {
  key: string
  player: string
  isOwn: boolean
  mark: 'win' | 'lose' | 'move' | 'none'
  text: string
  clauses: string
}

/** Split a sentence of an event into its text and the clauses it cites. */
function splitClauses(event: TableEvent, index: number): [text: string, clauses: string] {
  const sentence = event.sentences[index] ?? ''
  const clauses = event.clauses[index] ?? ''
  const suffix = `: ${clauses}`
  return clauses && sentence.endsWith(suffix) ? [sentence.slice(0, -suffix.length), clauses] : [sentence, clauses]
}

const MARKS: Record<string, LogLine['mark']> = { win: 'win', lose: 'lose', moved: 'move' }

/** Return a line for each wager that a roll settled. */
export function settlementLines(event: TableEvent, you: string | null): LogLine[] {
  return (event.body.settled ?? []).flatMap(({ player, settlement: { result } }, index) => {
    if (result === 'no_action') return []
    const [text, clauses] = splitClauses(event, index + 1)
    const isOwn = player === you
    return [
      {
        key: `${event.sequence}-${index}`,
        player: nameOf(player, event, you),
        isOwn,
        mark: MARKS[result] ?? 'none',
        text,
        clauses,
      },
    ]
  })
}

const BET_KINDS = ['bet_made', 'bet_resized', 'bet_toggled']
const LOGGED_KINDS = new Set([
  ...BET_KINDS,
  'no_roll',
  'custody_changed',
  'player_joined',
  'player_left',
  'seating_changed',
  'bought_in',
  'cashed_out',
  'acted_for_absent',
  'self_limit_reached',
  'seed_missed',
  'departure_requested',
  'surveillance_notified',
  'procedure_performed',
])

/** Return the line for an event that is not a roll, or null if the log does not show it. */
export function logLine(event: TableEvent, you: string | null): LogLine | null {
  if (!LOGGED_KINDS.has(event.kind) || !event.sentences.length) return null
  const [text, clauses] = splitClauses(event, 0)
  const { player } = event.body
  const bettor = BET_KINDS.includes(event.kind) && player ? nameOf(player, event, you) : ''
  return { key: String(event.sequence), player: bettor, isOwn: player === you, mark: 'none', text, clauses }
}

function nameOf(player: string, event: TableEvent, you: string | null): string {
  return player === you ? 'You' : (event.names[player] ?? 'A player')
}

/** Return the events that the log shows, newest first, back to a number of rolls, and whether these are all. */
export function latestEvents(
  events: TableEvent[],
  you: string | null,
  maxRolls: number,
): { events: TableEvent[]; isComplete: boolean } {
  const latest: TableEvent[] = []
  let count = 0
  for (const event of events.toReversed()) {
    const isRoll = event.kind === 'rolled'
    if (!isRoll && !logLine(event, you)) continue
    if (count === maxRolls) return { events: latest, isComplete: false }
    latest.push(event)
    if (isRoll) count++
  }
  return { events: latest, isComplete: true }
}
