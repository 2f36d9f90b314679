// Strict parsing of proofs: every key must be present, none may be unknown, and errors say where the problem is.

import { compareNames, utf8Bytes } from './encoding'
import { MalformedProofError } from './errors'

export const MAX_CHAIN_LENGTH = 65536
const FORMAT = 'trueodds fair roll 1'
const HASH_KEYS = ['anchor', 'next_anchor', 'previous_secret', 'previous_seal', 'layout_digest'] as const
const LOCK_KEYS = ['table', 'roll', 'chain_length', 'chain', 'link', ...HASH_KEYS, 'commitments']
const PROOF_KEYS = ['format', 'lock', 'lock_digest', 'secret', 'openings', 'missing', 'client_seeds', 'dice', 'seal']

export interface Commitment {
  seat: string
  commitment: string
}

export interface Opening {
  seat: string
  seed: string
}

/** What is fixed when bets close. Here and in proofs, hashes are 64 hexadecimal digits. */
export interface Lock {
  table: string
  roll: number
  chain_length: number
  chain: number
  link: number
  anchor: string
  next_anchor: string
  previous_secret: string
  previous_seal: string
  layout_digest: string
  commitments: Commitment[]
}

/** The proof of a finished roll. Parsing checks only its form; `verifyRolls` checks whether it is true. */
export interface Proof {
  format: string
  lock: Lock
  lock_digest: string
  secret: string
  openings: Opening[]
  missing: string[]
  client_seeds: number
  dice: string
  seal: string
}

export function parseLock(data: unknown, where = 'lock'): Lock {
  const object = parseObject(data, where, LOCK_KEYS)
  parseName(object.table, `${where}: table`)
  for (const key of ['roll', 'chain_length', 'chain', 'link']) parseNumber(object[key], `${where}: ${key}`)
  if ((object.chain_length as number) > MAX_CHAIN_LENGTH)
    throw new MalformedProofError(
      `${where}: chain_length must be at most ${MAX_CHAIN_LENGTH}, got ${object.chain_length as number}`,
    )
  for (const key of HASH_KEYS) parseHash(object[key], `${where}: ${key}`)
  const commitments = parseList(object.commitments, `${where}: commitments`).map((entry, index) => {
    const at = `${where}: commitment ${index + 1}`
    const { seat, commitment } = parseObject(entry, at, ['seat', 'commitment'])
    return { seat: parseName(seat, at), commitment: parseHash(commitment, at) }
  })
  checkSeatOrder(
    commitments.map(({ seat }) => seat),
    `${where}: commitments`,
  )
  return { ...object, commitments } as unknown as Lock
}

export function parseProof(data: unknown, where = 'proof'): Proof {
  const object = parseObject(data, where, PROOF_KEYS)
  if (object.format !== FORMAT) throw new MalformedProofError(`${where}: format must be '${FORMAT}'`)
  const openings = parseList(object.openings, `${where}: openings`).map((entry, index) => {
    const at = `${where}: opening ${index + 1}`
    const { seat, seed } = parseObject(entry, at, ['seat', 'seed'])
    return { seat: parseName(seat, at), seed: parseHash(seed, at) }
  })
  checkSeatOrder(
    openings.map(({ seat }) => seat),
    `${where}: openings`,
  )
  if (object.client_seeds !== openings.length)
    throw new MalformedProofError(`${where}: client_seeds must be the number of openings, ${openings.length}`)
  const missing = parseList(object.missing, `${where}: missing`).map((seat) =>
    parseName(seat, `${where}: missing seat`),
  )
  checkSeatOrder(missing, `${where}: missing seats`)
  for (const key of ['lock_digest', 'secret', 'seal']) parseHash(object[key], `${where}: ${key}`)
  if (typeof object.dice !== 'string' || !/^[1-6]-[1-6]$/.test(object.dice))
    throw new MalformedProofError(`${where}: dice must be written like 3-4, with faces from 1 to 6`)
  return { ...object, lock: parseLock(object.lock, `${where}: lock`), openings, missing } as unknown as Proof
}

/** Parse the JSON text of one proof or of a list of proofs. */
export function parseProofs(text: string): Proof[] {
  const data = parseStrictJson(text)
  if (!Array.isArray(data)) return [parseProof(data)]
  if (!data.length) throw new MalformedProofError('there is no roll to verify')
  return data.map((proof, index) => parseProof(proof, `proof ${index + 1}`))
}

/** Parse JSON without duplicate keys, in which every number is an integer written without exponent or fraction. */
export function parseStrictJson(text: string): unknown {
  let data: unknown
  try {
    data = JSON.parse(text)
  } catch (error) {
    throw new MalformedProofError(`not valid JSON: ${(error as Error).message}`)
  }
  // The text is valid JSON, so a simple expression can split it into tokens.
  const open: (Set<string> | null)[] = []
  let previous = ''
  for (const [token] of text.matchAll(/"(?:[^"\\]|\\.)*"|[{}[\]:,]|[^\s{}[\]:,"]+/g)) {
    if (token === '{') open.push(new Set())
    else if (token === '[') open.push(null)
    else if (token === '}' || token === ']') open.pop()
    else if (token === ':') addUniqueKey(open.at(-1) ?? new Set(), JSON.parse(previous) as string)
    else if (/^[-\d].*[.eE]/.test(token)) throw new MalformedProofError(`${token} is not an integer`)
    previous = token
  }
  return data
}

function addUniqueKey(keys: Set<string>, key: string): void {
  if (keys.has(key)) throw new MalformedProofError(`duplicate key '${key}'`)
  keys.add(key)
}

function parseObject(data: unknown, where: string, keys: string[]): Record<string, unknown> {
  if (typeof data !== 'object' || data === null || Array.isArray(data))
    throw new MalformedProofError(`${where} must be an object with ${keys.join(', ')}`)
  const missing = keys.find((key) => !Object.hasOwn(data, key))
  if (missing) throw new MalformedProofError(`${where}: ${missing} is missing`)
  const unknown = Object.keys(data).find((key) => !keys.includes(key))
  if (unknown !== undefined) throw new MalformedProofError(`${where}: unknown key '${unknown}'`)
  return data as Record<string, unknown>
}

function parseList(data: unknown, where: string): unknown[] {
  if (!Array.isArray(data)) throw new MalformedProofError(`${where} must be a list`)
  return data
}

function parseHash(data: unknown, where: string): string {
  if (typeof data !== 'string' || !/^[0-9a-f]{64}$/.test(data))
    throw new MalformedProofError(`${where} must be 64 lowercase hexadecimal digits`)
  return data
}

function parseNumber(data: unknown, where: string): number {
  if (!Number.isSafeInteger(data) || (data as number) < 1)
    throw new MalformedProofError(`${where} must be an integer from 1 to ${Number.MAX_SAFE_INTEGER}`)
  return data as number
}

/** Check a name. Names are compared byte by byte, without normalizing or trimming. */
function parseName(data: unknown, where: string): string {
  const isText = typeof data === 'string' && !/[\p{Cc}\p{Cs}]/u.test(data)
  if (!isText || !data || utf8Bytes(data).length > 255)
    throw new MalformedProofError(`${where}: a name must be 1 to 255 bytes of text without control characters`)
  return data
}

function checkSeatOrder(seats: string[], where: string): void {
  if (seats.some((seat, i) => i > 0 && compareNames(seats[i - 1]!, seat) >= 0))
    throw new MalformedProofError(`${where} must be sorted by seat, without duplicates`)
}
