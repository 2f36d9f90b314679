import { describe, expect, it } from 'vitest'
import {
  addToScore,
  formatExpected,
  NO_SCORE,
  outcomeForKey,
  parseDrillQuery,
  parseScore,
  parseSheet,
  randomExercise,
} from './drill'
import type { GradedSheet } from './drill'

describe('answers', () => {
  it('lists missing answers', () => {
    const drafts = {
      '1': { outcome: 'paid', amount: '14' },
      '2': { outcome: 'loses', amount: '' },
      '3': { outcome: 'paid', amount: '' },
      '4': { outcome: '', amount: '' },
    } as const
    expect(parseSheet(drafts)).toEqual({ answers: { '1': 1400, '2': 'loses' }, missing: ['3', '4'], invalid: [] })
  })
  it('parses amounts like the rest of the page', () => {
    const drafts = { '1': { outcome: 'paid', amount: '$1,250.50' }, '2': { outcome: 'paid', amount: '12,50' } } as const
    expect(parseSheet(drafts)).toEqual({ answers: { '1': 125_050 }, missing: [], invalid: ['2'] })
  })
  it('knows keys and texts', () => {
    expect([outcomeForKey('L'), outcomeForKey('s'), outcomeForKey('7')]).toEqual(['loses', 'stays', null])
    expect([formatExpected(1450, 'USD'), formatExpected('moves', 'USD')]).toEqual(['paid $14.50', 'moves'])
  })
})

describe('the score', () => {
  const sheet = (correct: number, total: number): GradedSheet => ({ correct, total, wagers: [] })
  it('counts wagers and sheets without a mistake', () => {
    let score = NO_SCORE
    for (const graded of [sheet(3, 3), sheet(4, 4), sheet(2, 3), sheet(5, 5)]) score = addToScore(score, graded)
    expect(score).toEqual({ correct: 14, total: 15, streak: 1, best: 2 })
  })
  it('is restored from storage, or starts over', () => {
    const score = { correct: 3, total: 4, streak: 0, best: 1 }
    expect(parseScore(JSON.stringify(score))).toEqual(score)
    for (const text of [null, '', '{', '7', '{"correct": -1}', '{"correct":"3","total":4,"streak":0,"best":1}']) {
      expect(parseScore(text)).toEqual(NO_SCORE)
    }
  })
})

it('parses the URL', () => {
  expect(parseDrillQuery('?book=rws&level=3&number=17')).toEqual({ book: 'rws', level: 3, number: 17 })
  expect(parseDrillQuery('?level=9&number=2147483648')).toEqual({ book: null, level: null, number: null })
  expect(randomExercise(() => 0.999999999999)).toBe(2 ** 31 - 1)
})
