import { expect, test } from 'vitest'
import { chipLabel, formatMoney, parseMoney } from './money'

test('formats cents', () => {
  expect([1250, 1200, 5, 123_456_789].map((cents) => formatMoney(cents))).toEqual([
    '$12.50',
    '$12',
    '$0.05',
    '$1,234,567.89',
  ])
  expect([formatMoney(-500), formatMoney(0), formatMoney(700, 'SGD'), formatMoney(700, 'XYZ')]).toEqual([
    '−$5',
    '$0',
    'S$7',
    'XYZ 7',
  ])
})

test('parses what it formats', () => {
  for (const currency of ['USD', 'SGD', 'EUR', 'XYZ'])
    for (const cents of [0, 5, 1250, 1200, 123_456_789]) expect(parseMoney(formatMoney(cents, currency))).toBe(cents)
  for (const [text, cents] of [
    ['14', 1400],
    ['$14.50', 1450],
    ['S$7', 700],
    [' 1,200 ', 120_000],
    ['3.5', 350],
  ] as const) {
    expect(parseMoney(text), text).toBe(cents)
  }
  for (const text of ['', '-3', 'ten', '1.234', '12,50', '1,2345', '1 2', '$', '12345678901234'])
    expect(parseMoney(text), text).toBeNull()
})

test('abbreviates the label of a chip', () => {
  expect([500, 1250, 100_000, 150_000, 1_234_500].map(chipLabel)).toEqual(['5', '12.50', '1k', '1.5k', '12k'])
})
