import { expect, test } from 'vitest'
import { money, onChip, readMoney } from './money'

test('cents are read as money', () => {
  expect([1250, 1200, 5, 123_456_789].map((cents) => money(cents))).toEqual(['$12.50', '$12', '$0.05', '$1,234,567.89'])
  expect([money(-500), money(0), money(700, 'SGD'), money(700, 'XYZ')]).toEqual(['−$5', '$0', 'S$7', 'XYZ 7'])
})

test('what is written as money is read again', () => {
  for (const currency of ['USD', 'SGD', 'EUR', 'XYZ'])
    for (const cents of [0, 5, 1250, 1200, 123_456_789]) expect(readMoney(money(cents, currency))).toBe(cents)
  for (const [text, cents] of [['14', 1400], ['$14.50', 1450], ['S$7', 700], [' 1,200 ', 120_000], ['3.5', 350]] as const) {
    expect(readMoney(text), text).toBe(cents)
  }
  for (const text of ['', '-3', 'ten', '1.234', '12,50', '1,2345', '1 2', '$', '12345678901234']) expect(readMoney(text), text).toBeNull()
})

test('a chip has little room', () => {
  expect([500, 1250, 100_000, 150_000, 1_234_500].map(onChip)).toEqual(['5', '12.50', '1k', '1.5k', '12k'])
})
