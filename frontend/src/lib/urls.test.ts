import { expect, it } from 'vitest'
import { parseRoute } from './router.svelte'
import { proofUrl, tableUrl } from './urls'

it('URLs keep the invitation and can be parsed', () => {
  const open = { id: 't', invitation: null }
  const invited = { id: 't', invitation: 'a b&c' }
  expect([tableUrl(open), tableUrl(invited)]).toEqual(['/table/t', '/table/t?invitation=a%20b%26c'])
  expect([proofUrl(open, 7), proofUrl(invited, 7)]).toEqual(['/proof/t/7', '/proof/t/7?invitation=a%20b%26c'])
  for (const table of [open, invited]) {
    expect(parseRoute(tableUrl(table))).toEqual({ page: 'table', ...table })
    expect(parseRoute(proofUrl(table, 7))).toEqual({ page: 'proof', roll: 7, ...table })
  }
  expect(['/', '/drill?level=2', '/new', '/me', '/nowhere', '/table'].map((path) => parseRoute(path).page)).toEqual([
    'lobby',
    'drill',
    'new',
    'me',
    'lobby',
    'lobby',
  ])
})
