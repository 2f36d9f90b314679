import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { preferences } from './preferences.svelte'
import { RollAnimation } from './rollAnimation.svelte'
import type { TableEvent, TableView } from './serverTypes'
import type { TableConnection } from './tableConnection.svelte'

const WIN = { player: 'me', tag: '1', settlement: { result: 'win', spot: 'pass', net_cents: 1000, cite: [] } }
const before = { you: 'me', bets: [{ tag: '1' }] } as unknown as TableView
const after = { you: 'me', bets: [] } as unknown as TableView
const event = (sequence: number, kind: string, body: object = {}): TableEvent =>
  ({
    sequence,
    kind,
    body,
    at_ms: 0,
    names: {},
    sentences: ['A roll', 'Pass wins: 1.2(a)'],
    clauses: ['', '1.2(a)'],
    stick_call: 'Seven, winner',
  }) as unknown as TableEvent
const made = event(1, 'bet_made')
const rolled = event(2, 'rolled', { dice: '3-4', settled: [WIN] })

/** A table that has received a roll and the view after it. */
function startRoll(): { animation: RollAnimation; table: { view: TableView; events: TableEvent[] } } {
  const table = { view: before, events: [made, rolled] }
  const animation = new RollAnimation(table as unknown as TableConnection)
  animation.onEvent(rolled, true)
  table.view = after
  return { animation, table }
}

beforeEach(() => vi.useFakeTimers())
afterEach(() => {
  vi.useRealTimers()
  preferences.fast = preferences.reducedMotion = false
})

describe('the animation of a roll', () => {
  it('reveals nothing while the dice tumble', () => {
    const { animation } = startRoll()
    expect([animation.phase, animation.isTumbling]).toEqual(['dice', true])
    expect(animation.dice).toBeNull()
    expect(animation.revealedEvents).toEqual([made])
    expect(animation.view).toBe(before)
    expect(animation.revealedView).toBe(before)
    expect(animation.announcement).toBe('')
  })

  it('calls, takes, pays and moves, in this order', () => {
    const { animation } = startRoll()
    const phases = [animation.phase]
    for (let ms = 0; ms < 4000; ms += 50) {
      vi.advanceTimersByTime(50)
      if (phases.at(-1) !== animation.phase) phases.push(animation.phase)
    }
    expect(phases).toEqual(['dice', 'call', 'take', 'pay', 'move', 'rest'])
    expect(animation.dice).toEqual([3, 4])
    expect(animation.revealedEvents).toEqual([made, rolled])
    expect(animation.revealedView).toBe(after)
    expect(animation.announcement).toBe('Seven, winner. Pass wins')
  })

  it('keeps the chips in place until they move', () => {
    const { animation } = startRoll()
    const views = new Map<string, TableView | null>()
    for (let ms = 0; ms < 4000; ms += 50) {
      views.set(animation.phase, animation.view)
      vi.advanceTimersByTime(50)
    }
    expect(views).toEqual(
      new Map([
        ['dice', before],
        ['call', before],
        ['take', before],
        ['pay', before],
        ['move', after],
        ['rest', after],
      ]),
    )
  })

  it('can be skipped', () => {
    const { animation } = startRoll()
    animation.skip()
    expect([animation.phase, animation.dice, animation.view]).toEqual(['rest', [3, 4], after])
    expect(animation.revealedEvents).toEqual([made, rolled])
    expect(vi.getTimerCount()).toBe(0)
  })

  it('takes less than a second in fast mode', () => {
    preferences.fast = true
    const { animation } = startRoll()
    vi.advanceTimersByTime(750)
    expect(animation.phase).toBe('rest')
  })

  it('shows the dice at once with reduced motion', () => {
    preferences.reducedMotion = true
    const { animation } = startRoll()
    expect([animation.dice, animation.isTumbling]).toEqual([[3, 4], false])
  })

  it('is not played for past rolls', () => {
    const animation = new RollAnimation({ view: after, events: [made, rolled] } as unknown as TableConnection)
    animation.onEvent(rolled, false)
    expect([animation.phase, animation.dice, animation.announcement]).toEqual(['rest', [3, 4], ''])
  })
})
