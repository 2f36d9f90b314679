// For tests: a house that throws dice under the key that everybody knows, honestly or as it likes.

import { digest, fromHex, sign, toHex } from './encoding'
import type { Lock, Opening, Proof } from './reading'
import { commitTo, contributionsOf, lockDigest, NO_PAST, placeOf, sealOf, throwDice } from './roll'

export const KEY: Uint8Array = Uint8Array.from({ length: 32 }, (_, i) => i)

/** The secrets of a chain by link; 0 is the anchor. */
export function chainOf(table: string, chain: number, length: number, key = KEY): string[] {
  let secret = sign(key, 'chain', table, chain, length)
  const secrets = [toHex(secret)]
  for (let link = length; link > 0; link--) {
    secret = digest('link', table, chain, link, secret)
    secrets.unshift(toHex(secret))
  }
  return secrets
}

export interface Given {
  table?: string
  length?: number
  key?: Uint8Array
  /** Seats that commit, each with its seed. */
  seeds?: Record<string, string>
  /** Seats that do not open. */
  silent?: string[]
}

export function lockAfter(before: Proof | null, { table = 't1', length = 4, key = KEY, seeds = {} }: Given = {}): Lock {
  const roll = (before?.lock.roll ?? 0) + 1
  const { chain, link } = placeOf(roll, length)
  const secrets = chainOf(table, chain, length, key)
  return {
    table, roll, length, chain, link,
    anchor: secrets[0]!,
    next_anchor: chainOf(table, chain + 1, length, key)[0]!,
    down_to: secrets[link - 1]!,
    past: before?.seal ?? NO_PAST,
    layout: toHex(digest('layout', new TextEncoder().encode(`layout ${roll}`))),
    commitments: Object.keys(seeds).sort().map((seat) => ({ seat, commitment: commitTo(table, roll, seat, seeds[seat]!) })),
  }
}

/** Make a proof that fits itself, as a server would that does not care about rules. */
export function proofOf(lock: Lock, secret: string, openings: Opening[]): Proof {
  const opened = new Set(openings.map((one) => one.seat))
  const lock_digest = lockDigest(lock)
  const contributions = contributionsOf({ lock, openings })
  const { roll } = throwDice(secret, lock_digest, contributions)
  return {
    format: 'trueodds fair roll 1', lock, lock_digest, secret, openings,
    missing: lock.commitments.map((one) => one.seat).filter((seat) => !opened.has(seat)),
    outside_seeds: openings.length,
    roll,
    seal: sealOf(lock_digest, secret, contributions, roll),
  }
}

export function proofAfter(before: Proof | null, given: Given = {}, changes: Partial<Lock> = {}): Proof {
  const { seeds = {}, silent = [], key } = given
  const lock = { ...lockAfter(before, given), ...changes }
  const openings = Object.keys(seeds).sort().filter((seat) => !silent.includes(seat)).map((seat) => ({ seat, seed: seeds[seat]! }))
  return proofOf(lock, chainOf(lock.table, lock.chain, lock.length, key)[lock.link]!, openings)
}

/** The same roll again with another lock, secret or openings. */
export const forged = (proof: Proof, lock: Partial<Lock>, secret = proof.secret, openings = proof.openings): Proof =>
  proofOf({ ...proof.lock, ...lock }, secret, openings)

export const flip = (hash: string): string => toHex(fromHex(hash).map((octet, i) => (i ? octet : octet ^ 1)))
