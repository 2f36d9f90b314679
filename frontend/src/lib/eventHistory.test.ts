import { afterEach, describe, expect, it, vi } from 'vitest'
import { Past } from './past.svelte'
import type { TableEvent } from './types'

const row = (number: number) => ({ number }) as TableEvent
const rows = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, index) => row(from + index))
const numbers = (events: TableEvent[]) => events.map((event) => event.number)

/** A server that answers as the rows of a table are asked for. */
function serve(): string[] {
  const asked: string[] = []
  vi.stubGlobal('fetch', async (path: string) => {
    asked.push(path)
    const given = new URL(path, 'http://here').searchParams
    const after = Number(given.get('after'))
    return new Response(JSON.stringify({ rows: rows(after + 1, after + Number(given.get('limit'))), more: true }))
  })
  return asked
}

describe('the past of a table', () => {
  afterEach(() => void vi.unstubAllGlobals())

  it('asks for what is before the first row, until there is nothing', async () => {
    const asked = serve()
    const table = { id: 't', invitation: 'x y', events: rows(601, 610) }
    const past = new Past(table)
    expect(past.hasEarlier).toBe(true)
    await past.ask()
    expect(numbers(past.before(table.events))).toEqual(numbers(rows(201, 610)))
    await past.ask()
    expect(numbers(past.before(table.events))).toEqual(numbers(rows(1, 610)))
    expect(past.hasEarlier).toBe(false)
    await past.ask()
    expect(asked).toEqual(['/api/tables/t/rows?after=200&limit=400&invitation=x%20y', '/api/tables/t/rows?after=0&limit=200&invitation=x%20y'])
  })

  it('has no gap where the table lets go of rows', async () => {
    serve()
    const table = { id: 't', invitation: null, events: rows(11, 20) }
    const past = new Past(table)
    await past.ask()
    for (let last = 25; last <= 60; last += 5) {
      table.events = rows(last - 9, last)
      past.follow()
    }
    expect(numbers(past.before(table.events))).toEqual(numbers(rows(1, 60)))
    expect(numbers(past.before(table.events.slice(0, -2)))).toEqual(numbers(rows(1, 58)))
  })

  it('has nothing to ask for at a table that it knows from its first row', () => {
    expect(new Past({ id: 't', invitation: null, events: rows(1, 5) }).hasEarlier).toBe(false)
    expect(new Past({ id: 't', invitation: null, events: [] }).hasEarlier).toBe(false)
  })

  it('says why nothing came, and asks again', async () => {
    vi.stubGlobal('fetch', async () => Promise.reject(new TypeError('no network')))
    const past = new Past({ id: 't', invitation: null, events: rows(9, 10) })
    await past.ask()
    expect(past.error).toBe('The server cannot be reached.')
    serve()
    await past.ask()
    expect([past.error, past.hasEarlier]).toEqual(['', false])
  })
})
