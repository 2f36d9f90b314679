import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { person, someName } from './person.svelte'

const ann = { id: '1', name: 'Ann', kind: 'guest', limits: {} }
const answers = (...given: [unknown, number][]) =>
  vi.stubGlobal(
    'fetch',
    vi.fn(async () => {
      const [body, status] = given.shift() ?? [null, 200]
      return new Response(JSON.stringify(body), { status })
    }),
  )

describe('who one is', () => {
  beforeEach(() => {
    person.me = null
    person.known = false
  })
  afterEach(() => vi.unstubAllGlobals())

  it('is asked once by all who want to know at the same time', async () => {
    answers([ann, 200])
    expect(await Promise.all([person.find(), person.find()])).toEqual([ann, ann])
    expect(fetch).toHaveBeenCalledTimes(1)
  })

  it('is asked anew later, and after a failure', async () => {
    answers([{ error: { code: 'unavailable', sentence: 'later' } }, 503], [null, 200], [ann, 200])
    await expect(person.find()).rejects.toMatchObject({ code: 'unavailable' })
    expect(person.known).toBe(false)
    expect([await person.find(), await person.find()]).toEqual([null, ann])
  })

  it('is a guest under another name where a found one is taken, but never under another than was asked for', async () => {
    const taken: [unknown, number] = [{ error: { code: 'name_taken', sentence: 'taken' } }, 409]
    answers([null, 200], taken, [ann, 201])
    expect(await person.come()).toEqual(ann)
    person.me = null
    answers(taken)
    await expect(person.come('Ann')).rejects.toMatchObject({ code: 'name_taken' })
  })
})

it('finds names', () => {
  expect([someName(() => 0), someName(() => 0.999)]).toEqual(['Lucky Ace 100', 'Bright Nina 999'])
})
