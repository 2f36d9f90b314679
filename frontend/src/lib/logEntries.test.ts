import { describe, expect, it } from 'vitest'
import { handsOf, latest, lineOf, rollsOf, settlements, spread } from './history'
import type { TableEvent } from './types'

let number = 0
function event(kind: string, body: Record<string, unknown>, more: Partial<TableEvent> = {}): TableEvent {
  return { number: ++number, at_ms: 0, kind, body, sentences: [], clauses: [], names: { b: 'Bo' }, hash: '', call: null, mark: null, new_hand: false, ...more }
}
function roll(dice: string, mark: TableEvent['mark'] = ''): TableEvent[] {
  return [
    event('revealed', { proof: { lock: { roll: number } } }),
    event('rolled', { dice, roll: dice, settled: [] }, { call: 'Called', mark, new_hand: mark === 'out' }),
  ]
}

describe('rolls and hands', () => {
  number = 10
  const events = [...roll('3-3', 'point'), ...roll('2-2'), ...roll('4-2', 'made'), ...roll('5-5', 'point'), ...roll('3-4', 'out'), ...roll('6-5')]
  const rolls = rollsOf(events)

  it('says what each throw did to the puck', () => {
    expect(rolls.map((one) => one.mark)).toEqual(['point', '', 'made', 'point', 'out', ''])
    expect(rolls.map((one) => one.total)).toEqual([6, 4, 6, 10, 7, 11])
  })

  it('leaves out a throw whose number it was not told', () => {
    expect(rollsOf(events.slice(1)).map((one) => one.number)).toEqual(rolls.slice(1).map((one) => one.number))
  })

  it('ends a hand where the server says so: with a seven out, and when the dice are given up', () => {
    const shape = (list: TableEvent[]) => handsOf(list).map((hand) => [hand.rolls.length, hand.points, hand.over])
    expect(shape(events)).toEqual([[5, 1, true], [1, 0, false]])
    const passed = [event('dice_moved', { what: 'passed' }, { new_hand: true }), event('dice_moved', { what: 'accepted' }, { new_hand: true })]
    expect(shape([...events, ...passed])).toEqual([[5, 1, true], [1, 0, true]])
    expect(shape([...events, ...passed, ...roll('2-1')])).toEqual([[5, 1, true], [1, 0, true], [1, 0, false]])
    expect(shape([...events, event('dice_moved', { what: 'declined' }), ...roll('2-1')])).toEqual([[5, 1, true], [2, 0, false]])
  })

  it('expects what two fair dice do', () => {
    const totals = spread(rolls)
    expect(totals.reduce((sum, one) => sum + one.expected, 0)).toBeCloseTo(6)
    expect(totals.find((one) => one.total === 7)).toEqual({ total: 7, count: 1, expected: 1 })
  })
})

describe('lines of the log', () => {
  it('keeps clauses apart, and cuts nothing else off', () => {
    const won = event('made', { player: 'a' }, { sentences: ['Ann: Place 6 for $12: N.J.A.C. 19:47-1.2'], clauses: ['N.J.A.C. 19:47-1.2'] })
    expect([lineOf(won, 'a')?.text, lineOf(won, 'a')?.why]).toEqual(['Ann: Place 6 for $12', 'N.J.A.C. 19:47-1.2'])
    const away = event('acted_for_absent', {}, { sentences: ['Ann was away: the dice were passed by the book'], clauses: [''] })
    expect([lineOf(away, 'a')?.text, lineOf(away, 'a')?.why]).toEqual(['Ann was away: the dice were passed by the book', ''])
  })

  it('tells what was decided, and leaves out what was not', () => {
    const settled = [
      { player: 'a', tag: '1', ruling: { result: 'win' } },
      { player: 'a', tag: '2', ruling: { result: 'no_action' } },
      { player: 'b', tag: '3', ruling: { result: 'lose' } },
    ]
    const lines = settlements(event('rolled', { settled }, { sentences: ['Six', 'Pass wins: 1.2', 'Hard 8 stays up: 1.3', 'Field loses: 1.4'], clauses: ['', '1.2', '1.3', '1.4'] }), 'a')
    expect(lines.map((line) => [line.who, line.mark, line.text, line.why])).toEqual([['You', 'win', 'Pass wins', '1.2'], ['Bo', 'lose', 'Field loses', '1.4']])
  })

  it('keeps what is only for machines to itself', () => {
    expect(lineOf(event('committed', {}, { sentences: ['x'] }), 'a')).toBeNull()
    expect(lineOf(event('made', { player: 'b' }, { sentences: ['Pass for $10: 1.2'] }), 'a')?.who).toBe('Bo')
  })

  it('lists the newest first, and says whether that is all', () => {
    const made = event('made', { player: 'b' }, { sentences: ['Pass for $10'] })
    const [, first] = roll('1-1')
    const [, second] = roll('1-2')
    const rows = [made, first, event('locked', {}, { sentences: ['x'] }), second] as TableEvent[]
    expect(latest(rows, 'a', 1)).toEqual({ rows: [second], all: false })
    expect(latest(rows, 'a', 2)).toEqual({ rows: [second, first], all: false })
    expect(latest(rows, 'a', 3)).toEqual({ rows: [second, first, made], all: true })
    expect(latest([first, event('locked', {})] as TableEvent[], 'a', 1).all).toBe(true)
  })
})
