import { expect, it } from 'vitest'
import { proofAddress, tableAddress } from './address'
import { read } from './route.svelte'

it('keeps the invitation, and is read again', () => {
  const open = { id: 't', invitation: null }
  const invited = { id: 't', invitation: 'a b&c' }
  expect([tableAddress(open), tableAddress(invited)]).toEqual(['/table/t', '/table/t?invitation=a%20b%26c'])
  expect([proofAddress(open, 7), proofAddress(invited, 7)]).toEqual(['/proof/t/7', '/proof/t/7?invitation=a%20b%26c'])
  for (const where of [open, invited]) {
    expect(read(tableAddress(where))).toEqual({ page: 'table', ...where })
    expect(read(proofAddress(where, 7))).toEqual({ page: 'proof', roll: 7, ...where })
  }
  expect(['/', '/drill?level=2', '/new', '/me', '/nowhere', '/table'].map((path) => read(path).page)).toEqual(['lobby', 'drill', 'new', 'me', 'lobby', 'lobby'])
})
