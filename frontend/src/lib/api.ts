// Asking the server over HTTP.

import type { ApiError } from './types'

/** A no of the server, or none at all. */
export class Refused extends Error {
  constructor(
    readonly error: ApiError,
    readonly status: number,
  ) {
    super(error.sentence)
  }

  get code(): string {
    return this.error.code
  }
}

const garbled = (status: number) => new Refused({ code: 'garbled', sentence: 'The server answered what cannot be read.' }, status)

/** Whether a no is one of the server: what stands between may answer in shapes of its own. */
function isError(given: unknown): given is ApiError {
  const { code, sentence } = (given ?? {}) as Partial<ApiError>
  return typeof code === 'string' && typeof sentence === 'string'
}

/** Ask, and give the answer unless it is a no; 304 says that nothing changed. */
export async function fetched(path: string, given: RequestInit = {}, fetching: typeof fetch = fetch): Promise<Response> {
  let response: Response
  try {
    response = await fetching(path, { ...given, credentials: 'same-origin' })
  } catch {
    throw new Refused({ code: 'offline', sentence: 'The server cannot be reached.' }, 0)
  }
  if (response.ok || response.status === 304) return response
  const { error } = ((await response.json().catch(() => null)) ?? {}) as { error?: unknown }
  throw isError(error) ? new Refused(error, response.status) : garbled(response.status)
}

/** What an answer says. */
export async function read<T>(response: Response): Promise<T> {
  if (response.status === 204) return undefined as T
  try {
    return (await response.json()) as T
  } catch {
    throw garbled(response.status)
  }
}

export async function ask<T>(method: string, path: string, body?: unknown): Promise<T> {
  const sent = body === undefined ? {} : { headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) }
  return read<T>(await fetched(path, { method, ...sent }))
}

export const get = <T>(path: string) => ask<T>('GET', path)
export const post = <T>(path: string, body: unknown = {}) => ask<T>('POST', path, body)

/** Add what is given to an address. */
export function query(path: string, given: Record<string, string | number | null | undefined>): string {
  const parts = Object.entries(given).flatMap(([key, value]) =>
    value === null || value === undefined ? [] : [`${key}=${encodeURIComponent(value)}`],
  )
  return parts.length ? `${path}?${parts.join('&')}` : path
}
