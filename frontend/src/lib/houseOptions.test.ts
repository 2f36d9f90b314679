import { describe, expect, it } from 'vitest'
import {
  formatInput,
  formatRange,
  formatValue,
  groupOptions,
  initialValue,
  optionAtFault,
  optionError,
  parseInput,
  withChange,
  type BookDetails,
  type HouseOption,
  type InputType,
} from './houseOptions'

const form = (fields: Partial<InputType>): InputType => ({
  kind: 'number',
  unit: '',
  minimum: null,
  maximum: null,
  step: 1,
  allows_none: false,
  minimum_odds: '',
  choices: [],
  fields: [],
  ...fields,
})
const option = (fields: Partial<HouseOption>): HouseOption => ({
  name: 'one',
  group: 'limits',
  title: 'One',
  description: '',
  book_default: 0,
  house_default: 0,
  allowed: [],
  cite: '',
  bounds_cite: '',
  is_fixed: false,
  form: form({}),
  ...fields,
})

const cents = form({ unit: 'cents', minimum: 1, maximum: 1e15, allows_none: true })
const percent = form({ unit: 'basis_points', minimum: 0, maximum: 500 })
const times = form({ unit: 'times', minimum: 1, maximum: 100 })
const odds = form({ kind: 'odds', minimum_odds: '7 to 6' })
const wagers = form({
  kind: 'wagers',
  choices: [
    { value: 'place', title: 'Place Bet', allowed: true, required: true },
    { value: 'buy', title: 'Buy Bet', allowed: true, required: false },
  ],
})

const limit = option({ name: 'max_bet', house_default: 500_000, form: cents })
const calls = option({ name: 'call_on', group: 'calls', house_default: ['place', 'buy'], form: wagers })
const take = option({
  name: 'odds_take',
  group: 'odds',
  house_default: { '4': 3, '6': 5 },
  form: form({
    kind: 'table',
    fields: [
      { key: '4', title: '4', default: 3, form: times },
      { key: '6', title: '6', default: 5, form: times },
    ],
  }),
})
const pays = option({
  name: 'paytable',
  group: 'pays',
  house_default: {},
  form: form({ kind: 'table', fields: [{ key: 'place6', title: 'place 6', default: '7 to 6', form: odds }] }),
})
const bar = option({ name: 'dont_bar', group: 'odds', house_default: 12, is_fixed: true })
const book = {
  max_bots: 6,
  groups: [
    { id: 'limits', title: 'Limits', common: true },
    { id: 'odds', title: 'Odds', common: true },
    { id: 'fire', title: 'Fire bet', common: true },
    { id: 'calls', title: 'Calls', common: false },
    { id: 'pays', title: 'Pay table', common: false },
  ],
  options: [calls, take, limit, bar, pays],
} as unknown as BookDetails

describe('groups of options', () => {
  it('are in the order of the server, common ones first, without empty ones', () => {
    const { common, rest } = groupOptions(book)
    expect(common.map((group) => group.id)).toEqual(['limits', 'odds'])
    expect(rest.map((group) => group.id)).toEqual(['calls', 'pays'])
  })

  it('separate options fixed by the book', () => {
    const odds = groupOptions(book).common[1]
    expect(odds?.options).toEqual([take])
    expect(odds?.fixed).toEqual([bar])
  })

  it('contain every option once', () => {
    const { common, rest } = groupOptions(book)
    const all = [...common, ...rest].flatMap((group) => [...group.options, ...group.fixed])
    expect(all.map(({ name }) => name).sort()).toEqual(book.options.map(({ name }) => name).sort())
  })
})

describe('bounds', () => {
  it('are shown in everyday units', () => {
    expect(formatRange(cents, 'USD')).toBe('$0.01 or more, or none')
    expect(formatRange(percent, 'USD')).toBe('0 to 5 %')
    expect(formatRange(times, 'USD')).toBe('1 to 100 times')
  })
})

