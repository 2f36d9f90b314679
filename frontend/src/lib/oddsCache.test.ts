import { expect, it } from 'vitest'
import { edgeLines, Memory } from './odds'
import type { Figures } from './odds'

it('asks once, forgets what failed and the oldest of too many', async () => {
  const memory = new Memory<string>(2)
  const asked: string[] = []
  const ask = (key: string, fails = false) =>
    memory.of(key, async () => {
      asked.push(key)
      if (fails) throw new Error(key)
      return key
    })
  expect(await Promise.all([ask('a'), ask('a')])).toEqual(['a', 'a'])
  await expect(ask('b', true)).rejects.toThrow('b')
  expect(await ask('b')).toBe('b')
  await ask('c')
  await ask('b')
  await ask('a')
  expect(asked).toEqual(['a', 'b', 'b', 'c', 'a'])
})

it('puts numbers with the same edge and spread together', () => {
  const one = (words: string, spread: string, on: number | null = null) => ({ words, spread, on }) as Figures
  expect(edgeLines([one('none', '1.4', 4), one('none', '1.2', 5), one('none', '1.4', 10)], '$1')).toEqual([
    'none, 1.4 per $1 (4, 10)',
    'none, 1.2 per $1 (5)',
  ])
  expect(edgeLines([one('1.4 %', '1.0'), one('0.4 %', '1.2')], '$1')).toEqual([
    '1.4 %, 1.0 per $1',
    '0.4 %, 1.2 per $1 with full odds',
  ])
})
