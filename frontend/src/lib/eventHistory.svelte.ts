// Loads the events of a table from before those that came with the page, one page at a time.

import { get, RequestError, withQuery } from './api'
import type { TableEvent } from './serverTypes'

const PAGE_SIZE = 400

/** The part of a table connection that is needed here. A connection keeps only the latest events. */
export interface EventLog {
  readonly id: string
  readonly invitation: string | null
  readonly events: TableEvent[]
}

export class EventHistory {
  /** Why the last page could not be loaded. */
  error = $state('')
  private isLoading = $state(false)
  private loaded = $state.raw<TableEvent[]>([])

  constructor(private readonly table: EventLog) {}

  /** Whether the table has events before the ones that are loaded. */
  get hasEarlier(): boolean {
    return (this.firstSequence ?? 1) > 1
  }

  private get firstSequence(): number | undefined {
    return (this.loaded[0] ?? this.table.events[0])?.sequence
  }

  /** Return the events with every loaded event that comes before them. */
  prependTo(events: TableEvent[]): TableEvent[] {
    const first = events[0]?.sequence
    return this.loaded.length && first !== undefined
      ? [...this.loaded.filter((event) => event.sequence < first), ...events]
      : events
  }

  /** Keep the new events of the table, so that no gap appears when the connection drops old ones. */
  syncNewEvents(): void {
    const last = this.loaded.at(-1)?.sequence
    if (last === undefined) return
    const newer = this.table.events.filter((event) => event.sequence > last)
    if (newer.length) this.loaded = [...this.loaded, ...newer]
  }

  async loadEarlier(): Promise<void> {
    const { id, invitation } = this.table
    const first = this.firstSequence ?? 1
    if (this.isLoading || first <= 1) return
    this.isLoading = true
    this.error = ''
    const after = Math.max(0, first - 1 - PAGE_SIZE)
    const later = this.loaded.length ? this.loaded : this.table.events
    try {
      const { events } = await get<{ events: TableEvent[] }>(
        withQuery(`/api/tables/${id}/events`, { after, limit: first - 1 - after, invitation }),
      )
      this.loaded = [...events, ...later]
      this.syncNewEvents()
    } catch (error) {
      if (!(error instanceof RequestError)) throw error
      this.error = error.body.message
    } finally {
      this.isLoading = false
    }
  }
}
