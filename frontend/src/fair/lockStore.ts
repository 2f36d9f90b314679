// The locks that this browser received before their rolls, kept until the page is closed.

import type { Lock } from './parseProof'

const MAX_LOCKS = 5000
const locks = new Map<string, Lock>()

export function storeLock(lock: Lock): void {
  const key = `${lock.table} ${lock.roll}`
  if (locks.has(key)) return
  locks.set(key, lock)
  if (locks.size > MAX_LOCKS) locks.delete(locks.keys().next().value ?? '')
}

export const storedLock = (table: string, roll: number): Lock | null => locks.get(`${table} ${roll}`) ?? null
