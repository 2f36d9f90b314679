// Verifies the proof of a roll, or of all rolls of a table. Codes and their order are those of docs/fairness.md.

import {
  chainAnchor,
  computeCommitment,
  computeLockDigest,
  computeSeal,
  deriveDice,
  expectedLink,
  findCommitment,
  listContributions,
  NO_PREVIOUS_SEAL,
  previousSecret,
  usesExpectedLink,
} from './deriveRoll'
import { compareNames } from './encoding'
import { MalformedProofError, type Fault, type FaultCode } from './errors'
import type { Lock, Proof } from './parseProof'

type CodeAndMessage = [code: FaultCode, message: string]

/** What was known before the rolls: the anchor of the first proof's chain, and locks received earlier. */
export interface KnownFacts {
  anchor?: string | null
  locks?: Lock[]
}

/** Repeat one roll and return everything that is wrong with its proof. Known locks of other rolls are ignored. */
export function verifyRoll(proof: Proof, { anchor, locks = [] }: KnownFacts = {}): Fault[] {
  return verifyRolls([proof], { anchor, locks: locks.filter((lock) => lock.roll === proof.lock.roll) })
}

/** Repeat consecutive rolls of one table and return everything that is wrong, in the order of the rolls. */
export function verifyRolls(proofs: Proof[], { anchor, locks = [] }: KnownFacts = {}): Fault[] {
  if (!proofs.length) throw new MalformedProofError('there is no roll to verify')
  const faults = proofs.flatMap((proof, index) => {
    const previous = proofs[index - 1]
    return previous
      ? verifyNext(previous, proof)
      : [...verifyAnchor(proof.lock, anchor ?? null), ...verifyProof(proof, true)]
  })
  return [...faults, ...verifyKnownLocks(proofs, locks)]
}

/** Verify a proof whose predecessor was already verified. Within a chain, hashing one link is then enough. */
export function verifyNext(previous: Proof, proof: Proof): Fault[] {
  const faults = verifySequence(previous, proof.lock)
  const isNextLink = !faults.length && previous.lock.chain === proof.lock.chain
  return [...faults, ...verifyProof(proof, !isNextLink)]
}

/** Verify that a lock follows a roll. This is possible before the dice of the lock are rolled. */
export function verifySequence(previous: Proof, lock: Lock): Fault[] {
  return toFaults(lock.roll, [...sequenceFaults(previous, lock)])
}

/** Verify a lock by itself. */
export function verifyLock(lock: Lock): Fault[] {
  const faults = [...lockFaults(lock)]
  if (lock.link === 1 && lock.previous_secret !== lock.anchor) faults.push(WRONG_FIRST_LINK)
  return toFaults(lock.roll, faults)
}

export function verifyAnchor(lock: Lock, anchor: string | null): Fault[] {
  const isDifferent = anchor !== null && lock.anchor !== anchor
  return isDifferent ? toFaults(lock.roll, [['wrong_anchor', 'its anchor is not the published one']]) : []
}

export const isSameLock = (a: Lock, b: Lock): boolean => computeLockDigest(a) === computeLockDigest(b)

const WRONG_FIRST_LINK: CodeAndMessage = ['wrong_anchor', 'the first link of its chain does not hash to the anchor']

const toFaults = (roll: number, faults: CodeAndMessage[]): Fault[] =>
  faults.map(([code, message]) => ({ roll, code, message }))

/** Verify one proof. The dice are computed only if their inputs are correct. */
function verifyProof(proof: Proof, checkAnchor: boolean): Fault[] {
  const { lock, secret } = proof
  const faults = [...lockFaults(lock, proof.lock_digest), ...linkFaults(proof, checkAnchor), ...seatFaults(proof)]
  if (faults.length) return toFaults(lock.roll, faults)
  const contributions = listContributions(proof)
  const { dice } = deriveDice(secret, proof.lock_digest, contributions)
  if (dice !== proof.dice) return toFaults(lock.roll, [['wrong_dice', `the dice must be ${dice}, got ${proof.dice}`]])
  const isSealed = proof.seal === computeSeal(proof.lock_digest, secret, contributions, dice)
  return isSealed ? [] : toFaults(lock.roll, [['wrong_seal', 'its seal does not match']])
}

