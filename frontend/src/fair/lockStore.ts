// The locks that this browser was told before their dice were thrown, for as long as the page is open.

import type { Lock } from './reading'

const KEPT = 5000
const locks = new Map<string, Lock>()

export function keepLock(lock: Lock): void {
  const key = `${lock.table} ${lock.roll}`
  if (locks.has(key)) return
  locks.set(key, lock)
  if (locks.size > KEPT) locks.delete(locks.keys().next().value ?? '')
}

export const seenLock = (table: string, roll: number): Lock | null => locks.get(`${table} ${roll}`) ?? null
