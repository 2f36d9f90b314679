// Getting to a table: opening one, and sitting down with chips.

import type { Where } from './address'
import { post, query, Refused } from './api'
import { newId } from './id'

export const BUY_IN_CENTS = 50_000

/**
 * One way to a seat. Asked again after a failure, it goes on where it stopped: no second table, no second buy-in.
 * A no is an answer, too, and the server gives the same to the same wish for ever: after one, it wishes anew.
 */
export class Way {
  private opened: Where | null = null
  private wish = newId()

  constructor(
    private readonly wanted: Record<string, unknown> | Where,
    private readonly ask: typeof post = post,
  ) {
    if ('id' in wanted) this.opened = wanted as Where
  }

  async open(): Promise<Where> {
    return (this.opened ??= await this.ask<Where>('/api/tables', this.wanted))
  }

  async sit(cents = BUY_IN_CENTS): Promise<Where> {
    const opened = await this.open()
    try {
      await this.ask(query(`/api/tables/${opened.id}/wishes`, { invitation: opened.invitation }), { id: this.wish, wish: 'sit', cents })
    } catch (error) {
      if (error instanceof Refused && error.code === 'seat_taken') return opened
      if (error instanceof Refused && error.status === 409) this.wish = newId()
      throw error
    }
    return opened
  }
}