function* lockFaults(lock: Lock, statedDigest?: string): Iterable<CodeAndMessage> {
  if (!usesExpectedLink(lock)) {
    const expected = expectedLink(lock.roll, lock.chain_length)
    yield [
      'wrong_link',
      `it must use link ${expected.link} of chain ${expected.chain}, got link ${lock.link} of chain ${lock.chain}`,
    ]
  }
  const digest = statedDigest && computeLockDigest(lock)
  if (digest !== statedDigest)
    yield ['lock_altered', `its lock or lock_digest was altered: the digest must be ${digest}, got ${statedDigest}`]
  if (lock.roll === 1 && lock.previous_seal !== NO_PREVIOUS_SEAL)
    yield ['wrong_previous_seal', 'the first roll of a table must have a zero previous_seal']
}

function* linkFaults({ lock, secret }: Proof, checkAnchor: boolean): Iterable<CodeAndMessage> {
  if (previousSecret(lock, secret) !== lock.previous_secret)
    yield ['broken_link', `its secret does not hash to the previous_secret ${lock.previous_secret} of its lock`]
  else if (lock.link === 1 && lock.previous_secret !== lock.anchor) yield WRONG_FIRST_LINK
  else if (checkAnchor && usesExpectedLink(lock) && chainAnchor(lock, secret) !== lock.anchor)
    yield ['wrong_anchor', `its secret does not hash down to the anchor ${lock.anchor}`]
}

function* seatFaults({ lock, openings, missing }: Proof): Iterable<CodeAndMessage> {
  const seeds = new Map(openings.map(({ seat, seed }) => [seat, seed]))
  const uncommitted = [...new Set([...seeds.keys(), ...missing])].filter((seat) => findCommitment(lock, seat) === null)
  for (const seat of uncommitted.sort(compareNames))
    yield ['wrong_seats', `${seat} is listed as opened or missing, but did not commit`]
  for (const { seat, commitment } of lock.commitments) {
    const seed = seeds.get(seat)
    if ((seed !== undefined) === missing.includes(seat))
      yield [
        'wrong_seats',
        `${seat} committed and is ${seed ? 'both opened and missing' : 'neither opened nor missing'}`,
      ]
    else if (seed !== undefined && computeCommitment(lock.table, lock.roll, seat, seed) !== commitment)
      yield ['wrong_seed', `the seed of ${seat} does not match its commitment`]
  }
}

function* sequenceFaults(previous: Proof, lock: Lock): Iterable<CodeAndMessage> {
  const old = previous.lock
  if (lock.table !== old.table) {
    yield ['table_mismatch', `it belongs to table ${lock.table}, but the roll before it to ${old.table}`]
    return
  }
  if (lock.roll <= old.roll) {
    yield ['repeated_roll', `it comes after roll ${old.roll}: a roll is repeated or out of order`]
    return
  }
  if (lock.roll !== old.roll + 1) {
    const isOne = lock.roll === old.roll + 2
    const gap = isOne ? `roll ${old.roll + 1} is` : `rolls ${old.roll + 1} to ${lock.roll - 1} are`
    yield ['skipped_roll', `${gap} missing before it`]
    return
  }
  if (lock.chain_length !== old.chain_length)
    yield ['wrong_link', `chains of this table must have ${old.chain_length} links, got ${lock.chain_length}`]
  if (lock.previous_seal !== previous.seal)
    yield ['wrong_previous_seal', `its lock does not contain the seal of the given roll ${old.roll}`]
  if (lock.chain === old.chain) {
    if (lock.anchor !== old.anchor) yield ['unannounced_anchor', 'the anchor of its chain changed']
    else if (lock.next_anchor !== old.next_anchor)
      yield ['unannounced_anchor', 'the announced anchor of its chain changed']
    if (lock.previous_secret !== previous.secret)
      yield ['broken_link', `its previous_secret is not the secret of roll ${old.roll}`]
  } else if (lock.anchor !== old.next_anchor) {
    yield ['unannounced_anchor', `the anchor of chain ${lock.chain} is not the announced one`]
  }
}

/** Verify that each lock known from before is the lock of a finished roll. */
function verifyKnownLocks(proofs: Proof[], knownLocks: Lock[]): Fault[] {
  const finished = new Map(proofs.map((proof) => [proof.lock.roll, proof.lock]))
  const { table, roll: first } = proofs[0]!.lock
  return knownLocks.flatMap((lock): Fault[] => {
    const used = finished.get(lock.roll)
    if (lock.table !== table)
      return toFaults(lock.roll, [['table_mismatch', `a known lock belongs to table ${lock.table}, not to ${table}`]])
    if (used && !isSameLock(used, lock))
      return toFaults(lock.roll, [['lock_changed', 'its lock is not the one known from before']])
    if (!used && lock.roll > first) return toFaults(lock.roll, [['unfinished_roll', 'it was locked but never rolled']])
    return []
  })
}
