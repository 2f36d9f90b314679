// What happened at a table, as people tell it: rolls, hands, and lines of the log.

import type { Settled, TableEvent } from './types'

export interface PastRoll {
  number: number
  dice: [number, number]
  total: number
  call: string
  /** What the throw did to the puck. */
  mark: 'point' | 'made' | 'out' | ''
  event: TableEvent
}

export interface Hand {
  rolls: PastRoll[]
  points: number
  over: boolean
}

/** The throws among rows; one whose number was told in a row before them is left out. */
export function rollsOf(events: TableEvent[]): PastRoll[] {
  const found: PastRoll[] = []
  let number = 0
  for (const event of events) {
    if (event.kind === 'revealed') number = (event.body['proof'] as { lock: { roll: number } }).lock.roll
    if (event.kind !== 'rolled' || !number) continue
    const [first = 1, second = 1] = String(event.body['dice']).split('-').map(Number)
    const total = String(event.body['roll']).split('-').map(Number).reduce((sum, one) => sum + one, 0)
    found.push({ number, dice: [first, second], total, call: event.call ?? '', mark: event.mark ?? '', event })
  }
  return found
}

/** Throws by hand; the server says where one is over. */
export function handsOf(events: TableEvent[]): Hand[] {
  const thrown = new Map(rollsOf(events).map((roll) => [roll.event, roll]))
  const hands: Hand[] = []
  for (const event of events) {
    const roll = thrown.get(event)
    if (roll) {
      if (hands.at(-1)?.over !== false) hands.push({ rolls: [], points: 0, over: false })
      const hand = hands.at(-1)
      hand?.rolls.push(roll)
      if (hand && roll.mark === 'made') hand.points++
    }
    const last = hands.at(-1)
    if (last && event.new_hand) last.over = true
  }
  return hands
}

/** How often each total fell, and how often two fair dice would show it. */
export function spread(rolls: PastRoll[]): { total: number; count: number; expected: number }[] {
  return Array.from({ length: 11 }, (_, index) => {
    const total = index + 2
    return { total, count: rolls.filter((roll) => roll.total === total).length, expected: (rolls.length * (6 - Math.abs(7 - total))) / 36 }
  })
}

export interface Line {
  key: string
  who: string
  mine: boolean
  mark: 'win' | 'lose' | 'move' | 'none'
  text: string
  why: string
}

/** A sentence of a row without its clauses, and the clauses. */
function apart(event: TableEvent, index: number): [string, string] {
  const sentence = event.sentences[index] ?? ''
  const why = event.clauses[index] ?? ''
  const end = `: ${why}`
  return why && sentence.endsWith(end) ? [sentence.slice(0, -end.length), why] : [sentence, why]
}

const MARKS: Record<string, Line['mark']> = { win: 'win', lose: 'lose', moved: 'move' }

/** Lines for what a throw did; wagers it left alone are left out. */
export function settlements(event: TableEvent, you: string | null): Line[] {
  return (event.body['settled'] as Settled[]).flatMap((one, index) => {
    if (one.ruling.result === 'no_action') return []
    const [text, why] = apart(event, index + 1)
    const mine = one.player === you
    return [{ key: `${event.number}-${index}`, who: mine ? 'You' : (event.names[one.player] ?? 'Somebody'), mine, mark: MARKS[one.ruling.result] ?? 'none', text, why }]
  })
}

const TOLD = new Set(['made', 'changed', 'called', 'no_roll', 'dice_moved', 'joined', 'left', 'seated', 'bought_in', 'cashed_out', 'acted_for_absent', 'limits', 'missed', 'went', 'surveillance_told'])

/** A line for anything else that players are told. */
export function lineOf(event: TableEvent, you: string | null): Line | null {
  if (!TOLD.has(event.kind) || !event.sentences.length) return null
  const [text, why] = apart(event, 0)
  const player = event.body['player'] as string | undefined
  const bets = ['made', 'changed', 'called'].includes(event.kind)
  const mine = player === you
  return { key: String(event.number), who: bets && player ? (mine ? 'You' : (event.names[player] ?? 'Somebody')) : '', mine, mark: 'none', text, why }
}

/** The rows that a log shows, the newest first, as far back as so many throws; and whether these are all. */
export function latest(events: TableEvent[], you: string | null, throws: number): { rows: TableEvent[]; all: boolean } {
  const rows: TableEvent[] = []
  let count = 0
  for (const event of events.toReversed()) {
    const isRoll = event.kind === 'rolled'
    if (!isRoll && !lineOf(event, you)) continue
    if (count === throws) return { rows, all: false }
    rows.push(event)
    if (isRoll) count++
  }
  return { rows, all: true }
}
