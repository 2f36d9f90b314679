// The values a roll is computed from: chain links, commitments, the lock, the dice and the seal. See docs/fairness.md.

import { fromHex, hashMessage, hmacMessage, toHex, type Field } from './encoding'
import type { Lock, Proof } from './parseProof'

/** 252 is 7 times 36, so the bytes below it map to each of the 36 outcomes exactly 7 times. */
export const FIRST_REJECTED_BYTE = 252
export const NO_PREVIOUS_SEAL = '0'.repeat(64)

/** A seat that committed, and its seed, or null if it did not open it. */
export type Contribution = [seat: string, seed: string | null]

/** Return the chain and link that a roll must use. Only the roll number decides it. */
export const expectedLink = (roll: number, chainLength: number) => ({
  chain: Math.floor((roll - 1) / chainLength) + 1,
  link: ((roll - 1) % chainLength) + 1,
})

export const usesExpectedLink = (lock: Lock): boolean => {
  const expected = expectedLink(lock.roll, lock.chain_length)
  return lock.chain === expected.chain && lock.link === expected.link
}

const hashLink = (table: string, chain: number, link: number, secret: Uint8Array): Uint8Array =>
  hashMessage('link', table, chain, link, secret)

/** Return the secret of the previous link, or the anchor for link 1. */
export const previousSecret = ({ table, chain, link }: Lock, secret: string): string =>
  toHex(hashLink(table, chain, link, fromHex(secret)))

/** Hash a secret down to the anchor of its chain. */
export function chainAnchor({ table, chain, link }: Lock, secret: string): string {
  let current = fromHex(secret)
  for (let number = link; number > 0; number--) current = hashLink(table, chain, number, current)
  return toHex(current)
}

export const computeCommitment = (table: string, roll: number, seat: string, seed: string): string =>
  toHex(hashMessage('commitment', table, roll, seat, fromHex(seed)))

export const findCommitment = (lock: Lock, seat: string): string | null =>
  lock.commitments.find((entry) => entry.seat === seat)?.commitment ?? null

export function computeLockDigest(lock: Lock): string {
  const { table, roll, chain_length, chain, link } = lock
  const hashes = [lock.anchor, lock.next_anchor, lock.previous_secret, lock.previous_seal, lock.layout_digest].map(
    fromHex,
  )
  const commitments = lock.commitments.flatMap(({ seat, commitment }): Field[] => [seat, fromHex(commitment)])
  return toHex(
    hashMessage('lock', table, roll, chain_length, chain, link, ...hashes, lock.commitments.length, ...commitments),
  )
}

/** Return every seat of the lock, in order, with its seed or null. */
export const listContributions = (proof: Pick<Proof, 'lock' | 'openings'>): Contribution[] =>
  proof.lock.commitments.map(({ seat }) => [seat, proof.openings.find((entry) => entry.seat === seat)?.seed ?? null])

const contributionFields = (contributions: Contribution[]): Field[] => [
  contributions.length,
  ...contributions.flatMap(([seat, seed]): Field[] => [seat, fromHex(seed ?? '')]),
]

/** Return 32 bytes of the stream. The counter starts at 0. */
export const streamBlock = (
  secret: string,
  lockDigest: string,
  contributions: Contribution[],
  counter: number,
): Uint8Array =>
  hmacMessage(fromHex(secret), 'roll', fromHex(lockDigest), ...contributionFields(contributions), counter)

export interface DerivedDice {
  /** The blocks that were needed, nearly always one. */
  blocks: Uint8Array[]
  /** The number of bytes rejected before the one that is used. */
  rejected: number
  byte: number
  /** Which of the 36 outcomes, from 0. */
  index: number
  dice: string
}

/** Take the first byte below 252, modulo 36, as an index into 1-1, 1-2, ... 6-6. */
export function diceFromStream(nextBlock: (counter: number) => Uint8Array): DerivedDice {
  const blocks: Uint8Array[] = []
  for (;;) {
    const block = nextBlock(blocks.length)
    blocks.push(block)
    const at = block.findIndex((byte) => byte < FIRST_REJECTED_BYTE)
    if (at < 0) continue
    const byte = block[at]!
    const index = byte % 36
    const dice = `${Math.floor(index / 6) + 1}-${(index % 6) + 1}`
    return { blocks, rejected: 32 * (blocks.length - 1) + at, byte, index, dice }
  }
}

export function deriveDice(secret: string, lockDigest: string, contributions: Contribution[]): DerivedDice {
  return diceFromStream((counter) => streamBlock(secret, lockDigest, contributions, counter))
}

export const computeSeal = (lockDigest: string, secret: string, contributions: Contribution[], dice: string): string =>
  toHex(hashMessage('seal', fromHex(lockDigest), fromHex(secret), ...contributionFields(contributions), dice))
