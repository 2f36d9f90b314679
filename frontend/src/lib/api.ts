// HTTP requests to the server.

import type { ErrorBody } from './serverTypes'

/** A request that the server refused, or that got no valid response. */
export class RequestError extends Error {
  constructor(
    readonly body: ErrorBody,
    readonly status: number,
  ) {
    super(body.message)
  }

  get code(): string {
    return this.body.code
  }
}

const invalidResponse = (status: number) =>
  new RequestError({ code: 'invalid_response', message: 'Invalid response from the server.' }, status)

/** Whether a value is an error object of our server. A proxy may answer in another format. */
function isErrorBody(value: unknown): value is ErrorBody {
  const { code, message } = (value ?? {}) as Partial<ErrorBody>
  return typeof code === 'string' && typeof message === 'string'
}

/** Send a request and return the response. Throw RequestError unless its status is 2xx or 304. */
export async function request(
  path: string,
  options: RequestInit = {},
  fetcher: typeof fetch = fetch,
): Promise<Response> {
  let response: Response
  try {
    response = await fetcher(path, { ...options, credentials: 'same-origin' })
  } catch {
    throw new RequestError({ code: 'offline', message: 'The server cannot be reached.' }, 0)
  }
  if (response.ok || response.status === 304) return response
  const { error } = ((await response.json().catch(() => null)) ?? {}) as { error?: unknown }
  throw isErrorBody(error) ? new RequestError(error, response.status) : invalidResponse(response.status)
}

/** Return the JSON body of a response. */
export async function parseResponse<T>(response: Response): Promise<T> {
  if (response.status === 204) return undefined as T
  try {
    return (await response.json()) as T
  } catch {
    throw invalidResponse(response.status)
  }
}

export async function requestJson<T>(method: string, path: string, body?: unknown): Promise<T> {
  const options =
    body === undefined ? {} : { headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) }
  return parseResponse<T>(await request(path, { method, ...options }))
}

export const get = <T>(path: string) => requestJson<T>('GET', path)
export const post = <T>(path: string, body: unknown = {}) => requestJson<T>('POST', path, body)

/** Return the path with query parameters; null and undefined values are left out. */
export function withQuery(path: string, parameters: Record<string, string | number | null | undefined>): string {
  const pairs = Object.entries(parameters).flatMap(([key, value]) =>
    value === null || value === undefined ? [] : [`${key}=${encodeURIComponent(value)}`],
  )
  return pairs.length ? `${path}?${pairs.join('&')}` : path
}
