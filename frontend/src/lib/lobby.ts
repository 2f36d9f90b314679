// The list of open tables in the lobby.

import { parseResponse, request } from './api'
import type { User } from './serverTypes'

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

/** Fetches the open tables. The server sends them only if they have changed. */
export class OpenTableList {
  private etag = ''
  private tables: OpenTable[] = []

  constructor(private readonly fetcher?: typeof fetch) {}

  async refresh(): Promise<OpenTable[]> {
    const response = await request(
      '/api/tables',
      { headers: this.etag ? { 'If-None-Match': this.etag } : {} },
      this.fetcher,
    )
    if (response.status === 304) return this.tables
    this.tables = await parseResponse<OpenTable[]>(response)
    this.etag = response.headers.get('etag') ?? ''
    return this.tables
  }
}

/** Sort tables with players first. Otherwise keep the server's order, newest first. */
export function occupiedFirst(tables: OpenTable[]): OpenTable[] {
  return [...tables].sort((a, b) => Number(b.players.length > 0) - Number(a.players.length > 0))
}

/** Whether a user has a seat at a table. Names are unique. */
export function isSeatedAt(table: OpenTable, user: User | null): boolean {
  return user !== null && table.players.includes(user.name)
}

/** List the players: "Ann and Bo", "Ann, Bo and 3 more". */
export function playerNames(players: string[], max = 3): string {
  if (!players.length) return 'No players yet'
  const shown = players.slice(0, max)
  const rest = players.length - shown.length
  const all = rest ? [...shown, `${rest} more`] : shown
  return all.length === 1 ? `${all[0]}` : `${all.slice(0, -1).join(', ')} and ${all.at(-1)}`
}
