import { expect, it } from 'vitest'
import { initialBook } from './initialBook'

it('selects the requested book or the default', () => {
  const books = [{ id: 'maryland' }, { id: 'new_jersey' }, { id: 'rws' }]
  expect([initialBook('rws', books), initialBook('monaco', books), initialBook(null, books)]).toEqual([
    'rws',
    'new_jersey',
    'new_jersey',
  ])
  expect(initialBook('monaco', [{ id: 'maryland' }])).toBe('maryland')
  expect([initialBook('rws', []), initialBook(null, []), initialBook('', [])]).toEqual([
    'rws',
    'new_jersey',
    'new_jersey',
  ])
})
