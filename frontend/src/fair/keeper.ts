// The keeper of one's seeds: promises one for every roll, shows it when the lock is right, checks what came of it.

import type { TableEvent } from '../lib/types'
import type { Wish } from '../lib/table.svelte'

export class Keeper {
  roll = 1
  verdicts = new Map<number, { ok: boolean }>()

  static async join(_table: string, _roll: number, _invitation: string | null): Promise<Keeper> {
    return new Keeper()
  }

  async hear(_event: TableEvent, _past: boolean): Promise<void> {}

  async due(_you: string | null): Promise<Wish | null> {
    return null
  }

  refused(): void {}
}
