// What a roll is made of: links, commitments, the lock, the dice, the seal. docs/fairness.md says how.

import { digest, fromHex, sign, toHex, type Field } from './encoding'
import type { Lock, Proof } from './reading'

/** 252 is 7 times 36: the bytes below it give each of the 36 outcomes exactly 7 times. */
export const FIRST_SKIPPED = 252
export const NO_PAST = '0'.repeat(64)

/** A seat that committed, and its seed, or none if it did not open it. */
export type Contribution = [seat: string, seed: string | null]

/** Which link of which chain a roll takes: the number of the roll alone decides. */
export const placeOf = (roll: number, length: number) => ({
  chain: Math.floor((roll - 1) / length) + 1,
  link: ((roll - 1) % length) + 1,
})

export const takesItsLink = (lock: Lock): boolean => {
  const due = placeOf(lock.roll, lock.length)
  return lock.chain === due.chain && lock.link === due.link
}

const oneDown = (table: string, chain: number, link: number, secret: Uint8Array): Uint8Array =>
  digest('link', table, chain, link, secret)

/** The secret one link further down; from link 1 that is the anchor. */
export const leadDown = ({ table, chain, link }: Lock, secret: string): string =>
  toHex(oneDown(table, chain, link, fromHex(secret)))

/** Walk from a secret all the way down to the anchor of its chain. */
export function walkDown({ table, chain, link }: Lock, secret: string): string {
  let found = fromHex(secret)
  for (let at = link; at > 0; at--) found = oneDown(table, chain, at, found)
  return toHex(found)
}

export const commitTo = (table: string, roll: number, seat: string, seed: string): string =>
  toHex(digest('commitment', table, roll, seat, fromHex(seed)))

export const commitmentOf = (lock: Lock, seat: string): string | null =>
  lock.commitments.find((one) => one.seat === seat)?.commitment ?? null

export function lockDigest(lock: Lock): string {
  const { table, roll, length, chain, link } = lock
  const hashes = [lock.anchor, lock.next_anchor, lock.down_to, lock.past, lock.layout].map(fromHex)
  const promised = lock.commitments.flatMap((one): Field[] => [one.seat, fromHex(one.commitment)])
  return toHex(digest('lock', table, roll, length, chain, link, ...hashes, lock.commitments.length, ...promised))
}

/** Every seat of the lock, in order, with its seed or none. */
export const contributionsOf = (proof: Pick<Proof, 'lock' | 'openings'>): Contribution[] =>
  proof.lock.commitments.map(({ seat }) => [seat, proof.openings.find((one) => one.seat === seat)?.seed ?? null])

const contributed = (contributions: Contribution[]): Field[] => [
  contributions.length,
  ...contributions.flatMap(([seat, seed]): Field[] => [seat, fromHex(seed ?? '')]),
]

/** 32 bytes of the stream, counted from 0. */
export const block = (secret: string, locked: string, contributions: Contribution[], counter: number): Uint8Array =>
  sign(fromHex(secret), 'roll', fromHex(locked), ...contributed(contributions), counter)

export interface Thrown {
  /** The blocks that were needed, nearly always one. */
  blocks: Uint8Array[]
  /** How many bytes were skipped before the one that counts. */
  skipped: number
  octet: number
  /** Which of the 36 outcomes, from 0. */
  index: number
  roll: string
}

/** Throw: the first byte below 252, modulo 36, counts through 1-1, 1-2, ... 6-6. */
export function pick(next: (counter: number) => Uint8Array): Thrown {
  const blocks: Uint8Array[] = []
  for (;;) {
    const octets = next(blocks.length)
    blocks.push(octets)
    const at = octets.findIndex((octet) => octet < FIRST_SKIPPED)
    if (at < 0) continue
    const octet = octets[at]!
    const index = octet % 36
    const roll = `${Math.floor(index / 6) + 1}-${(index % 6) + 1}`
    return { blocks, skipped: 32 * (blocks.length - 1) + at, octet, index, roll }
  }
}

export function throwDice(secret: string, locked: string, contributions: Contribution[]): Thrown {
  return pick((counter) => block(secret, locked, contributions, counter))
}

export const sealOf = (locked: string, secret: string, contributions: Contribution[], roll: string): string =>
  toHex(digest('seal', fromHex(locked), fromHex(secret), ...contributed(contributions), roll))