describe('a field', () => {
  it('parses what it formats', () => {
    for (const value of [1, 1250, 500_000]) expect(parseInput(cents, formatInput(cents, value))).toBe(value)
    for (const value of [0, 1, 475, 500]) expect(parseInput(percent, formatInput(percent, value))).toBe(value)
    for (const value of [1, 100]) expect(parseInput(times, formatInput(times, value))).toBe(value)
    expect(parseInput(cents, formatInput(cents, 'none'))).toBe('none')
  })

  it('accepts symbols, separators and spaces', () => {
    expect(parseInput(cents, ' $1,000.5 ')).toBe(100_050)
    expect(parseInput(percent, '4.75 %')).toBe(475)
    expect(parseInput(odds, ' 6 to 5 ')).toBe('6 to 5')
  })

  it('rejects invalid text', () => {
    for (const text of ['ten', '1.234', '-5', '1e3', '12,34']) expect(parseInput(cents, text)).toBeNull()
    for (const text of ['', 'x', '1.5']) expect(parseInput(times, text)).toBeNull()
    expect(parseInput(percent, '4.755')).toBeNull()
  })

  it('leaves the bounds to the server', () => {
    expect(parseInput(percent, '6')).toBe(600)
  })
})

describe('changes', () => {
  it('are the differences from the house', () => {
    let changes = withChange({}, limit, 10_000)
    expect(changes).toEqual({ max_bet: 10_000 })
    changes = withChange(changes, limit, 500_000)
    expect(changes).toEqual({})
    expect(withChange({}, limit, 'none')).toEqual({ max_bet: 'none' })
    expect(withChange({ max_bet: 5 }, limit, null)).toEqual({})
  })

  it('contain only the keys that differ', () => {
    let changes = withChange({}, take, 10, '6')
    expect(changes).toEqual({ odds_take: { '6': 10 } })
    changes = withChange(changes, take, 2, '4')
    expect(changes).toEqual({ odds_take: { '6': 10, '4': 2 } })
    changes = withChange(withChange(changes, take, 3, '4'), take, 5, '6')
    expect(changes).toEqual({})
  })

  it('do not contain defaults of the book', () => {
    expect(initialValue(pays, 'place6')).toBe('7 to 6')
    expect(withChange({}, pays, '7 to 6', 'place6')).toEqual({})
    expect(withChange({}, pays, '6 to 5', 'place6')).toEqual({ paytable: { place6: '6 to 5' } })
  })

  it('ignore the order of wagers', () => {
    expect(withChange({}, calls, ['buy', 'place'])).toEqual({})
    expect(withChange({}, calls, ['place'])).toEqual({ call_on: ['place'] })
  })
})

describe('display', () => {
  it('uses the titles of the server', () => {
    expect(formatValue(wagers, ['place'], 'USD')).toBe('Place Bet')
    expect(formatValue(percent, 500, 'USD')).toBe('5 %')
    expect(formatValue(take.form, { '4': 3 }, 'USD')).toBe('4: 3 times')
  })

  it('finds the option of an error', () => {
    expect(optionAtFault('max_bet', book)).toEqual({ name: 'max_bet', key: null })
    expect(optionAtFault('paytable.place6', book)).toEqual({ name: 'paytable', key: 'place6' })
    expect(optionAtFault('bots', book)).toBeNull()
    expect(optionAtFault(undefined, book)).toBeNull()
  })

  it('shows an error without repeating the option', () => {
    const vig = option({ name: 'vig_bp', form: percent })
    const tooHigh = {
      code: 'vig_above_5pct',
      field: 'vig_bp',
      cite: ['1.5(a)'],
      message: 'vig_bp: 600 is not allowed: at most 500 (1.5(a))',
    }
    expect(optionError(vig, { vig_bp: 600 }, tooHigh, 'USD')).toBe('6 % is not allowed. Allowed: 0 to 5 %.')
    const tooLow = {
      code: 'below_minimum_odds',
      field: 'paytable.place6',
      cite: ['1.4(b)'],
      message: 'paytable.place6: 1 to 9 is below the minimum odds of 7 to 6 (1.4(b))',
    }
    expect(optionError(pays, { paytable: { place6: '1 to 9' } }, tooLow, 'USD')).toBe(
      '1 to 9 is below the minimum odds of 7 to 6',
    )
    const bare = { code: 'invalid_request', message: 'not a table' }
    expect(optionError(pays, {}, bare, 'USD')).toBe('not a table')
  })
})
