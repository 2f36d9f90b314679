import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { currentUser, randomName } from './currentUser.svelte'

const ann = { id: '1', name: 'Ann', kind: 'guest', limits: {} }
const respond = (...responses: [unknown, number][]) =>
  vi.stubGlobal(
    'fetch',
    vi.fn(async () => {
      const [body, status] = responses.shift() ?? [null, 200]
      return new Response(JSON.stringify(body), { status })
    }),
  )

describe('the current user', () => {
  beforeEach(() => {
    currentUser.user = null
    currentUser.isLoaded = false
  })
  afterEach(() => vi.unstubAllGlobals())

  it('is fetched once by concurrent callers', async () => {
    respond([ann, 200])
    expect(await Promise.all([currentUser.load(), currentUser.load()])).toEqual([ann, ann])
    expect(fetch).toHaveBeenCalledTimes(1)
  })

  it('is fetched again later and after a failure', async () => {
    respond([{ error: { code: 'unavailable', message: 'later' } }, 503], [null, 200], [ann, 200])
    await expect(currentUser.load()).rejects.toMatchObject({ code: 'unavailable' })
    expect(currentUser.isLoaded).toBe(false)
    expect([await currentUser.load(), await currentUser.load()]).toEqual([null, ann])
  })

  it('becomes a guest: a random name that is taken is replaced, a chosen one is not', async () => {
    const taken: [unknown, number] = [{ error: { code: 'name_taken', message: 'taken' } }, 409]
    respond([null, 200], taken, [ann, 201])
    expect(await currentUser.signInAsGuest()).toEqual(ann)
    currentUser.user = null
    respond(taken)
    await expect(currentUser.signInAsGuest('Ann')).rejects.toMatchObject({ code: 'name_taken' })
  })
})

it('makes random names', () => {
  expect([randomName(() => 0), randomName(() => 0.999)]).toEqual(['Lucky Ace 100', 'Bright Nina 999'])
})
