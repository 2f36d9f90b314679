// How values are encoded as bytes before they are hashed: docs/fairness.md, "Encoding".

import { hmac, sha256 } from './sha256'

export type Field = Uint8Array | string | number

const DOMAIN = 'trueodds/fair/1/'
const utf8 = new TextEncoder()

export const toHex = (bytes: Uint8Array): string =>
  Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')

/** Decode hexadecimal digits that have been checked before. */
export const fromHex = (digits: string): Uint8Array =>
  Uint8Array.from({ length: digits.length / 2 }, (_, i) => parseInt(digits.slice(2 * i, 2 * i + 2), 16))

export const utf8Bytes = (text: string): Uint8Array => utf8.encode(text)

/** Compare two names by their UTF-8 bytes. */
export function compareNames(first: string, second: string): number {
  const [a, b] = [utf8Bytes(first), utf8Bytes(second)]
  for (let i = 0; i < Math.min(a.length, b.length); i++) if (a[i] !== b[i]) return a[i]! - b[i]!
  return a.length - b.length
}

/** Concatenate fields, each preceded by its length. */
export function encodeMessage(purpose: string, ...fields: Field[]): Uint8Array {
  const parts = [DOMAIN + purpose, ...fields].map((field) =>
    typeof field === 'string' ? utf8Bytes(field) : typeof field === 'number' ? encodeUint64(field) : field,
  )
  const message = new Uint8Array(parts.reduce((sum, part) => sum + 4 + part.length, 0))
  const view = new DataView(message.buffer)
  let offset = 0
  for (const part of parts) {
    view.setUint32(offset, part.length)
    message.set(part, offset + 4)
    offset += 4 + part.length
  }
  return message
}

export const hashMessage = (purpose: string, ...fields: Field[]): Uint8Array =>
  sha256(encodeMessage(purpose, ...fields))

export const hmacMessage = (key: Uint8Array, purpose: string, ...fields: Field[]): Uint8Array =>
  hmac(key, encodeMessage(purpose, ...fields))

function encodeUint64(number: number): Uint8Array {
  const view = new DataView(new ArrayBuffer(8))
  view.setUint32(0, Math.floor(number / 2 ** 32))
  view.setUint32(4, number >>> 0)
  return new Uint8Array(view.buffer)
}
