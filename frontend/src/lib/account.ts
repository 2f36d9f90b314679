// One's account: names and passwords, where a no belongs, limits, time in words.

import { Refused } from './api'
import { readMoney } from './money'
import terms from './terms.json'
import type { ApiError, Standing } from './types'

export interface Everywhere {
  total: Standing
  day: { bought_cents: number; cashed_cents: number; net_cents: number; seated_ms: number }
  tables: (Standing & { table: string; currency: string })[]
}

export interface Limit {
  now: number | null
  later: { to: number | null; at_ms: number } | null
}

export interface Limits {
  loss_cents: Limit
  time_ms: Limit
  left: { bet_cents: number | null; buy_cents: number | null; time_ms: number | null }
}

/** What is wrong with a name, or nothing. */
export function wrongName(name: string): string {
  if (!name.trim()) return 'Write a name.'
  return [...name.trim()].length > terms.name_most ? `A name has at most ${terms.name_most} letters.` : ''
}

/** What is wrong with a new password, or nothing. */
export function wrongPassword(password: string): string {
  const length = [...password].length
  if (length < terms.password_least) return `A password has at least ${terms.password_least} characters.`
  return length > terms.password_most ? `A password has at most ${terms.password_most} characters.` : ''
}

export type Field = 'name' | 'password' | 'form'

/** The field that a no is about. */
export function fieldOf(error: ApiError): Field {
  if (error.code === 'name_taken') return 'name'
  if (error.code === 'wrong_password') return 'password'
  return error.where === 'name' || error.where === 'password' ? error.where : 'form'
}

/** A no as a sentence: with a capital, a stop, and how long to wait. */
export function saying(error: unknown): string {
  const told = error instanceof Refused ? error.error : { sentence: String(error instanceof Error ? error.message : error) }
  const sentence = told.sentence.charAt(0).toUpperCase() + told.sentence.slice(1) + (/[.!?]$/.test(told.sentence) ? '' : '.')
  const wait = 'wait_ms' in told && told.wait_ms && told.wait_ms >= 60_000 ? ` Try again in ${duration(told.wait_ms)}.` : ''
  return sentence + wait
}

/** 5400000 is 1 h 30 min. */
export function duration(ms: number): string {
  const minutes = ms > 0 && ms < 60_000 ? 1 : Math.floor(ms / 60_000)
  const [hours, rest] = [Math.floor(minutes / 60), minutes % 60]
  if (!hours) return `${rest} min`
  return rest ? `${hours} h ${rest} min` : `${hours} h`
}

/** Read what was written for limits; nothing written is no limit. */
export function readLimits(loss: string, hours: string, minutes: string): { loss_cents: number | null; time_ms: number | null } | string {
  const lossCents = loss.trim() ? readMoney(loss) : null
  if (loss.trim() && lossCents === null) return 'Write the most you want to lose as an amount, like 200.'
  if (!hours.trim() && !minutes.trim()) return { loss_cents: lossCents, time_ms: null }
  const [h, m] = [Number(hours.trim() || 0), Number(minutes.trim() || 0)]
  if (!Number.isInteger(h) || !Number.isInteger(m) || h < 0 || m < 0) return 'Write the time in whole hours and minutes.'
  const timeMs = (h * 60 + m) * 60_000
  return timeMs > 86_400_000 ? 'A day has 24 hours.' : { loss_cents: lossCents, time_ms: timeMs }
}
