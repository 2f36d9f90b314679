import { describe, expect, it, vi } from 'vitest'
import { RequestError } from './api'
import { isSeatedAt, occupiedFirst, OpenTableList, playerNames, type OpenTable } from './lobby'

const table = (id: string, players: string[] = []): OpenTable => ({
  id,
  book: { id: 'new_jersey', code: 'NJ', title: 'New Jersey' },
  house: 'House',
  currency: 'USD',
  min_bet: 1000,
  max_bet: null,
  created_ms: 0,
  players,
  point: null,
  sequence: 1,
})

describe('the lobby', () => {
  it('keeps the tables when nothing changed', async () => {
    const responses = [
      new Response(JSON.stringify([table('a')]), { headers: { ETag: '"one"' } }),
      new Response(null, { status: 304 }),
      new Response(JSON.stringify([]), { headers: { ETag: '"two"' } }),
    ]
    const fetcher = vi.fn(async (_path: RequestInfo | URL, _options?: RequestInit) => responses.shift() as Response)
    const list = new OpenTableList(fetcher)
    expect((await list.refresh()).map(({ id }) => id)).toEqual(['a'])
    expect((await list.refresh()).map(({ id }) => id)).toEqual(['a'])
    expect(await list.refresh()).toEqual([])
    expect(fetcher.mock.calls.map(([, options]) => options?.headers)).toEqual([
      {},
      { 'If-None-Match': '"one"' },
      { 'If-None-Match': '"one"' },
    ])
  })

  it('reports errors', async () => {
    const away = new OpenTableList(() => Promise.reject(new TypeError('no network')))
    await expect(away.refresh()).rejects.toMatchObject({ status: 0, code: 'offline' })
    const error = { code: 'unavailable', message: 'the database does not respond' }
    const failing = new OpenTableList(async () => new Response(JSON.stringify({ error }), { status: 503 }))
    await expect(failing.refresh()).rejects.toMatchObject({ status: 503, body: error })
    const invalid = new OpenTableList(async () => new Response('<html>', { status: 502 }))
    await expect(invalid.refresh()).rejects.toBeInstanceOf(RequestError)
  })

  it('sorts tables with players first', () => {
    const tables = [table('a'), table('b', ['Ann']), table('c'), table('d', ['Bo'])]
    expect(occupiedFirst(tables).map(({ id }) => id)).toEqual(['b', 'd', 'a', 'c'])
  })

  it('finds the user’s seat', () => {
    const user = { id: '1', name: 'Ann', kind: 'guest', limits: {} } as const
    expect(isSeatedAt(table('a', ['Bo', 'Ann']), user)).toBe(true)
    expect([isSeatedAt(table('a', ['Anna']), user), isSeatedAt(table('a', ['Ann']), null)]).toEqual([false, false])
  })

  it('lists the players', () => {
    expect(playerNames([])).toBe('No players yet')
    expect(playerNames(['Ann'])).toBe('Ann')
    expect(playerNames(['Ann', 'Bo'])).toBe('Ann and Bo')
    expect(playerNames(['Ann', 'Bo', 'Cy', 'Di', 'Ed'])).toBe('Ann, Bo, Cy and 2 more')
  })
})
