import { describe, expect, it, vi } from 'vitest'
import { Refused, type post } from './api'
import { Way } from './seat'

type Sent = [path: string, body: Record<string, unknown>]

function server(answer: (sent: Sent) => unknown) {
  const sent: Sent[] = []
  const ask = vi.fn(async (path: string, body?: unknown) => {
    sent.push([path, body as Record<string, unknown>])
    return answer([path, body as Record<string, unknown>])
  }) as unknown as typeof post
  return { sent, ask }
}

describe('a way to a seat', () => {
  it('opens a table and sits down with chips', async () => {
    const { sent, ask } = server(([path]) => (path === '/api/tables' ? { id: 't1', invitation: null } : { ok: true }))
    expect(await new Way({ book: 'rws' }, ask).sit()).toEqual({ id: 't1', invitation: null })
    expect(sent).toEqual([
      ['/api/tables', { book: 'rws' }],
      ['/api/tables/t1/wishes', { id: expect.stringMatching(/^[0-9a-f]{32}$/), wish: 'sit', cents: 50_000 }],
    ])
  })

  it('goes on where it stopped: no second table, the same wish', async () => {
    let away = true
    const { sent, ask } = server(([path]) => {
      if (path === '/api/tables') return { id: 't1', invitation: 'x' }
      if (away) throw new Refused({ code: 'offline', sentence: 'away' }, 0)
      return { ok: true }
    })
    const way = new Way({ book: 'rws' }, ask)
    await expect(way.sit()).rejects.toBeInstanceOf(Refused)
    away = false
    await way.sit()
    expect(sent.map(([path]) => path)).toEqual(['/api/tables', '/api/tables/t1/wishes?invitation=x', '/api/tables/t1/wishes?invitation=x'])
    expect(sent[1]?.[1]).toEqual(sent[2]?.[1])
  })

  it('takes a seat that one has already for a seat', async () => {
    const { ask } = server(() => {
      throw new Refused({ code: 'seat_taken', sentence: 'you are at this table already' }, 409)
    })
    expect(await new Way({ id: 't2', invitation: null }, ask).sit()).toEqual({ id: 't2', invitation: null })
  })

  it('tells every other no', async () => {
    const { ask } = server(() => {
      throw new Refused({ code: 'loss_limit', sentence: 'no more today' }, 409)
    })
    await expect(new Way({ id: 't2', invitation: null }, ask).sit()).rejects.toMatchObject({ error: { code: 'loss_limit' } })
  })

  it('wishes anew after a no, with fewer chips if that was why', async () => {
    const { sent, ask } = server(([, body]) => {
      if ((body.cents as number) > 20_000) throw new Refused({ code: 'loss_limit', sentence: 'at most $200' }, 409)
      return { ok: true }
    })
    const way = new Way({ id: 't2', invitation: null }, ask)
    await expect(way.sit()).rejects.toBeInstanceOf(Refused)
    expect(await way.sit(20_000)).toEqual({ id: 't2', invitation: null })
    const [first, second] = sent.map(([, body]) => body)
    expect(second).toEqual({ id: expect.stringMatching(/^[0-9a-f]{32}$/), wish: 'sit', cents: 20_000 })
    expect(second?.id).not.toBe(first?.id)
  })

  it('wishes the same where the server asks to be asked again', async () => {
    let busy = true
    const { sent, ask } = server(() => {
      if (busy) throw new Refused({ code: 'stale_head', sentence: 'ask again' }, 503)
      return { ok: true }
    })
    const way = new Way({ id: 't2', invitation: null }, ask)
    await expect(way.sit()).rejects.toBeInstanceOf(Refused)
    busy = false
    await way.sit()
    expect(sent[0]).toEqual(sent[1])
  })
})
