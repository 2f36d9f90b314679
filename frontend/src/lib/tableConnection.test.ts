import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { Refused } from './api'
import { Table } from './table.svelte'
import type { TableEvent, View } from './types'

/** A connection that a test speaks through. */
class Socket {
  static readonly CONNECTING = 0
  static made: Socket[] = []
  readyState = 0
  onopen: (() => void) | null = null
  onmessage: ((event: { data: string }) => void) | null = null
  onclose: (() => void) | null = null
  sent: { id: string; wish: string }[] = []

  constructor(readonly address: string) {
    Socket.made.push(this)
  }

  send(frame: string): void {
    this.sent.push(JSON.parse(frame))
  }

  close(): void {
    this.readyState = 3
    this.onclose?.()
  }

  say(frame: object): void {
    this.onmessage?.({ data: JSON.stringify(frame) })
  }

  /** Be there, and tell how the table stands. */
  come(sequence = 3): void {
    this.readyState = 1
    this.onopen?.()
    this.say({ view: view(sequence) })
    this.say({ caught_up: true })
  }
}

const view = (sequence: number) => ({ sequence, you: null, seats: [], chips: [], choices: [], closed: [], now_ms: Date.now() }) as unknown as View
const event = (number: number, kind = 'made') => ({ number, kind, body: { player: 'bob' }, sentences: [], names: {} }) as unknown as TableEvent
const last = () => Socket.made.at(-1) as Socket
let answers: Record<string, () => Response>

beforeEach(() => {
  vi.useFakeTimers()
  Socket.made = []
  answers = {
    '/api/tables/t1': () => Response.json({ id: 't1', sequence: 3, roll: { number: 1 }, layout: { spots: [{ spot: 'pass' }] } }),
    '/api/tables/t1/rows': () => Response.json({ rows: [event(1, 'anchored'), event(2), event(3)] }),
  }
  vi.stubGlobal('WebSocket', Socket)
  vi.stubGlobal('location', new URL('http://here/table/t1'))
  vi.stubGlobal('addEventListener', vi.fn())
  vi.stubGlobal('removeEventListener', vi.fn())
  vi.stubGlobal('fetch', (path: string) => {
    const answer = answers[path.split('?')[0] ?? '']
    return answer ? Promise.resolve(answer()) : Promise.reject(new TypeError('offline'))
  })
})
afterEach(() => {
  vi.unstubAllGlobals()
  vi.useRealTimers()
})

async function opened(): Promise<Table> {
  const table = new Table('t1', null)
  await table.open()
  last().come()
  return table
}

describe('a table', () => {
  it('is live when everything that happened is known', async () => {
    const table = await opened()
    expect(table.status).toBe('live')
    expect(last().address).toBe('ws://here/api/tables/t1/ws?after=3&view=1')
    expect([...table.spots.keys()]).toEqual(['pass'])
  })

  it('does not show what a view says before the events that led to it', async () => {
    const table = await opened()
    last().say({ view: view(5) })
    expect(table.view?.sequence).toBe(3)
    last().say({ event: event(4) })
    expect(table.view?.sequence).toBe(3)
    last().say({ event: event(5) })
    expect(table.view?.sequence).toBe(5)
  })

  it('takes every event once', async () => {
    const table = await opened()
    const heard: number[] = []
    table.onevent = (one) => heard.push(one.number)
    for (const number of [4, 4, 3, 5]) last().say({ event: event(number) })
    expect(heard).toEqual([4, 5])
  })

  it('that says no for good is closed, with its words', async () => {
    answers['/api/tables/t1'] = () => Response.json({ error: { code: 'no_table', sentence: 'There is no such table.' } }, { status: 404 })
    const table = new Table('t1', null)
    await table.open()
    expect([table.status, table.error?.sentence]).toEqual(['closed', 'There is no such table.'])
    expect(Socket.made).toEqual([])
  })

  it('that cannot be reached is tried again', async () => {
    const { ['/api/tables/t1']: there } = answers
    delete answers['/api/tables/t1']
    const table = new Table('t1', null)
    await table.open()
    expect(table.status).toBe('away')
    answers['/api/tables/t1'] = there as () => Response
    await vi.advanceTimersByTimeAsync(1000)
    last().come()
    expect(table.status).toBe('live')
  })
})

