// For tests: makes locks and proofs under a well-known key, valid ones and forged ones.

import {
  computeCommitment,
  computeLockDigest,
  computeSeal,
  deriveDice,
  expectedLink,
  listContributions,
  NO_PREVIOUS_SEAL,
} from './deriveRoll'
import { fromHex, hashMessage, hmacMessage, toHex } from './encoding'
import type { Lock, Opening, Proof } from './parseProof'

export const KEY: Uint8Array = Uint8Array.from({ length: 32 }, (_, i) => i)

/** Return the secrets of a chain by link number. Number 0 is the anchor. */
export function makeChain(table: string, chain: number, length: number, key = KEY): string[] {
  let secret = hmacMessage(key, 'chain', table, chain, length)
  const secrets = [toHex(secret)]
  for (let link = length; link > 0; link--) {
    secret = hashMessage('link', table, chain, link, secret)
    secrets.unshift(toHex(secret))
  }
  return secrets
}

export interface ProofOptions {
  table?: string
  length?: number
  key?: Uint8Array
  /** Seats that commit, each with its seed. */
  seeds?: Record<string, string>
  /** Seats that do not open their seeds. */
  silent?: string[]
}

export function makeLock(
  previous: Proof | null,
  { table = 't1', length = 4, key = KEY, seeds = {} }: ProofOptions = {},
): Lock {
  const roll = (previous?.lock.roll ?? 0) + 1
  const { chain, link } = expectedLink(roll, length)
  const secrets = makeChain(table, chain, length, key)
  return {
    table,
    roll,
    chain_length: length,
    chain,
    link,
    anchor: secrets[0]!,
    next_anchor: makeChain(table, chain + 1, length, key)[0]!,
    previous_secret: secrets[link - 1]!,
    previous_seal: previous?.seal ?? NO_PREVIOUS_SEAL,
    layout_digest: toHex(hashMessage('layout', new TextEncoder().encode(`layout ${roll}`))),
    commitments: Object.keys(seeds)
      .sort()
      .map((seat) => ({ seat, commitment: computeCommitment(table, roll, seat, seeds[seat]!) })),
  }
}

/** Return a proof that is consistent in itself, even if the lock or the openings break the rules. */
export function makeProofFor(lock: Lock, secret: string, openings: Opening[]): Proof {
  const opened = new Set(openings.map(({ seat }) => seat))
  const lock_digest = computeLockDigest(lock)
  const contributions = listContributions({ lock, openings })
  const { dice } = deriveDice(secret, lock_digest, contributions)
  return {
    format: 'trueodds fair roll 1',
    lock,
    lock_digest,
    secret,
    openings,
    missing: lock.commitments.map(({ seat }) => seat).filter((seat) => !opened.has(seat)),
    client_seeds: openings.length,
    dice,
    seal: computeSeal(lock_digest, secret, contributions, dice),
  }
}

export function makeProof(previous: Proof | null, options: ProofOptions = {}, changes: Partial<Lock> = {}): Proof {
  const { seeds = {}, silent = [], key } = options
  const lock = { ...makeLock(previous, options), ...changes }
  const openings = Object.keys(seeds)
    .sort()
    .filter((seat) => !silent.includes(seat))
    .map((seat) => ({ seat, seed: seeds[seat]! }))
  return makeProofFor(lock, makeChain(lock.table, lock.chain, lock.chain_length, key)[lock.link]!, openings)
}

/** Return the same roll with a different lock, secret or openings. */
export const forgeProof = (
  proof: Proof,
  lock: Partial<Lock>,
  secret = proof.secret,
  openings = proof.openings,
): Proof => makeProofFor({ ...proof.lock, ...lock }, secret, openings)

export const flipBit = (hash: string): string => toHex(fromHex(hash).map((byte, i) => (i ? byte : byte ^ 1)))
