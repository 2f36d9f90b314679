// Reading proofs strictly: every key is there, none is unknown, and an error says where it stands.

import { bytesOf, compareNames } from './encoding'
import { FairError } from './errors'

export const LONGEST = 65536
const FORMAT = 'trueodds fair roll 1'
const HEXES = ['anchor', 'next_anchor', 'down_to', 'past', 'layout'] as const
const LOCK = ['table', 'roll', 'length', 'chain', 'link', ...HEXES, 'commitments']
const PROOF = ['format', 'lock', 'lock_digest', 'secret', 'openings', 'missing', 'outside_seeds', 'roll', 'seal']

export interface Commitment {
  seat: string
  commitment: string
}

export interface Opening {
  seat: string
  seed: string
}

/** What is fixed when bets close. Hashes are 64 hexadecimal digits, here and in proofs. */
export interface Lock {
  table: string
  roll: number
  length: number
  chain: number
  link: number
  anchor: string
  next_anchor: string
  down_to: string
  past: string
  layout: string
  commitments: Commitment[]
}

/** A roll that was thrown. What it says is only well formed; `verifyRolls` says whether it is true. */
export interface Proof {
  format: string
  lock: Lock
  lock_digest: string
  secret: string
  openings: Opening[]
  missing: string[]
  outside_seeds: number
  roll: string
  seal: string
}

export function readLock(data: unknown, where = 'lock'): Lock {
  const given = fields(data, where, LOCK)
  name(given.table, `${where}: table`)
  for (const key of ['roll', 'length', 'chain', 'link']) number(given[key], `${where}: ${key}`)
  if ((given.length as number) > LONGEST) throw new FairError(`${where}: a chain has at most ${LONGEST} links`)
  for (const key of HEXES) hex(given[key], `${where}: ${key}`)
  const commitments = list(given.commitments, `${where}: commitments`).map((entry, index) => {
    const at = `${where}: commitment ${index + 1}`
    const one = fields(entry, at, ['seat', 'commitment'])
    return { seat: name(one.seat, at), commitment: hex(one.commitment, at) }
  })
  inOrder(commitments.map((one) => one.seat), `${where}: commitments`)
  return { ...given, commitments } as unknown as Lock
}

export function readProof(data: unknown, where = 'proof'): Proof {
  const given = fields(data, where, PROOF)
  if (given.format !== FORMAT) throw new FairError(`${where}: format is '${FORMAT}'`)
  const openings = list(given.openings, `${where}: openings`).map((entry, index) => {
    const at = `${where}: opening ${index + 1}`
    const one = fields(entry, at, ['seat', 'seed'])
    return { seat: name(one.seat, at), seed: hex(one.seed, at) }
  })
  inOrder(openings.map((one) => one.seat), `${where}: openings`)
  if (given.outside_seeds !== openings.length)
    throw new FairError(`${where}: outside_seeds counts the openings, of which there are ${openings.length}`)
  const missing = list(given.missing, `${where}: missing`).map((seat) => name(seat, `${where}: a missing seat`))
  inOrder(missing, `${where}: missing seats`)
  for (const key of ['lock_digest', 'secret', 'seal']) hex(given[key], `${where}: ${key}`)
  if (typeof given.roll !== 'string' || !/^[1-6]-[1-6]$/.test(given.roll))
    throw new FairError(`${where}: a roll is written like 3-4, with faces from 1 to 6, and nothing around it`)
  return { ...given, lock: readLock(given.lock, `${where}: lock`), openings, missing } as unknown as Proof
}

/** Read one proof, or a list of them, from text. */
export function readProofs(text: string): Proof[] {
  const data = readJson(text)
  if (!Array.isArray(data)) return [readProof(data)]
  if (!data.length) throw new FairError('there is no roll to verify')
  return data.map((one, index) => readProof(one, `proof ${index + 1}`))
}

/** Read JSON in which no key stands twice and every number is whole, as it is written. */
export function readJson(text: string): unknown {
  let data: unknown
  try {
    data = JSON.parse(text)
  } catch (error) {
    throw new FairError(`this is not JSON: ${(error as Error).message}`)
  }
  // The text is well formed from here on, so that its tokens can be told apart simply.
  const open: (Set<string> | null)[] = []
  let last = ''
  for (const [token] of text.matchAll(/"(?:[^"\\]|\\.)*"|[{}[\]:,]|[^\s{}[\]:,"]+/g)) {
    if (token === '{') open.push(new Set())
    else if (token === '[') open.push(null)
    else if (token === '}' || token === ']') open.pop()
    else if (token === ':') once(open.at(-1) ?? new Set(), JSON.parse(last) as string)
    else if (/^[-\d].*[.eE]/.test(token)) throw new FairError(`${token} is not a whole number`)
    last = token
  }
  return data
}

function once(keys: Set<string>, key: string): void {
  if (keys.has(key)) throw new FairError(`'${key}' stands twice in one object`)
  keys.add(key)
}

function fields(data: unknown, where: string, names: string[]): Record<string, unknown> {
  if (typeof data !== 'object' || data === null || Array.isArray(data))
    throw new FairError(`${where} is an object with ${names.join(', ')}`)
  const missing = names.find((key) => !Object.hasOwn(data, key))
  if (missing) throw new FairError(`${where}: ${missing} is missing`)
  const unknown = Object.keys(data).find((key) => !names.includes(key))
  if (unknown !== undefined) throw new FairError(`${where}: nothing is called '${unknown}'`)
  return data as Record<string, unknown>
}

function list(data: unknown, where: string): unknown[] {
  if (!Array.isArray(data)) throw new FairError(`${where} is a list`)
  return data
}

function hex(data: unknown, where: string): string {
  if (typeof data !== 'string' || !/^[0-9a-f]{64}$/.test(data))
    throw new FairError(`${where} is 64 hexadecimal digits in lower case`)
  return data
}

function number(data: unknown, where: string): number {
  if (!Number.isSafeInteger(data) || (data as number) < 1)
    throw new FairError(`${where} is a whole number from 1 to ${Number.MAX_SAFE_INTEGER}`)
  return data as number
}

/** Names are compared byte for byte; nothing is folded or trimmed. */
function name(data: unknown, where: string): string {
  const plain = typeof data === 'string' && !/[\p{Cc}\p{Cs}]/u.test(data)
  if (!plain || !data || bytesOf(data).length > 255)
    throw new FairError(`${where}: a name is 1 to 255 bytes of text without control characters`)
  return data
}

function inOrder(seats: string[], where: string): void {
  if (seats.some((seat, i) => i > 0 && compareNames(seats[i - 1]!, seat) >= 0))
    throw new FairError(`${where} stand in the order of their seats, each seat once`)
}
