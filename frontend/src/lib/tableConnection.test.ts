import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { RequestError } from './api'
import type { TableEvent, TableView } from './serverTypes'
import { TableConnection } from './tableConnection.svelte'

/** A WebSocket whose server side is the test. */
class FakeSocket {
  static readonly CONNECTING = 0
  static all: FakeSocket[] = []
  readyState = 0
  onopen: (() => void) | null = null
  onmessage: ((event: { data: string }) => void) | null = null
  onclose: (() => void) | null = null
  sent: { id: string; command: string }[] = []

  constructor(readonly address: string) {
    FakeSocket.all.push(this)
  }

  send(frame: string): void {
    this.sent.push(JSON.parse(frame))
  }

  close(): void {
    this.readyState = 3
    this.onclose?.()
  }

  receive(frame: object): void {
    this.onmessage?.({ data: JSON.stringify(frame) })
  }

  /** Open, and send a view. */
  open(sequence = 3): void {
    this.readyState = 1
    this.onopen?.()
    this.receive({ view: view(sequence) })
    this.receive({ caught_up: true })
  }
}

const view = (sequence: number) =>
  ({
    sequence,
    you: null,
    seats: [],
    bets: [],
    legal_actions: [],
    closed_spots: [],
    now_ms: Date.now(),
  }) as unknown as TableView
const event = (sequence: number, kind = 'bet_made') =>
  ({ sequence, kind, body: { player: 'bob' }, sentences: [], names: {} }) as unknown as TableEvent
const last = () => FakeSocket.all.at(-1) as FakeSocket
let responses: Record<string, () => Response>

beforeEach(() => {
  vi.useFakeTimers()
  FakeSocket.all = []
  responses = {
    '/api/tables/t1': () =>
      Response.json({ id: 't1', sequence: 3, roll: { number: 1 }, layout: { spots: [{ spot: 'pass' }] } }),
    '/api/tables/t1/events': () => Response.json({ events: [event(1, 'anchor_published'), event(2), event(3)] }),
  }
  vi.stubGlobal('WebSocket', FakeSocket)
  vi.stubGlobal('location', new URL('http://here/table/t1'))
  vi.stubGlobal('addEventListener', vi.fn())
  vi.stubGlobal('removeEventListener', vi.fn())
  vi.stubGlobal('fetch', (path: string) => {
    const response = responses[path.split('?')[0] ?? '']
    return response ? Promise.resolve(response()) : Promise.reject(new TypeError('offline'))
  })
})
afterEach(() => {
  vi.unstubAllGlobals()
  vi.useRealTimers()
})

async function openTable(): Promise<TableConnection> {
  const table = new TableConnection('t1', null)
  await table.open()
  last().open()
  return table
}

describe('a table', () => {
  it('is live when all events have arrived', async () => {
    const table = await openTable()
    expect(table.status).toBe('live')
    expect(last().address).toBe('ws://here/api/tables/t1/ws?after=3&view=1')
    expect([...table.spots.keys()]).toEqual(['pass'])
  })

  it('shows a view only after the events that led to it', async () => {
    const table = await openTable()
    last().receive({ view: view(5) })
    expect(table.view?.sequence).toBe(3)
    last().receive({ event: event(4) })
    expect(table.view?.sequence).toBe(3)
    last().receive({ event: event(5) })
    expect(table.view?.sequence).toBe(5)
  })

  it('handles every event once', async () => {
    const table = await openTable()
    const received: number[] = []
    table.onevent = ({ sequence }) => received.push(sequence)
    for (const sequence of [4, 4, 3, 5]) last().receive({ event: event(sequence) })
    expect(received).toEqual([4, 5])
  })

  it('that is refused permanently is closed, with the error message', async () => {
    responses['/api/tables/t1'] = () =>
      Response.json({ error: { code: 'no_table', message: 'There is no such table.' } }, { status: 404 })
    const table = new TableConnection('t1', null)
    await table.open()
    expect([table.status, table.error?.message]).toEqual(['closed', 'There is no such table.'])
    expect(FakeSocket.all).toEqual([])
  })

  it('that cannot be reached is retried', async () => {
    const { ['/api/tables/t1']: working } = responses
    delete responses['/api/tables/t1']
    const table = new TableConnection('t1', null)
    await table.open()
    expect(table.status).toBe('away')
    responses['/api/tables/t1'] = working as () => Response
    await vi.advanceTimersByTimeAsync(1000)
    last().open()
    expect(table.status).toBe('live')
  })
})

