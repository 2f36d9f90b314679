import { describe, expect, it } from 'vitest'
import { counted, fateOf, dueInWords, NO_SCORE, readQuery, readScore, readSheet, someNumber } from './drill'
import type { Marks } from './drill'

describe('answers', () => {
  it('tells what is still missing', () => {
    const lines = {
      '1': { fate: 'paid', amount: '14' },
      '2': { fate: 'loses', amount: '' },
      '3': { fate: 'paid', amount: '' },
      '4': { fate: '', amount: '' },
    } as const
    expect(readSheet(lines)).toEqual({ answers: { '1': 1400, '2': 'loses' }, missing: ['3', '4'], unread: [] })
  })
  it('reads amounts as the rest of the page does, and takes none for another', () => {
    const lines = { '1': { fate: 'paid', amount: '$1,250.50' }, '2': { fate: 'paid', amount: '12,50' } } as const
    expect(readSheet(lines)).toEqual({ answers: { '1': 125_050 }, missing: [], unread: ['2'] })
  })
  it('knows letters and words', () => {
    expect([fateOf('L'), fateOf('s'), fateOf('7')]).toEqual(['loses', 'stays', null])
    expect([dueInWords(1450, 'USD'), dueInWords('moves', 'USD')]).toEqual(['paid $14.50', 'moves'])
  })
})

describe('the score', () => {
  const marks = (right: number, of: number): Marks => ({ right, of, wagers: [] })
  it('counts wagers, and sheets without a mistake', () => {
    let score = NO_SCORE
    for (const one of [marks(3, 3), marks(4, 4), marks(2, 3), marks(5, 5)]) score = counted(score, one)
    expect(score).toEqual({ right: 14, of: 15, streak: 1, best: 2 })
  })
  it('is read back, or begins again', () => {
    const score = { right: 3, of: 4, streak: 0, best: 1 }
    expect(readScore(JSON.stringify(score))).toEqual(score)
    for (const text of [null, '', '{', '7', '{"right": -1}', '{"right":"3","of":4,"streak":0,"best":1}']) {
      expect(readScore(text)).toEqual(NO_SCORE)
    }
  })
})

it('reads an address', () => {
  expect(readQuery('?book=rws&level=3&number=17')).toEqual({ book: 'rws', level: 3, number: 17 })
  expect(readQuery('?level=9&number=2147483648')).toEqual({ book: null, level: null, number: null })
  expect(someNumber(() => 0.999999999999)).toBe(2 ** 31 - 1)
})
