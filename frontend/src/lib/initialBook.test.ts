import { expect, it } from 'vitest'
import { firstBook } from './book'

it('begins with the book that was asked for, or with the usual one', () => {
  const books = [{ id: 'maryland' }, { id: 'new_jersey' }, { id: 'rws' }]
  expect([firstBook('rws', books), firstBook('monaco', books), firstBook(null, books)]).toEqual(['rws', 'new_jersey', 'new_jersey'])
  expect(firstBook('monaco', [{ id: 'maryland' }])).toBe('maryland')
  expect([firstBook('rws', []), firstBook(null, []), firstBook('', [])]).toEqual(['rws', 'new_jersey', 'new_jersey'])
})