describe('a lost connection', () => {
  it('is restored from the last event, and reports how many rolls were missed', async () => {
    const table = await openTable()
    const missed: number[] = []
    table.onreconnect = (count) => missed.push(count)
    last().receive({ event: event(4) })
    last().close()
    expect(table.status).toBe('away')
    await vi.advanceTimersByTimeAsync(300)
    expect(last().address).toContain('after=4')
    last().open(4)
    expect([table.status, missed]).toEqual(['live', [0]])
  })

  it('is not retried when the table no longer exists', async () => {
    const table = await openTable()
    last().close()
    await vi.advanceTimersByTimeAsync(300)
    responses['/api/tables/t1'] = () =>
      Response.json({ error: { code: 'no_table', message: 'Gone.' } }, { status: 404 })
    last().close()
    await vi.advanceTimersByTimeAsync(10_000)
    expect([table.status, table.error?.message, FakeSocket.all.length]).toEqual(['closed', 'Gone.', 2])
  })

  it('that stays silent is detected by a command without a reply, which is sent again under its id', async () => {
    const table = await openTable()
    const reply = table.send({ command: 'roll' })
    const [first] = last().sent
    expect(first).toMatchObject({ command: 'roll', for_roll: table.seeds?.roll })
    await vi.advanceTimersByTimeAsync(8300)
    expect(FakeSocket.all.length).toBe(2)
    last().open()
    expect(last().sent).toEqual([first])
    last().receive({ reply_to: first?.id, ok: true, sequence: 7 })
    expect(await reply).toBe(7)
    await vi.advanceTimersByTimeAsync(20_000)
    expect(table.status).toBe('live')
  })

  it('made on purpose, to sign in, shows no error', async () => {
    const table = await openTable()
    table.reconnectAsUser()
    expect(table.status).toBe('connecting')
    last().open()
    expect([table.status, FakeSocket.all.length]).toEqual(['live', 2])
  })

  it('is not restored after the table is closed', async () => {
    const table = await openTable()
    table.close()
    await vi.advanceTimersByTimeAsync(60_000)
    expect(FakeSocket.all.length).toBe(1)
  })

  it('closed while connecting is closed once it is open', async () => {
    const table = new TableConnection('t1', null)
    await table.open()
    table.close()
    expect(last().readyState).toBe(0)
    last().open()
    expect(last().readyState).toBe(3)
    expect(table.status).toBe('connecting')
  })
})

describe('a command', () => {
  it('that is refused is rejected', async () => {
    const table = await openTable()
    const reply = table.send({ command: 'roll' })
    last().receive({ reply_to: last().sent[0]?.id, ok: false, error: { code: 'too_soon', message: 'Wait.' } })
    await expect(reply).rejects.toBeInstanceOf(RequestError)
  })

  it.each(['rate_limited', 'unavailable', 'held_elsewhere', 'busy', 'stale_epoch', 'stale_sequence'])(
    'refused with %s is sent again unchanged',
    async (code) => {
      const table = await openTable()
      const reply = table.send({ command: 'roll' })
      const [first] = last().sent
      last().receive({ reply_to: first?.id, ok: false, error: { code, message: 'Later.', retry_after_ms: 100 } })
      await vi.advanceTimersByTimeAsync(150)
      expect(last().sent).toEqual([first, first])
      last().receive({ reply_to: first?.id, ok: true, sequence: 4 })
      expect(await reply).toBe(4)
    },
  )

  it('is in effect when the view reaches its event', async () => {
    const table = await openTable()
    let isReached = false
    void table.viewReached(4).then(() => (isReached = true))
    last().receive({ view: view(4) })
    await Promise.resolve()
    expect(isReached).toBe(false)
    last().receive({ event: event(4) })
    await vi.advanceTimersByTimeAsync(0)
    expect(isReached).toBe(true)
    await table.viewReached(2)
  })
})
