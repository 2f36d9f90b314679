// Opening a table and joining it with chips.

import { post, RequestError, withQuery } from './api'
import { randomId } from './randomId'
import type { TableRef } from './urls'

export const BUY_IN_CENTS = 50_000

/**
 * Opens a table, unless it exists, and joins it. After a failure it can be run again: it resumes where it stopped, so
 * there is no second table and no second buy-in. The server repeats its reply to a command id forever, so a join that
 * was refused is tried again under a new id.
 */
export class JoinFlow {
  private opened: TableRef | null = null
  private commandId = randomId()

  constructor(
    private readonly target: Record<string, unknown> | TableRef,
    private readonly request: typeof post = post,
  ) {
    if ('id' in target) this.opened = target as TableRef
  }

  async openTable(): Promise<TableRef> {
    return (this.opened ??= await this.request<TableRef>('/api/tables', this.target))
  }

  async join(cents = BUY_IN_CENTS): Promise<TableRef> {
    const table = await this.openTable()
    try {
      await this.request(withQuery(`/api/tables/${table.id}/commands`, { invitation: table.invitation }), {
        id: this.commandId,
        command: 'join',
        cents,
      })
    } catch (error) {
      if (error instanceof RequestError && error.code === 'seat_taken') return table
      if (error instanceof RequestError && error.status === 409) this.commandId = randomId()
      throw error
    }
    return table
  }
}
