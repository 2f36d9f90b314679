// The one way anything is turned into bytes before it is hashed: docs/fairness.md, "Bytes".

import { hmac, sha256 } from './sha256'

export type Field = Uint8Array | string | number

const DOMAIN = 'trueodds/fair/1/'
const utf8 = new TextEncoder()

export const toHex = (octets: Uint8Array): string =>
  Array.from(octets, (octet) => octet.toString(16).padStart(2, '0')).join('')

/** Read hexadecimal digits that were checked before. */
export const fromHex = (digits: string): Uint8Array =>
  Uint8Array.from({ length: digits.length / 2 }, (_, i) => parseInt(digits.slice(2 * i, 2 * i + 2), 16))

export const bytesOf = (text: string): Uint8Array => utf8.encode(text)

/** Whether a name stands before, at or after another in the order of their bytes. */
export function compareNames(one: string, other: string): number {
  const [a, b] = [bytesOf(one), bytesOf(other)]
  for (let i = 0; i < Math.min(a.length, b.length); i++) if (a[i] !== b[i]) return a[i]! - b[i]!
  return a.length - b.length
}

/** Write fields after each other, each with its length before it. */
export function message(purpose: string, ...fields: Field[]): Uint8Array {
  const parts = [DOMAIN + purpose, ...fields].map((field) =>
    typeof field === 'string' ? bytesOf(field) : typeof field === 'number' ? eightBytes(field) : field,
  )
  const written = new Uint8Array(parts.reduce((sum, part) => sum + 4 + part.length, 0))
  const view = new DataView(written.buffer)
  let at = 0
  for (const part of parts) {
    view.setUint32(at, part.length)
    written.set(part, at + 4)
    at += 4 + part.length
  }
  return written
}

export const digest = (purpose: string, ...fields: Field[]): Uint8Array => sha256(message(purpose, ...fields))

export const sign = (key: Uint8Array, purpose: string, ...fields: Field[]): Uint8Array =>
  hmac(key, message(purpose, ...fields))

function eightBytes(number: number): Uint8Array {
  const view = new DataView(new ArrayBuffer(8))
  view.setUint32(0, Math.floor(number / 2 ** 32))
  view.setUint32(4, number >>> 0)
  return new Uint8Array(view.buffer)
}
