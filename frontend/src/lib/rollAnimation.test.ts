import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { prefs } from './prefs.svelte'
import { Show } from './show.svelte'
import type { Table } from './table.svelte'
import type { TableEvent, View } from './types'

const WIN = { player: 'me', tag: '1', ruling: { result: 'win', spot: 'pass', net: 1000, cite: [] } }
const before = { you: 'me', chips: [{ tag: '1' }] } as unknown as View
const after = { you: 'me', chips: [] } as unknown as View
const event = (number: number, kind: string, body: object = {}): TableEvent =>
  ({ number, kind, body, at_ms: 0, names: {}, sentences: ['A throw', 'Pass wins: 1.2(a)'], clauses: ['', '1.2(a)'], call: 'Seven, winner' }) as unknown as TableEvent
const made = event(1, 'made')
const rolled = event(2, 'rolled', { dice: '3-4', settled: [WIN] })

/** A table that has heard of a throw, and of what stands after it. */
function thrown(): { show: Show; table: { view: View; events: TableEvent[] } } {
  const table = { view: before, events: [made, rolled] }
  const show = new Show(table as unknown as Table)
  show.hear(rolled, true)
  table.view = after
  return { show, table }
}

beforeEach(() => vi.useFakeTimers())
afterEach(() => {
  vi.useRealTimers()
  prefs.fast = prefs.calm = false
})

describe('the show of a throw', () => {
  it('tells nothing of the throw while the dice tumble', () => {
    const { show } = thrown()
    expect([show.phase, show.isTumbling]).toEqual(['dice', true])
    expect(show.dice).toBeNull()
    expect(show.events).toEqual([made])
    expect(show.view).toBe(before)
    expect(show.told).toBe(before)
    expect(show.said).toBe('')
  })

  it('calls, takes, pays and moves, in this order', () => {
    const { show } = thrown()
    const phases = [show.phase]
    for (let ms = 0; ms < 4000; ms += 50) {
      vi.advanceTimersByTime(50)
      if (phases.at(-1) !== show.phase) phases.push(show.phase)
    }
    expect(phases).toEqual(['dice', 'call', 'take', 'pay', 'move', 'rest'])
    expect(show.dice).toEqual([3, 4])
    expect(show.events).toEqual([made, rolled])
    expect(show.told).toBe(after)
    expect(show.said).toBe('Seven, winner. Pass wins')
  })

  it('keeps the chips where they are until they move', () => {
    const { show } = thrown()
    const seen = new Map<string, View | null>()
    for (let ms = 0; ms < 4000; ms += 50) {
      seen.set(show.phase, show.view)
      vi.advanceTimersByTime(50)
    }
    expect(seen).toEqual(new Map([['dice', before], ['call', before], ['take', before], ['pay', before], ['move', after], ['rest', after]]))
  })

  it('is over at once for whoever has seen enough', () => {
    const { show } = thrown()
    show.skip()
    expect([show.phase, show.dice, show.view]).toEqual(['rest', [3, 4], after])
    expect(show.events).toEqual([made, rolled])
    expect(vi.getTimerCount()).toBe(0)
  })

  it('takes less than a second in a hurry', () => {
    prefs.fast = true
    const { show } = thrown()
    vi.advanceTimersByTime(750)
    expect(show.phase).toBe('rest')
  })

  it('shows the dice at once where nothing may move', () => {
    prefs.calm = true
    const { show } = thrown()
    expect([show.dice, show.isTumbling]).toEqual([[3, 4], false])
  })

  it('is none for throws of the past', () => {
    const show = new Show({ view: after, events: [made, rolled] } as unknown as Table)
    show.hear(rolled, false)
    expect([show.phase, show.dice, show.said]).toEqual(['rest', [3, 4], ''])
  })
})
