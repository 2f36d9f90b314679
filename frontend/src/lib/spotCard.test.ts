import { describe, expect, it } from 'vitest'
import { clausesOf, holdings, oddsToAdd, payingAmounts, payLines, pressSizes, smallerSize, upToTheMost } from './spot'
import type { Chip, Choice, Stakes, View } from './types'

const stakes = (least: number, most: number | null, step: number, even: number): Stakes => ({ least, most, step, even })

describe('amounts that pay', () => {
  it('begins with the least that is paid exactly', () => {
    expect(payingAmounts(stakes(1000, 500_000, 100, 600))).toEqual([1200, 2400, 3600, 6000])
    expect(payingAmounts(stakes(500, null, 100, 100))).toEqual([500, 1000, 1500, 2500])
  })
  it('stops at the most', () => {
    expect(payingAmounts(stakes(100, 300, 100, 100))).toEqual([100, 200, 300])
    expect(payingAmounts(stakes(100, 400, 100, 500))).toEqual([])
  })
  it('has the most among odds', () => {
    expect(upToTheMost(stakes(200, 5000, 200, 200))).toEqual([1200, 2400, 3600, 5000])
    expect(upToTheMost(stakes(500, 1250, 100, 500))).toEqual([500, 1000])
    expect(upToTheMost(stakes(100, 0, 100, 100))).toEqual([])
    expect(upToTheMost(stakes(500, null, 100, 500))).toEqual([500, 1000, 1500, 2500])
  })
  it('presses to the next and to twice', () => {
    expect(pressSizes(stakes(1300, 500_000, 100, 600), 1200)).toEqual([1800, 2400])
    expect(pressSizes(stakes(600, 1000, 100, 100), 500)).toEqual([600, 1000])
    expect(pressSizes(stakes(600, 600, 100, 100), 500)).toEqual([600])
  })
  it('reduces to the next below', () => {
    expect(smallerSize(stakes(600, 1700, 100, 600))).toBe(1200)
    expect(smallerSize(stakes(1000, 1100, 100, 600))).toBe(1100)
    expect(smallerSize(stakes(1000, 900, 100, 100))).toBeNull()
  })
})

it('says what pays what, the same odds together', () => {
  expect(payLines({ pays: [['', '7 to 6']] })).toEqual(['7 to 6'])
  expect(
    payLines({
      pays: [
        ['4', '2 to 1'],
        ['5', '3 to 2'],
        ['10', '2 to 1'],
      ],
    }),
  ).toEqual(['2 to 1 (4, 10)', '3 to 2 (5)'])
})

it('tells clauses from silences', () => {
  expect(clausesOf(['1.2(a)', 'A-08'], ['A-08'])).toEqual(['1.2(a)'])
})

const chip = (spot: string, tag: string, more: Partial<Chip> = {}): Chip => ({
  spot, tag, player: 'me', stake: 1000, call: '', working: true, on: null, marks: [], home: spot, ...more,
})
const choice = (what: string, more: Partial<Choice> = {}): Choice => ({
  do: what, name: '', spot: null, tag: null, on: null, stakes: null, ...more,
})
const view = (chips: Chip[], choices: Choice[]): View => ({ you: 'me', chips, choices }) as unknown as View

describe('one’s own wagers', () => {
  const seen = view(
    [chip('pass', '1'), chip('pass', '9', { player: 'other' }), chip('pass', '4'), chip('pass_odds', '2', { on: '1' }), chip('field', '3')],
    [
      choice('take_down', { tag: '2' }),
      choice('press', { tag: '4' }),
      choice('call_off', { tag: '2' }),
      choice('call_on', { tag: '2' }),
      choice('bet', { spot: 'pass_odds', on: '4' }),
      choice('bet', { spot: 'come_odds', on: '7' }),
      choice('bet', { spot: 'field' }),
    ],
  )
  it('come with the odds behind each, and nobody else’s', () => {
    expect(holdings(seen, 'pass').map(({ chip: { tag }, behind }) => [tag, behind])).toEqual([
      ['1', false],
      ['2', true],
      ['4', false],
    ])
  })
  it('know what may be done about them', () => {
    const [flat, odds, other] = holdings(seen, 'pass')
    expect([flat?.takeDown, flat?.press]).toEqual([null, null])
    expect(odds?.takeDown).not.toBeNull()
    expect([odds?.callOn, odds?.callOff?.do]).toEqual([null, 'call_off'])
    expect(other?.press).not.toBeNull()
  })
  it('say which odds can be added', () => {
    expect(oddsToAdd(seen, 'pass').map(({ on }) => on)).toEqual(['4'])
    expect(oddsToAdd(seen, 'pass_odds').map(({ on }) => on)).toEqual(['4'])
    expect(oddsToAdd(seen, 'field')).toEqual([])
  })
})
