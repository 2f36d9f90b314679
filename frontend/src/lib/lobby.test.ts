import { describe, expect, it, vi } from 'vitest'
import { Refused } from './api'
import { company, inOrder, isSeatedAt, Lobby, type OpenTable } from './lobby'

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
  it('keeps what it knows when nothing changed', async () => {
    const answers = [
      new Response(JSON.stringify([table('a')]), { headers: { ETag: '"one"' } }),
      new Response(null, { status: 304 }),
      new Response(JSON.stringify([]), { headers: { ETag: '"two"' } }),
    ]
    const fetching = vi.fn(async (_path: RequestInfo | URL, _with?: RequestInit) => answers.shift() as Response)
    const lobby = new Lobby(fetching)
    expect((await lobby.ask()).map((one) => one.id)).toEqual(['a'])
    expect((await lobby.ask()).map((one) => one.id)).toEqual(['a'])
    expect(await lobby.ask()).toEqual([])
    expect(fetching.mock.calls.map(([, given]) => given?.headers)).toEqual([{}, { 'If-None-Match': '"one"' }, { 'If-None-Match': '"one"' }])
  })

  it('says why not', async () => {
    const away = new Lobby(() => Promise.reject(new TypeError('no network')))
    await expect(away.ask()).rejects.toMatchObject({ status: 0, error: { code: 'offline' } })
    const error = { code: 'unavailable', sentence: 'the database does not answer' }
    const ill = new Lobby(async () => new Response(JSON.stringify({ error }), { status: 503 }))
    await expect(ill.ask()).rejects.toMatchObject({ status: 503, error })
    const garbled = new Lobby(async () => new Response('<html>', { status: 502 }))
    await expect(garbled.ask()).rejects.toBeInstanceOf(Refused)
  })

  it('puts tables with players first and leaves the rest in order', () => {
    const tables = [table('a'), table('b', ['Ann']), table('c'), table('d', ['Bo'])]
    expect(inOrder(tables).map((one) => one.id)).toEqual(['b', 'd', 'a', 'c'])
  })

  it('knows where one sits', () => {
    const me = { id: '1', name: 'Ann', kind: 'guest', limits: {} } as const
    expect(isSeatedAt(table('a', ['Bo', 'Ann']), me)).toBe(true)
    expect([isSeatedAt(table('a', ['Anna']), me), isSeatedAt(table('a', ['Ann']), null)]).toEqual([false, false])
  })

  it('names the players', () => {
    expect(company([])).toBe('Nobody yet')
    expect(company(['Ann'])).toBe('Ann')
    expect(company(['Ann', 'Bo'])).toBe('Ann and Bo')
    expect(company(['Ann', 'Bo', 'Cy', 'Di', 'Ed'])).toBe('Ann, Bo, Cy and 2 more')
  })
})
