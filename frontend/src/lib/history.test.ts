import { describe, expect, it } from 'vitest'
import { handsOf, lineOf, rollsOf, settlements, split, spread } from './history'
import type { TableEvent } from './types'

let number = 0
function event(kind: string, body: Record<string, unknown>, sentences: string[] = []): TableEvent {
  return { number: ++number, at_ms: 0, kind, body, sentences, names: { b: 'Bo' }, hash: '', call: kind === 'rolled' ? 'Called' : null }
}
function roll(dice: string, phase: number, puck: number, seven_out = false): TableEvent[] {
  return [
    event('revealed', { proof: { lock: { roll: number } } }),
    event('rolled', { dice, roll: dice, phase, puck, seven_out, settled: [] }),
  ]
}

describe('rolls and hands', () => {
  const events = [...roll('3-3', 0, 6), ...roll('2-2', 6, 6), ...roll('4-2', 6, 0), ...roll('5-5', 0, 10), ...roll('3-4', 10, 0, true), ...roll('6-5', 0, 0)]
  const rolls = rollsOf(events)

  it('says what each throw did to the puck', () => {
    expect(rolls.map((one) => one.mark)).toEqual(['point', '', 'made', 'point', 'out', ''])
    expect(rolls.map((one) => one.total)).toEqual([6, 4, 6, 10, 7, 11])
  })

  it('ends a hand with a seven out', () => {
    const hands = handsOf(rolls)
    expect(hands.map((hand) => [hand.rolls.length, hand.points, hand.over])).toEqual([[5, 1, true], [1, 0, false]])
  })

  it('expects what two fair dice do', () => {
    const totals = spread(rolls)
    expect(totals.reduce((sum, one) => sum + one.expected, 0)).toBeCloseTo(6)
    expect(totals.find((one) => one.total === 7)).toEqual({ total: 7, count: 1, expected: 1 })
  })
})

describe('lines of the log', () => {
  it('splits a sentence from its clauses', () => {
    expect(split('Place 6 wins $14 on $12 at 7 to 6: N.J.A.C. 19:47-1.4(b)')).toEqual(['Place 6 wins $14 on $12 at 7 to 6', 'N.J.A.C. 19:47-1.4(b)'])
    expect(split('Ann comes to the table')).toEqual(['Ann comes to the table', ''])
  })

  it('tells what was decided, and leaves out what was not', () => {
    const settled = [
      { player: 'a', tag: '1', ruling: { result: 'win' } },
      { player: 'a', tag: '2', ruling: { result: 'no_action' } },
      { player: 'b', tag: '3', ruling: { result: 'lose' } },
    ]
    const lines = settlements(event('rolled', { settled }, ['Six', 'Pass wins: 1.2', 'Hard 8 stays up: 1.3', 'Field loses: 1.4']), 'a')
    expect(lines.map((line) => [line.who, line.mark, line.text, line.why])).toEqual([['You', 'win', 'Pass wins', '1.2'], ['Bo', 'lose', 'Field loses', '1.4']])
  })

  it('keeps what is only for machines to itself', () => {
    expect(lineOf(event('committed', {}, ['x']), 'a')).toBeNull()
    expect(lineOf(event('made', { player: 'b' }, ['Pass for $10: 1.2']), 'a')?.who).toBe('Bo')
  })
})
