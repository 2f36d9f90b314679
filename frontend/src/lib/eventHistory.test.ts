import { afterEach, describe, expect, it, vi } from 'vitest'
import { EventHistory } from './eventHistory.svelte'
import type { TableEvent } from './serverTypes'

const makeEvents = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, index) => ({ sequence: from + index }) as TableEvent)
const sequences = (events: TableEvent[]) => events.map(({ sequence }) => sequence)

/** Simulate the server, and return the list of requests. */
function serve(): string[] {
  const requests: string[] = []
  vi.stubGlobal('fetch', async (path: string) => {
    requests.push(path)
    const parameters = new URL(path, 'http://here').searchParams
    const after = Number(parameters.get('after'))
    return new Response(
      JSON.stringify({ events: makeEvents(after + 1, after + Number(parameters.get('limit'))), has_more: true }),
    )
  })
  return requests
}

describe('the event history', () => {
  afterEach(() => void vi.unstubAllGlobals())

  it('loads earlier events until there are none', async () => {
    const requests = serve()
    const table = { id: 't', invitation: 'x y', events: makeEvents(601, 610) }
    const history = new EventHistory(table)
    expect(history.hasEarlier).toBe(true)
    await history.loadEarlier()
    expect(sequences(history.prependTo(table.events))).toEqual(sequences(makeEvents(201, 610)))
    await history.loadEarlier()
    expect(sequences(history.prependTo(table.events))).toEqual(sequences(makeEvents(1, 610)))
    expect(history.hasEarlier).toBe(false)
    await history.loadEarlier()
    expect(requests).toEqual([
      '/api/tables/t/events?after=200&limit=400&invitation=x%20y',
      '/api/tables/t/events?after=0&limit=200&invitation=x%20y',
    ])
  })

  it('has no gap when the table drops events', async () => {
    serve()
    const table = { id: 't', invitation: null, events: makeEvents(11, 20) }
    const history = new EventHistory(table)
    await history.loadEarlier()
    for (let last = 25; last <= 60; last += 5) {
      table.events = makeEvents(last - 9, last)
      history.syncNewEvents()
    }
    expect(sequences(history.prependTo(table.events))).toEqual(sequences(makeEvents(1, 60)))
    expect(sequences(history.prependTo(table.events.slice(0, -2)))).toEqual(sequences(makeEvents(1, 58)))
  })

  it('is complete when the first event is loaded', () => {
    expect(new EventHistory({ id: 't', invitation: null, events: makeEvents(1, 5) }).hasEarlier).toBe(false)
    expect(new EventHistory({ id: 't', invitation: null, events: [] }).hasEarlier).toBe(false)
  })

  it('shows an error and can be retried', async () => {
    vi.stubGlobal('fetch', async () => Promise.reject(new TypeError('no network')))
    const history = new EventHistory({ id: 't', invitation: null, events: makeEvents(9, 10) })
    await history.loadEarlier()
    expect(history.error).toBe('The server cannot be reached.')
    serve()
    await history.loadEarlier()
    expect([history.error, history.hasEarlier]).toEqual(['', false])
  })
})
