import { describe, expect, it } from 'vitest'
import { handEntries, latestEvents, logLine, rollEntries, settlementLines, totalCounts } from './logEntries'
import type { EventBody, SettledWager, TableEvent } from './serverTypes'

let sequence = 0
function event(kind: string, body: EventBody, more: Partial<TableEvent> = {}): TableEvent {
  return {
    sequence: ++sequence,
    at_ms: 0,
    kind,
    body,
    sentences: [],
    clauses: [],
    names: { b: 'Bo' },
    hash: '',
    stick_call: null,
    puck_change: null,
    ends_hand: false,
    ...more,
  }
}
function roll(dice: string, puck_change: TableEvent['puck_change'] = ''): TableEvent[] {
  return [
    event('secret_revealed', { proof: { lock: { roll: sequence } } }),
    event(
      'rolled',
      { dice, roll: dice, settled: [] },
      { stick_call: 'Called', puck_change, ends_hand: puck_change === 'seven_out' },
    ),
  ]
}

describe('rolls and hands', () => {
  sequence = 10
  const events = [
    ...roll('3-3', 'point_set'),
    ...roll('2-2'),
    ...roll('4-2', 'point_made'),
    ...roll('5-5', 'point_set'),
    ...roll('3-4', 'seven_out'),
    ...roll('6-5'),
  ]
  const rolls = rollEntries(events)

  it('says what each roll did to the puck', () => {
    expect(rolls.map(({ puckChange }) => puckChange)).toEqual([
      'point_set',
      '',
      'point_made',
      'point_set',
      'seven_out',
      '',
    ])
    expect(rolls.map(({ total }) => total)).toEqual([6, 4, 6, 10, 7, 11])
  })

  it('leaves out a roll whose number is unknown', () => {
    expect(rollEntries(events.slice(1)).map(({ number }) => number)).toEqual(rolls.slice(1).map(({ number }) => number))
  })

  it('ends a hand where the server says so: on a seven-out and when the dice are passed', () => {
    const shape = (list: TableEvent[]) =>
      handEntries(list).map((hand) => [hand.rolls.length, hand.pointsMade, hand.isOver])
    expect(shape(events)).toEqual([
      [5, 1, true],
      [1, 0, false],
    ])
    const passed = [
      event('custody_changed', {}, { ends_hand: true }),
      event('custody_changed', {}, { ends_hand: true }),
    ]
    expect(shape([...events, ...passed])).toEqual([
      [5, 1, true],
      [1, 0, true],
    ])
    expect(shape([...events, ...passed, ...roll('2-1')])).toEqual([
      [5, 1, true],
      [1, 0, true],
      [1, 0, false],
    ])
    expect(shape([...events, event('custody_changed', {}), ...roll('2-1')])).toEqual([
      [5, 1, true],
      [2, 0, false],
    ])
  })

  it('expects the totals of two fair dice', () => {
    const totals = totalCounts(rolls)
    expect(totals.reduce((sum, { expected }) => sum + expected, 0)).toBeCloseTo(6)
    expect(totals.find(({ total }) => total === 7)).toEqual({ total: 7, count: 1, expected: 1 })
  })
})

describe('log lines', () => {
  it('split off clauses and nothing else', () => {
    const placed = event(
      'bet_made',
      { player: 'a' },
      { sentences: ['Ann: Place 6 for $12: N.J.A.C. 19:47-1.2'], clauses: ['N.J.A.C. 19:47-1.2'] },
    )
    expect([logLine(placed, 'a')?.text, logLine(placed, 'a')?.clauses]).toEqual([
      'Ann: Place 6 for $12',
      'N.J.A.C. 19:47-1.2',
    ])
    const away = event(
      'acted_for_absent',
      {},
      { sentences: ['Ann was away: the dice were passed by the book'], clauses: [''] },
    )
    expect([logLine(away, 'a')?.text, logLine(away, 'a')?.clauses]).toEqual([
      'Ann was away: the dice were passed by the book',
      '',
    ])
  })

  it('show the wagers that were settled', () => {
    const settled = [
      { player: 'a', tag: '1', settlement: { result: 'win' } },
      { player: 'a', tag: '2', settlement: { result: 'no_action' } },
      { player: 'b', tag: '3', settlement: { result: 'lose' } },
    ] as SettledWager[]
    const lines = settlementLines(
      event(
        'rolled',
        { settled },
        {
          sentences: ['Six', 'Pass wins: 1.2', 'Hard 8 stays up: 1.3', 'Field loses: 1.4'],
          clauses: ['', '1.2', '1.3', '1.4'],
        },
      ),
      'a',
    )
    expect(lines.map((line) => [line.player, line.mark, line.text, line.clauses])).toEqual([
      ['You', 'win', 'Pass wins', '1.2'],
      ['Bo', 'lose', 'Field loses', '1.4'],
    ])
  })

  it('leave out technical events', () => {
    expect(logLine(event('seed_committed', {}, { sentences: ['x'] }), 'a')).toBeNull()
    expect(logLine(event('bet_made', { player: 'b' }, { sentences: ['Pass for $10: 1.2'] }), 'a')?.player).toBe('Bo')
  })

  it('are listed newest first, with whether the list is complete', () => {
    const made = event('bet_made', { player: 'b' }, { sentences: ['Pass for $10'] })
    const [, first] = roll('1-1')
    const [, second] = roll('1-2')
    const events = [made, first, event('roll_locked', {}, { sentences: ['x'] }), second] as TableEvent[]
    expect(latestEvents(events, 'a', 1)).toEqual({ events: [second], isComplete: false })
    expect(latestEvents(events, 'a', 2)).toEqual({ events: [second, first], isComplete: false })
    expect(latestEvents(events, 'a', 3)).toEqual({ events: [second, first, made], isComplete: true })
    expect(latestEvents([first, event('roll_locked', {})] as TableEvent[], 'a', 1).isComplete).toBe(true)
  })
})
