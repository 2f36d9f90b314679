import { describe, expect, it } from 'vitest'
import { atFirst, blamed, changed, fromText, grouped, range, saidAt, shown, toText, type Book, type Form, type Option } from './house'

const form = (given: Partial<Form>): Form => ({
  kind: 'number', unit: '', least: null, most: null, step: 1, or_none: false, least_odds: '', choices: [], fields: [], ...given,
})
const option = (given: Partial<Option>): Option => ({
  name: 'one', group: 'limits', title: 'One', meaning: '', book_default: 0, house_default: 0, lawful: [], cite: '', law: '',
  settled: false, form: form({}), ...given,
})

const cents = form({ unit: 'cents', least: 1, most: 1e15, or_none: true })
const percent = form({ unit: 'basis_points', least: 0, most: 500 })
const times = form({ unit: 'times', least: 1, most: 100 })
const odds = form({ kind: 'odds', least_odds: '7 to 6' })
const wagers = form({
  kind: 'wagers',
  choices: [
    { value: 'place', title: 'Place Bet', lawful: true, needed: true },
    { value: 'buy', title: 'Buy Bet', lawful: true, needed: false },
  ],
})

const limit = option({ name: 'max_bet', house_default: 500_000, form: cents })
const calls = option({ name: 'call_on', group: 'calls', house_default: ['place', 'buy'], form: wagers })
const take = option({
  name: 'odds_take',
  group: 'odds',
  house_default: { '4': 3, '6': 5 },
  form: form({ kind: 'table', fields: [
    { key: '4', title: '4', default: 3, form: times },
    { key: '6', title: '6', default: 5, form: times },
  ] }),
})
const pays = option({
  name: 'paytable',
  group: 'pays',
  house_default: {},
  form: form({ kind: 'table', fields: [{ key: 'place6', title: 'place 6', default: '7 to 6', form: odds }] }),
})
const bar = option({ name: 'dont_bar', group: 'odds', house_default: 12, settled: true })
const book = {
  most_bots: 6,
  groups: [
    { id: 'limits', title: 'Limits', common: true },
    { id: 'odds', title: 'Odds', common: true },
    { id: 'fire', title: 'Fire bet', common: true },
    { id: 'calls', title: 'Calls', common: false },
    { id: 'pays', title: 'Pay table', common: false },
  ],
  options: [calls, take, limit, bar, pays],
} as unknown as Book

describe('groups of options', () => {
  it('stand in the order of the server, the common ones apart, the empty ones left out', () => {
    const { common, rest } = grouped(book)
    expect(common.map((group) => group.id)).toEqual(['limits', 'odds'])
    expect(rest.map((group) => group.id)).toEqual(['calls', 'pays'])
  })

  it('keep what the book settles apart', () => {
    const odds = grouped(book).common[1]
    expect(odds?.options).toEqual([take])
    expect(odds?.settled).toEqual([bar])
  })

  it('hold every option once', () => {
    const { common, rest } = grouped(book)
    const all = [...common, ...rest].flatMap((group) => [...group.options, ...group.settled])
    expect(all.map((one) => one.name).sort()).toEqual(book.options.map((one) => one.name).sort())
  })
})

describe('bounds', () => {
  it('are told in the units people use', () => {
    expect(range(cents, 'USD')).toBe('$0.01 or more, or none')
    expect(range(percent, 'USD')).toBe('0 to 5 %')
    expect(range(times, 'USD')).toBe('1 to 100 times')
  })
})

describe('a field', () => {
  it('reads what it writes', () => {
    for (const value of [1, 1250, 500_000]) expect(fromText(cents, toText(cents, value))).toBe(value)
    for (const value of [0, 1, 475, 500]) expect(fromText(percent, toText(percent, value))).toBe(value)
    for (const value of [1, 100]) expect(fromText(times, toText(times, value))).toBe(value)
    expect(fromText(cents, toText(cents, 'none'))).toBe('none')
  })

  it('reads amounts as people write them', () => {
    expect(fromText(cents, ' $1,000.5 ')).toBe(100_050)
    expect(fromText(percent, '4.75 %')).toBe(475)
    expect(fromText(odds, ' 6 to 5 ')).toBe('6 to 5')
  })

  it('says when there is nothing to read', () => {
    for (const text of ['ten', '1.234', '-5', '1e3', '12,34']) expect(fromText(cents, text)).toBeNull()
    for (const text of ['', 'x', '1.5']) expect(fromText(times, text)).toBeNull()
    expect(fromText(percent, '4.755')).toBeNull()
  })

  it('leaves what is unlawful to the server', () => {
    expect(fromText(percent, '6')).toBe(600)
  })
})

describe('changes', () => {
  it('are what differs from the house, and nothing else', () => {
    let changes = changed({}, limit, 10_000)
    expect(changes).toEqual({ max_bet: 10_000 })
    changes = changed(changes, limit, 500_000)
    expect(changes).toEqual({})
    expect(changed({}, limit, 'none')).toEqual({ max_bet: 'none' })
    expect(changed({ max_bet: 5 }, limit, null)).toEqual({})
  })

  it('name only the keys that differ', () => {
    let changes = changed({}, take, 10, '6')
    expect(changes).toEqual({ odds_take: { '6': 10 } })
    changes = changed(changes, take, 2, '4')
    expect(changes).toEqual({ odds_take: { '6': 10, '4': 2 } })
    changes = changed(changed(changes, take, 3, '4'), take, 5, '6')
    expect(changes).toEqual({})
  })

  it('take what stands by the book for no change', () => {
    expect(atFirst(pays, 'place6')).toBe('7 to 6')
    expect(changed({}, pays, '7 to 6', 'place6')).toEqual({})
    expect(changed({}, pays, '6 to 5', 'place6')).toEqual({ paytable: { place6: '6 to 5' } })
  })

  it('do not care for the order of wagers', () => {
    expect(changed({}, calls, ['buy', 'place'])).toEqual({})
    expect(changed({}, calls, ['place'])).toEqual({ call_on: ['place'] })
  })
})

describe('what is shown', () => {
  it('has the titles of the server', () => {
    expect(shown(wagers, ['place'], 'USD')).toBe('Place Bet')
    expect(shown(percent, 500, 'USD')).toBe('5 %')
    expect(shown(take.form, { '4': 3 }, 'USD')).toBe('4: 3 times')
  })

  it('finds the option that a no is about', () => {
    expect(blamed('max_bet', book)).toEqual({ name: 'max_bet', key: null })
    expect(blamed('paytable.place6', book)).toEqual({ name: 'paytable', key: 'place6' })
    expect(blamed('bots', book)).toBeNull()
    expect(blamed(undefined, book)).toBeNull()
  })

  it('says a no in the words of its field', () => {
    const vig = option({ name: 'vig_bp', form: percent })
    const no = { code: 'vig_above_5pct', where: 'vig_bp', cite: ['1.5(a)'], sentence: 'vig_bp: 600 is not allowed: at most 500 (1.5(a))' }
    expect(saidAt(vig, { vig_bp: 600 }, no, 'USD')).toBe('6 % is not allowed: 0 to 5 %.')
    const odd = { code: 'below_minimum_odds', where: 'paytable.place6', cite: ['1.4(b)'], sentence: 'paytable.place6: 1 to 9 is less than the least odds of 7 to 6 (1.4(b))' }
    expect(saidAt(pays, { paytable: { place6: '1 to 9' } }, odd, 'USD')).toBe('1 to 9 is less than the least odds of 7 to 6')
    const bare = { code: 'malformed', sentence: 'what is this' }
    expect(saidAt(pays, {}, bare, 'USD')).toBe('what is this')
  })
})
