import { expect, test } from 'vitest'
import { money, onChip } from './money'

test('cents are read as money', () => {
  expect([1250, 1200, 5, 123_456_789].map((cents) => money(cents))).toEqual(['$12.50', '$12', '$0.05', '$1,234,567.89'])
  expect([money(-500), money(0), money(700, 'SGD'), money(700, 'XYZ')]).toEqual(['−$5', '$0', 'S$7', 'XYZ 7'])
})

test('a chip has little room', () => {
  expect([500, 1250, 100_000, 150_000, 1_234_500].map(onChip)).toEqual(['5', '12.50', '1k', '1.5k', '12k'])
})
