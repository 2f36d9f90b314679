import { expect, it } from 'vitest'
import { Memory } from './odds'

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
