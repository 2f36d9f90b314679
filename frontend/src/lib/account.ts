// Helpers for the account page: checking names and passwords, showing errors, parsing limits, formatting durations.

import { RequestError } from './api'
import { parseMoney } from './money'
import constants from './server-constants.json'
import type { ErrorBody, PlayerResults } from './serverTypes'

/** The user's results at all tables. */
export interface AccountResults {
  total: PlayerResults
  last_24_hours: { bought_in_cents: number; cashed_out_cents: number; net_cents: number; seated_ms: number }
  tables: (PlayerResults & { table_id: string; currency: string })[]
}

/** A limit the user has set, and a looser one that will replace it. */
export interface Limit {
  current: number | null
  pending: { value: number | null; effective_ms: number } | null
}

export interface Limits {
  loss_cents: Limit
  time_ms: Limit
  remaining: { bet_cents: number | null; buy_in_cents: number | null; time_ms: number | null }
}

/** Return what is wrong with a name, or an empty string. */
export function nameProblem(name: string): string {
  if (!name.trim()) return 'Enter a name.'
  const max = constants.max_name_length
  return [...name.trim()].length > max ? `A name can have at most ${max} characters.` : ''
}

/** Return what is wrong with a new password, or an empty string. */
export function passwordProblem(password: string): string {
  const { min_password_length: min, max_password_length: max } = constants
  const length = [...password].length
  if (length < min) return `A password must have at least ${min} characters.`
  return length > max ? `A password can have at most ${max} characters.` : ''
}

export type AccountField = 'name' | 'password' | 'form'

/** Return the field that an error belongs to. */
export function errorField(error: ErrorBody): AccountField {
  if (error.code === 'name_taken') return 'name'
  if (error.code === 'wrong_password') return 'password'
  return error.field === 'name' || error.field === 'password' ? error.field : 'form'
}

/** Return an error as a sentence, with how long to wait if it is long. */
export function errorSentence(error: unknown): string {
  const { message, retry_after_ms = 0 }: Pick<ErrorBody, 'message' | 'retry_after_ms'> =
    error instanceof RequestError ? error.body : { message: String(error instanceof Error ? error.message : error) }
  const sentence = message.charAt(0).toUpperCase() + message.slice(1) + (/[.!?]$/.test(message) ? '' : '.')
  return retry_after_ms >= 60_000 ? `${sentence} Try again in ${duration(retry_after_ms)}.` : sentence
}

/** 5400000 is 1 h 30 min. */
export function duration(ms: number): string {
  const minutes = ms > 0 && ms < 60_000 ? 1 : Math.floor(ms / 60_000)
  const [hours, rest] = [Math.floor(minutes / 60), minutes % 60]
  if (!hours) return `${rest} min`
  return rest ? `${hours} h ${rest} min` : `${hours} h`
}

/** Parse the limits form. Empty fields mean no limit. Return an error message if a field is invalid. */
export function parseLimits(
  loss: string,
  hours: string,
  minutes: string,
): { loss_cents: number | null; time_ms: number | null } | string {
  const lossCents = loss.trim() ? parseMoney(loss) : null
  if (loss.trim() && lossCents === null) return 'Enter the maximum loss as an amount, like 200.'
  if (!hours.trim() && !minutes.trim()) return { loss_cents: lossCents, time_ms: null }
  const [h, m] = [Number(hours.trim() || 0), Number(minutes.trim() || 0)]
  if (!Number.isInteger(h) || !Number.isInteger(m) || h < 0 || m < 0)
    return 'Enter the time in whole hours and minutes.'
  const timeMs = (h * 60 + m) * 60_000
  return timeMs > 86_400_000 ? 'The time must be at most 24 hours.' : { loss_cents: lossCents, time_ms: timeMs }
}
