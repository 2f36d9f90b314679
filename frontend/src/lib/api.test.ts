import { afterEach, describe, expect, it, vi } from 'vitest'
import { get, post, withQuery } from './api'

const respond = (body: string | null, status: number) =>
  vi.stubGlobal(
    'fetch',
    vi.fn(async () => new Response(body, { status })),
  )
afterEach(() => vi.unstubAllGlobals())

describe('a request', () => {
  it('returns the JSON body', async () => {
    respond('{"id": "t1"}', 201)
    expect(await post('/api/tables', { book: 'rws' })).toEqual({ id: 't1' })
    expect(fetch).toHaveBeenCalledWith('/api/tables', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: '{"book":"rws"}',
      credentials: 'same-origin',
    })
    respond(null, 204)
    expect(await post('/api/logout')).toBeUndefined()
  })

  it('throws the error of the server', async () => {
    const error = { code: 'name_taken', message: 'This name is taken' }
    respond(JSON.stringify({ error }), 409)
    await expect(get('/api/me')).rejects.toMatchObject({
      status: 409,
      code: 'name_taken',
      body: error,
      message: error.message,
    })
  })

  it('throws an error for responses of other programs', async () => {
    for (const body of [
      '{"message": "bad gateway"}',
      '{"error": "bad gateway"}',
      '{"error": {"code": 502}}',
      'null',
      '[]',
      '<html>',
      '',
    ]) {
      respond(body, 502)
      await expect(get('/api/me'), body).rejects.toMatchObject({
        status: 502,
        code: 'invalid_response',
        message: expect.stringMatching(/./),
      })
    }
    respond('<html>', 200)
    await expect(get('/api/me')).rejects.toMatchObject({ status: 200, code: 'invalid_response' })
  })

  it('throws an error when the server cannot be reached', async () => {
    vi.stubGlobal('fetch', () => Promise.reject(new TypeError('no network')))
    await expect(get('/api/me')).rejects.toMatchObject({ status: 0, code: 'offline' })
  })
})

it('adds parameters to a path', () => {
  expect(withQuery('/drill', { book: 'a b', level: 0, number: null })).toBe('/drill?book=a%20b&level=0')
})
