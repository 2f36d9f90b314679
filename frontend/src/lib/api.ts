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

export async function ask<T>(method: string, path: string, body?: unknown): Promise<T> {
  let response: Response
  try {
    response = await fetch(path, {
      method,
      headers: body === undefined ? {} : { 'Content-Type': 'application/json' },
      body: body === undefined ? null : JSON.stringify(body),
      credentials: 'same-origin',
    })
  } catch {
    throw new Refused({ code: 'offline', sentence: 'The server cannot be reached.' }, 0)
  }
  if (response.status === 204) return undefined as T
  let data: unknown
  try {
    data = await response.json()
  } catch {
    throw new Refused({ code: 'garbled', sentence: 'The server answered what cannot be read.' }, response.status)
  }
  if (!response.ok) throw new Refused((data as { error: ApiError }).error, response.status)
  return data as T
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
