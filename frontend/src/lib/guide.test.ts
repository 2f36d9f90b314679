import { describe, expect, it } from 'vitest'
import { nextStep } from './guide'
import type { Felt, TableEvent, View } from './types'

const felt = { layout: { spots: [{ spot: 'pass', name: 'Pass' }, { spot: 'pass_odds', name: 'Pass Odds', pays: [['6', '6 to 5']] }] } } as unknown as Felt
const seats = [{ player: 'me', name: 'Ann' }, { player: 'bo', name: 'Bo' }]
const view = (more: object = {}) => ({ you: 'me', is_seated: true, may_roll: true, point: null, shooter: 'me', offer_to: null, chips: [], closed: [], seats, ...more }) as unknown as View
const line = { player: 'me', spot: 'pass', tag: '1', on: null }
const odds = { player: 'me', spot: 'pass_odds', tag: '2', on: '1' }
const step = (more: object, last: TableEvent | null = null) => nextStep(felt, view(more), last, 0)

describe('the first-time guide', () => {
  it('goes from the line to the roll, the point and the odds', () => {
    expect(step({})).toMatchObject({ number: 1, lit: 'pass' })
    expect(step({ chips: [line] })).toMatchObject({ number: 2, lit: 'roll' })
    expect(step({ chips: [line], point: 6 })).toMatchObject({ number: 4, lit: 'pass_odds', text: expect.stringContaining('6 to 5') })
    expect(step({ chips: [line, odds], point: 6 })).toMatchObject({ number: 3, lit: 'roll' })
  })

  it('says what became of the bet, without clauses', () => {
    const settled = [{ player: 'me', tag: '1', ruling: { result: 'win', spot: 'pass' } }]
    const last = { number: 9, body: { settled }, sentences: ['6-1', 'Pass wins $25: 1.2(a)'], clauses: ['', '1.2(a)'], names: {} } as unknown as TableEvent
    expect(step({}, last)).toMatchObject({ number: 5, text: expect.stringMatching(/^Pass wins \$25\. That/) })
  })

  it('sends nobody into a refusal', () => {
    const closed = [{ code: 'window', sentence: 'a point is on', cite: [], spots: ['pass'] }]
    expect(step({ closed, point: 6 })).toMatchObject({ lit: null, text: expect.stringContaining('a point is on') })
    expect(step({ chips: [line], may_roll: false, shooter: 'bo' })).toMatchObject({ number: 2, lit: null, text: expect.stringContaining('Bo has the dice') })
  })

  it('is for those who have a seat', () => {
    expect(step({ is_seated: false })).toBeNull()
  })
})
