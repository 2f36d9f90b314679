import { describe, expect, it } from 'vitest'
import type { LegalAction, PlacedBet, StakeRange, TableView } from './serverTypes'
import {
  acceptedStakes,
  amountsUpToMax,
  availableOdds,
  exactAmounts,
  limitsText,
  ownWagers,
  payLines,
  pressSizes,
  reduceSize,
  withoutSilences,
} from './spotCard'

const range = (
  min_cents: number,
  max_cents: number | null,
  step_cents: number,
  exact_step_cents: number,
): StakeRange => ({ min_cents, max_cents, step_cents, exact_step_cents })

describe('suggested amounts', () => {
  it('start with the smallest that is paid exactly', () => {
    expect(exactAmounts(range(1000, 500_000, 100, 600))).toEqual([1200, 2400, 3600, 6000])
    expect(exactAmounts(range(500, null, 100, 100))).toEqual([500, 1000, 1500, 2500])
  })
  it('stop at the maximum', () => {
    expect(exactAmounts(range(100, 300, 100, 100))).toEqual([100, 200, 300])
    expect(exactAmounts(range(100, 400, 100, 500))).toEqual([])
  })
  it('include the maximum for odds', () => {
    expect(amountsUpToMax(range(200, 5000, 200, 200))).toEqual([1200, 2400, 3600, 5000])
    expect(amountsUpToMax(range(500, 1250, 100, 500))).toEqual([500, 1000])
    expect(amountsUpToMax(range(100, 0, 100, 100))).toEqual([])
    expect(amountsUpToMax(range(500, null, 100, 500))).toEqual([500, 1000, 1500, 2500])
  })
  it('for a press are the next and the double', () => {
    expect(pressSizes(range(1300, 500_000, 100, 600), 1200)).toEqual([1800, 2400])
    expect(pressSizes(range(600, 1000, 100, 100), 500)).toEqual([600, 1000])
    expect(pressSizes(range(600, 600, 100, 100), 500)).toEqual([600])
  })
  it('for a reduction are the next lower', () => {
    expect(reduceSize(range(600, 1700, 100, 600))).toBe(1200)
    expect(reduceSize(range(1000, 1100, 100, 600))).toBe(1100)
    expect(reduceSize(range(1000, 900, 100, 100))).toBeNull()
  })
})

describe('the stakes that a spot accepts', () => {
  const dollars = (cents: number) => `$${cents / 100}`
  const pass = { spot: 'pass', stake_range: range(1000, 3000, 100, 100), max_cents: 5000 }
  const limits = (free_stakes: Record<string, number>) =>
    limitsText(acceptedStakes(pass, { free_stakes }) ?? range(0, 0, 1, 1), pass.max_cents, dollars)
  it('end at what the user’s bets leave free now, and not when the page was opened', () => {
    expect(acceptedStakes(pass, { free_stakes: {} })?.max_cents).toBe(5000)
    expect(acceptedStakes(pass, { free_stakes: { pass: 2000, field: 100 } })?.max_cents).toBe(2000)
    expect(acceptedStakes(pass, { free_stakes: { pass: 0 } })?.max_cents).toBe(0)
    expect(acceptedStakes(pass, null)?.max_cents).toBe(5000)
    expect(acceptedStakes({ ...pass, max_cents: null }, { free_stakes: {} })?.max_cents).toBeNull()
  })
  it('are not those of odds, which depend on the bet they back', () => {
    expect(acceptedStakes({ ...pass, spot: 'pass_odds' }, { free_stakes: {} })).toBeNull()
    expect(acceptedStakes({ ...pass, stake_range: null }, { free_stakes: {} })).toBeNull()
  })
  it('are described with what is free and the maximum', () => {
    expect(limits({})).toBe('$10 to $50')
    expect(limits({ pass: 2000 })).toBe('$10 to $20 more, up to $50 in all')
    expect(limits({ pass: 500 })).toBe('$5 more, up to $50 in all')
    expect(limits({ pass: 0 })).toBe('the maximum of $50 is up')
    expect(limitsText(range(1000, null, 100, 100), null, dollars)).toBe('from $10')
  })
  it('are suggested up to what is free', () => {
    expect(exactAmounts(acceptedStakes(pass, { free_stakes: { pass: 2500 } }) ?? range(0, 0, 1, 1))).toEqual([
      1000, 2000,
    ])
  })
})

it('lists payouts, with equal odds together', () => {
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

it('separates clauses from silences', () => {
  expect(withoutSilences(['1.2(a)', 'A-08'], ['A-08'])).toEqual(['1.2(a)'])
})

const placedBet = (spot: string, tag: string, more: Partial<PlacedBet> = {}): PlacedBet => ({
  spot,
  tag,
  player: 'me',
  stake_cents: 1000,
  call: '',
  working: true,
  base_tag: null,
  marks: [],
  bet_spot: spot,
  ...more,
})
const legalAction = (verb: string, more: Partial<LegalAction> = {}): LegalAction => ({
  verb,
  name: '',
  spot: null,
  tag: null,
  base_tag: null,
  stake_range: null,
  ...more,
})
const view = (bets: PlacedBet[], legal_actions: LegalAction[]): TableView =>
  ({ you: 'me', bets, legal_actions }) as unknown as TableView

describe('the user’s wagers', () => {
  const current = view(
    [
      placedBet('pass', '1'),
      placedBet('pass', '9', { player: 'other' }),
      placedBet('pass', '4'),
      placedBet('pass_odds', '2', { base_tag: '1' }),
      placedBet('field', '3'),
    ],
    [
      legalAction('take_down', { tag: '2' }),
      legalAction('press', { tag: '4' }),
      legalAction('call_off', { tag: '2' }),
      legalAction('call_on', { tag: '2' }),
      legalAction('bet', { spot: 'pass_odds', base_tag: '4' }),
      legalAction('bet', { spot: 'come_odds', base_tag: '7' }),
      legalAction('bet', { spot: 'field' }),
    ],
  )
  it('include the odds behind each, and no other player’s', () => {
    expect(ownWagers(current, 'pass').map(({ bet: { tag }, isOdds }) => [tag, isOdds])).toEqual([
      ['1', false],
      ['2', true],
      ['4', false],
    ])
  })
  it('have their legal actions', () => {
    const [flat, odds, other] = ownWagers(current, 'pass')
    expect([flat?.takeDown, flat?.press]).toEqual([null, null])
    expect(odds?.takeDown).not.toBeNull()
    expect([odds?.callOn, odds?.callOff?.verb]).toEqual([null, 'call_off'])
    expect(other?.press).not.toBeNull()
  })
  it('show which odds can be added', () => {
    expect(availableOdds(current, 'pass').map(({ base_tag }) => base_tag)).toEqual(['4'])
    expect(availableOdds(current, 'pass_odds').map(({ base_tag }) => base_tag)).toEqual(['4'])
    expect(availableOdds(current, 'field')).toEqual([])
  })
})
