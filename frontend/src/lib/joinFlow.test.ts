import { describe, expect, it, vi } from 'vitest'
import { RequestError, type post } from './api'
import { JoinFlow } from './joinFlow'

type Sent = [path: string, body: Record<string, unknown>]

function fakeServer(respond: (sent: Sent) => unknown) {
  const sent: Sent[] = []
  const request = vi.fn(async (path: string, body?: unknown) => {
    sent.push([path, body as Record<string, unknown>])
    return respond([path, body as Record<string, unknown>])
  }) as unknown as typeof post
  return { sent, request }
}

describe('joining a table', () => {
  it('opens a table and buys in', async () => {
    const { sent, request } = fakeServer(([path]) =>
      path === '/api/tables' ? { id: 't1', invitation: null } : { ok: true },
    )
    expect(await new JoinFlow({ book: 'rws' }, request).join()).toEqual({ id: 't1', invitation: null })
    expect(sent).toEqual([
      ['/api/tables', { book: 'rws' }],
      ['/api/tables/t1/commands', { id: expect.stringMatching(/^[0-9a-f]{32}$/), command: 'join', cents: 50_000 }],
    ])
  })

  it('resumes after a failure: no second table, the same command', async () => {
    let isOffline = true
    const { sent, request } = fakeServer(([path]) => {
      if (path === '/api/tables') return { id: 't1', invitation: 'x' }
      if (isOffline) throw new RequestError({ code: 'offline', message: 'offline' }, 0)
      return { ok: true }
    })
    const flow = new JoinFlow({ book: 'rws' }, request)
    await expect(flow.join()).rejects.toBeInstanceOf(RequestError)
    isOffline = false
    await flow.join()
    expect(sent.map(([path]) => path)).toEqual([
      '/api/tables',
      '/api/tables/t1/commands?invitation=x',
      '/api/tables/t1/commands?invitation=x',
    ])
    expect(sent[1]?.[1]).toEqual(sent[2]?.[1])
  })

  it('accepts a seat that is already taken by the user', async () => {
    const { request } = fakeServer(() => {
      throw new RequestError({ code: 'seat_taken', message: 'you are at this table already' }, 409)
    })
    expect(await new JoinFlow({ id: 't2', invitation: null }, request).join()).toEqual({ id: 't2', invitation: null })
  })

  it('reports every other refusal', async () => {
    const { request } = fakeServer(() => {
      throw new RequestError({ code: 'loss_limit', message: 'no more today' }, 409)
    })
    await expect(new JoinFlow({ id: 't2', invitation: null }, request).join()).rejects.toMatchObject({
      code: 'loss_limit',
    })
  })

  it('sends a new command after a refusal, here with fewer chips', async () => {
    const { sent, request } = fakeServer(([, body]) => {
      if ((body.cents as number) > 20_000) throw new RequestError({ code: 'loss_limit', message: 'at most $200' }, 409)
      return { ok: true }
    })
    const flow = new JoinFlow({ id: 't2', invitation: null }, request)
    await expect(flow.join()).rejects.toBeInstanceOf(RequestError)
    expect(await flow.join(20_000)).toEqual({ id: 't2', invitation: null })
    const [first, second] = sent.map(([, body]) => body)
    expect(second).toEqual({ id: expect.stringMatching(/^[0-9a-f]{32}$/), command: 'join', cents: 20_000 })
    expect(second?.id).not.toBe(first?.id)
  })

  it('repeats the command if the server asks to retry', async () => {
    let busy = true
    const { sent, request } = fakeServer(() => {
      if (busy) throw new RequestError({ code: 'stale_sequence', message: 'try again' }, 503)
      return { ok: true }
    })
    const flow = new JoinFlow({ id: 't2', invitation: null }, request)
    await expect(flow.join()).rejects.toBeInstanceOf(RequestError)
    busy = false
    await flow.join()
    expect(sent[0]).toEqual(sent[1])
  })
})