describe('a connection that is lost', () => {
  it('is made again from the last event, and tells how many rolls were missed', async () => {
    const table = await opened()
    const missed: number[] = []
    table.onback = (count) => missed.push(count)
    last().say({ event: event(4) })
    last().close()
    expect(table.status).toBe('away')
    await vi.advanceTimersByTimeAsync(300)
    expect(last().address).toContain('after=4')
    last().come(4)
    expect([table.status, missed]).toEqual(['live', [0]])
  })

  it('and cannot be made because the table is gone is not tried for ever', async () => {
    const table = await opened()
    last().close()
    await vi.advanceTimersByTimeAsync(300)
    answers['/api/tables/t1'] = () => Response.json({ error: { code: 'no_table', sentence: 'Gone.' } }, { status: 404 })
    last().close()
    await vi.advanceTimersByTimeAsync(10_000)
    expect([table.status, table.error?.sentence, Socket.made.length]).toEqual(['closed', 'Gone.', 2])
  })

  it('without a word is found out by a wish that nobody answers, which is asked again under its id', async () => {
    const table = await opened()
    const answer = table.wish({ wish: 'roll' })
    const [first] = last().sent
    await vi.advanceTimersByTimeAsync(8300)
    expect(Socket.made.length).toBe(2)
    last().come()
    expect(last().sent).toEqual([first])
    last().say({ answer: first?.id, ok: true, sequence: 7 })
    expect(await answer).toBe(7)
    await vi.advanceTimersByTimeAsync(20_000)
    expect(table.status).toBe('live')
  })

  it('on purpose, to come as somebody else, alarms nobody', async () => {
    const table = await opened()
    table.comeAgain()
    expect(table.status).toBe('connecting')
    last().come()
    expect([table.status, Socket.made.length]).toEqual(['live', 2])
  })

  it('is over when one leaves', async () => {
    const table = await opened()
    table.close()
    await vi.advanceTimersByTimeAsync(60_000)
    expect(Socket.made.length).toBe(1)
  })

  it('that is left before it was made is ended when it is there', async () => {
    const table = new Table('t1', null)
    await table.open()
    table.close()
    expect(last().readyState).toBe(0)
    last().come()
    expect(last().readyState).toBe(3)
    expect(table.status).toBe('connecting')
  })
})

describe('a wish', () => {
  it('that is refused is refused', async () => {
    const table = await opened()
    const answer = table.wish({ wish: 'roll' })
    last().say({ answer: last().sent[0]?.id, ok: false, error: { code: 'pace', sentence: 'Wait.' } })
    await expect(answer).rejects.toBeInstanceOf(Refused)
  })

  it.each(['too_often', 'unavailable', 'elsewhere', 'busy', 'stale_epoch', 'stale_head'])('that is answered %s is asked again, as it was', async (code) => {
    const table = await opened()
    const answer = table.wish({ wish: 'roll' })
    const [first] = last().sent
    last().say({ answer: first?.id, ok: false, error: { code, sentence: 'Later.', wait_ms: 100 } })
    await vi.advanceTimersByTimeAsync(150)
    expect(last().sent).toEqual([first, first])
    last().say({ answer: first?.id, ok: true, sequence: 4 })
    expect(await answer).toBe(4)
  })

  it('is seen when the view shows it', async () => {
    const table = await opened()
    let isSeen = false
    void table.seen(4).then(() => (isSeen = true))
    last().say({ view: view(4) })
    await Promise.resolve()
    expect(isSeen).toBe(false)
    last().say({ event: event(4) })
    await vi.advanceTimersByTimeAsync(0)
    expect(isSeen).toBe(true)
    await table.seen(2)
  })
})
