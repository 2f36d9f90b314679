// The open tables, as the lobby shows them.

import { fetched, read } from './api'
import type { Me } from './types'

export interface OpenTable {
  id: string
  book: { id: string; code: string; title: string }
  house: string
  currency: string
  min_bet: number | null
  max_bet: number | null
  created_ms: number
  players: string[]
  point: number | null
  sequence: number
}

/** Asks for the open tables; unless they changed, the server sends nothing. */
export class Lobby {
  private etag = ''
  private known: OpenTable[] = []

  constructor(private readonly fetching?: typeof fetch) {}

  async ask(): Promise<OpenTable[]> {
    const response = await fetched('/api/tables', { headers: this.etag ? { 'If-None-Match': this.etag } : {} }, this.fetching)
    if (response.status === 304) return this.known
    this.known = await read<OpenTable[]>(response)
    this.etag = response.headers.get('etag') ?? ''
    return this.known
  }
}

/** Tables where somebody is come first, then the newest, as the server has them. */
export function inOrder(tables: OpenTable[]): OpenTable[] {
  return [...tables].sort((one, other) => Number(other.players.length > 0) - Number(one.players.length > 0))
}

/** Whether somebody has a seat at a table; the lobby is told names, which nobody shares. */
export function isSeatedAt(table: OpenTable, me: Me | null): boolean {
  return me !== null && table.players.includes(me.name)
}

/** Who is there: "Ann and Bo", "Ann, Bo and 3 more". */
export function company(players: string[], most = 3): string {
  if (!players.length) return 'Nobody yet'
  const shown = players.slice(0, most)
  const rest = players.length - shown.length
  const all = rest ? [...shown, `${rest} more`] : shown
  return all.length === 1 ? `${all[0]}` : `${all.slice(0, -1).join(', ')} and ${all.at(-1)}`
}
