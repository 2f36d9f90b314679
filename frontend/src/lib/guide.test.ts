import { describe, expect, it } from 'vitest'
import { nextStep } from './guide'
import type { TableEvent, TableInfo, TableView } from './serverTypes'

const info = {
  layout: {
    spots: [
      { spot: 'pass', name: 'Pass' },
      { spot: 'pass_odds', name: 'Pass Odds', pays: [['6', '6 to 5']] },
    ],
  },
} as unknown as TableInfo
const seats = [
  { player: 'me', name: 'Ann' },
  { player: 'bo', name: 'Bo' },
]
const view = (more: object = {}) =>
  ({
    you: 'me',
    is_seated: true,
    can_roll: true,
    point: null,
    shooter: 'me',
    offered_to: null,
    bets: [],
    closed_spots: [],
    seats,
    ...more,
  }) as unknown as TableView
const line = { player: 'me', spot: 'pass', tag: '1', base_tag: null }
const odds = { player: 'me', spot: 'pass_odds', tag: '2', base_tag: '1' }
const step = (more: object, last: TableEvent | null = null) => nextStep(info, view(more), last, 0)

describe('the first-time guide', () => {
  it('goes from the line to the roll, the point and the odds', () => {
    expect(step({})).toMatchObject({ number: 1, highlight: 'pass' })
    expect(step({ bets: [line] })).toMatchObject({ number: 2, highlight: 'roll' })
    expect(step({ bets: [line], point: 6 })).toMatchObject({
      number: 4,
      highlight: 'pass_odds',
      text: expect.stringContaining('6 to 5'),
    })
    expect(step({ bets: [line, odds], point: 6 })).toMatchObject({ number: 3, highlight: 'roll' })
  })

  it('shows the result of the bet without clauses', () => {
    const settled = [{ player: 'me', tag: '1', settlement: { result: 'win', spot: 'pass' } }]
    const last = {
      sequence: 9,
      body: { settled },
      sentences: ['6-1', 'Pass wins $25: 1.2(a)'],
      clauses: ['', '1.2(a)'],
      names: {},
    } as unknown as TableEvent
    expect(step({}, last)).toMatchObject({ number: 5, text: expect.stringMatching(/^Pass wins \$25\. That/) })
  })

  it('suggests nothing that would be refused', () => {
    const closed_spots = [{ code: 'window', message: 'a point is on', cite: [], spots: ['pass'] }]
    expect(step({ closed_spots, point: 6 })).toMatchObject({
      highlight: null,
      text: expect.stringContaining('a point is on'),
    })
    expect(step({ bets: [line], can_roll: false, shooter: 'bo' })).toMatchObject({
      number: 2,
      highlight: null,
      text: expect.stringContaining('Bo has the dice'),
    })
  })

  it('is only for seated players', () => {
    expect(step({ is_seated: false })).toBeNull()
  })
})
