import { afterEach, describe, expect, it, vi } from 'vitest'
import { get, post, query } from './api'

const answer = (body: string | null, status: number) => vi.stubGlobal('fetch', vi.fn(async () => new Response(body, { status })))
afterEach(() => vi.unstubAllGlobals())

describe('asking', () => {
  it('gives what the server says', async () => {
    answer('{"id": "t1"}', 201)
    expect(await post('/api/tables', { book: 'rws' })).toEqual({ id: 't1' })
    expect(fetch).toHaveBeenCalledWith('/api/tables', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: '{"book":"rws"}',
      credentials: 'same-origin',
    })
    answer(null, 204)
    expect(await post('/api/logout')).toBeUndefined()
  })

  it('tells a no of the server as it is', async () => {
    const error = { code: 'name_taken', sentence: 'somebody has this name already' }
    answer(JSON.stringify({ error }), 409)
    await expect(get('/api/me')).rejects.toMatchObject({ status: 409, code: 'name_taken', error, message: error.sentence })
  })

  it('tells a no of whatever stands between as a no, too', async () => {
    for (const body of ['{"message": "bad gateway"}', '{"error": "bad gateway"}', '{"error": {"code": 502}}', 'null', '[]', '<html>', '']) {
      answer(body, 502)
      await expect(get('/api/me'), body).rejects.toMatchObject({ status: 502, code: 'garbled', message: expect.stringMatching(/./) })
    }
    answer('<html>', 200)
    await expect(get('/api/me')).rejects.toMatchObject({ status: 200, code: 'garbled' })
  })

  it('tells that nobody answers', async () => {
    vi.stubGlobal('fetch', () => Promise.reject(new TypeError('no network')))
    await expect(get('/api/me')).rejects.toMatchObject({ status: 0, code: 'offline' })
  })
})

it('adds what is given to an address', () => {
  expect(query('/drill', { book: 'a b', level: 0, number: null })).toBe('/drill?book=a%20b&level=0')
})
