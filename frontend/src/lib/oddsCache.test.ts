import { expect, it } from 'vitest'
import { edgeLines, PromiseCache } from './oddsCache'
import type { WagerFigures } from './oddsCache'

it('loads once, and drops failures and the oldest entry', async () => {
  const cache = new PromiseCache<string>(2)
  const loaded: string[] = []
  const load = (key: string, fails = false) =>
    cache.get(key, async () => {
      loaded.push(key)
      if (fails) throw new Error(key)
      return key
    })
  expect(await Promise.all([load('a'), load('a')])).toEqual(['a', 'a'])
  await expect(load('b', true)).rejects.toThrow('b')
  expect(await load('b')).toBe('b')
  await load('c')
  await load('b')
  await load('a')
  expect(loaded).toEqual(['a', 'b', 'b', 'c', 'a'])
})

it('joins numbers with equal figures', () => {
  const figures = (edge_text: string, standard_deviation: string, number: number | null = null) =>
    ({ edge_text, standard_deviation, number }) as WagerFigures
  expect(edgeLines([figures('none', '1.4', 4), figures('none', '1.2', 5), figures('none', '1.4', 10)], '$1')).toEqual([
    'none, 1.4 per $1 (4, 10)',
    'none, 1.2 per $1 (5)',
  ])
  expect(edgeLines([figures('1.4 %', '1.0'), figures('0.4 %', '1.2')], '$1')).toEqual([
    '1.4 %, 1.0 per $1',
    '0.4 %, 1.2 per $1 with full odds',
  ])
})
