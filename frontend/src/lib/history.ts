// What happened at a table, as people tell it: rolls, hands, and lines of the log.

import type { Settled, TableEvent } from './types'

export interface PastRoll {
  number: number
  dice: [number, number]
  total: number
  call: string
  /** What the throw did to the puck. */
  mark: 'point' | 'made' | 'out' | ''
  at_ms: number
  event: TableEvent
}

export interface Hand {
  rolls: PastRoll[]
  points: number
  over: boolean
}

export function rollsOf(events: TableEvent[]): PastRoll[] {
  const found: PastRoll[] = []
  let number = 0
  for (const event of events) {
    if (event.kind === 'revealed') number = (event.body['proof'] as { lock: { roll: number } }).lock.roll
    if (event.kind !== 'rolled') continue
    const [first = 1, second = 1] = String(event.body['dice']).split('-').map(Number)
    const total = String(event.body['roll']).split('-').map(Number).reduce((sum, one) => sum + one, 0)
    found.push({ number, dice: [first, second], total, call: event.call ?? '', mark: markOf(event), at_ms: event.at_ms, event })
  }
  return found
}

function markOf(event: TableEvent): PastRoll['mark'] {
  const { seven_out, puck, phase } = event.body as { seven_out: boolean; puck: number; phase: number }
  if (seven_out) return 'out'
  if (puck > 0 && phase <= 0) return 'point'
  return phase > 0 && puck === 0 ? 'made' : ''
}

export function handsOf(rolls: PastRoll[]): Hand[] {
  const hands: Hand[] = []
  let hand: Hand = { rolls: [], points: 0, over: false }
  for (const roll of rolls) {
    hand.rolls.push(roll)
    if (roll.mark === 'made') hand.points++
    if (roll.mark === 'out') {
      hand.over = true
      hands.push(hand)
      hand = { rolls: [], points: 0, over: false }
    }
  }
  if (hand.rolls.length) hands.push(hand)
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

/** The part of a sentence before its clauses, and the clauses. */
export function split(sentence: string): [string, string] {
  const at = sentence.lastIndexOf(': ')
  return at < 0 ? [sentence, ''] : [sentence.slice(0, at), sentence.slice(at + 2)]
}

const MARKS: Record<string, Line['mark']> = { win: 'win', lose: 'lose', moved: 'move' }

/** Lines for what a throw did; wagers it left alone are left out. */
export function settlements(event: TableEvent, you: string | null): Line[] {
  return (event.body['settled'] as Settled[]).flatMap((one, index) => {
    if (one.ruling.result === 'no_action') return []
    const [text, why] = split(event.sentences[index + 1] ?? '')
    const mine = one.player === you
    return [{ key: `${event.number}-${index}`, who: mine ? 'You' : (event.names[one.player] ?? 'Somebody'), mine, mark: MARKS[one.ruling.result] ?? 'none', text, why }]
  })
}

const TOLD = new Set(['made', 'changed', 'called', 'no_roll', 'dice_moved', 'joined', 'left', 'seated', 'bought_in', 'cashed_out', 'acted_for_absent', 'limits', 'missed', 'went', 'surveillance_told'])

/** A line for anything else that players are told. */
export function lineOf(event: TableEvent, you: string | null): Line | null {
  if (!TOLD.has(event.kind) || !event.sentences.length) return null
  const [text, why] = split(event.sentences.join(' '))
  const player = event.body['player'] as string | undefined
  const bets = ['made', 'changed', 'called'].includes(event.kind)
  const mine = player === you
  return { key: String(event.number), who: bets && player ? (mine ? 'You' : (event.names[player] ?? 'Somebody')) : '', mine, mark: 'none', text, why }
}
