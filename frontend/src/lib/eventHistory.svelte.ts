// What happened at a table before the rows that the page came with, asked for when somebody wants to read it.

import { get, query, Refused } from './api'
import type { TableEvent } from './types'

const PAGE = 400

/** The part of a table that is needed here. A table keeps the latest rows only. */
export interface Rows {
  readonly id: string
  readonly invitation: string | null
  readonly events: TableEvent[]
}

export class Past {
  /** Why nothing came. */
  error = $state('')
  private asking = $state(false)
  private kept = $state.raw<TableEvent[]>([])

  constructor(private readonly table: Rows) {}

  /** Whether there is anything before the rows that are here. */
  get hasEarlier(): boolean {
    return (this.first ?? 1) > 1
  }

  private get first(): number | undefined {
    return (this.kept[0] ?? this.table.events[0])?.number
  }

  /** Rows with everything that was asked for before them. */
  before(events: TableEvent[]): TableEvent[] {
    const first = events[0]?.number
    return this.kept.length && first !== undefined ? [...this.kept.filter((event) => event.number < first), ...events] : events
  }

  /** Keep what the table has now, so that no gap comes when it lets go of rows. */
  follow(): void {
    const last = this.kept.at(-1)?.number
    if (last === undefined) return
    const newer = this.table.events.filter((event) => event.number > last)
    if (newer.length) this.kept = [...this.kept, ...newer]
  }

  async ask(): Promise<void> {
    const { id, invitation } = this.table
    const first = this.first ?? 1
    if (this.asking || first <= 1) return
    this.asking = true
    this.error = ''
    const after = Math.max(0, first - 1 - PAGE)
    const here = this.kept.length ? this.kept : this.table.events
    try {
      const { rows } = await get<{ rows: TableEvent[] }>(query(`/api/tables/${id}/rows`, { after, limit: first - 1 - after, invitation }))
      this.kept = [...rows, ...here]
      this.follow()
    } catch (error) {
      if (!(error instanceof Refused)) throw error
      this.error = error.error.sentence
    } finally {
      this.asking = false
    }
  }
}
