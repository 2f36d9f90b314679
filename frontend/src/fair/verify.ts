// Whether a roll, or all rolls of a table, came out as they had to. Codes and order are those of docs/fairness.md.

import { compareNames } from './encoding'
import { FairError, type Code, type Finding } from './errors'
import type { Lock, Proof } from './reading'
import { commitmentOf, commitTo, contributionsOf, leadDown, lockDigest, NO_PAST, placeOf, sealOf, takesItsLink, throwDice, walkDown } from './roll'

type Found = [code: Code, what: string]

/** What was known before: the anchor of the first proof's chain, and locks one saw oneself. */
export interface Known {
  anchor?: string | null
  seen?: Lock[]
}

/** Throw one roll again. A lock seen of another roll says nothing about it. */
export function verifyRoll(proof: Proof, { anchor, seen = [] }: Known = {}): Finding[] {
  return verifyRolls([proof], { anchor, seen: seen.filter((lock) => lock.roll === proof.lock.roll) })
}

/** Throw consecutive rolls of one table again and say everything that is wrong, in the order of the rolls. */
export function verifyRolls(proofs: Proof[], { anchor, seen = [] }: Known = {}): Finding[] {
  if (!proofs.length) throw new FairError('there is no roll to verify')
  const found = proofs.flatMap((proof, index) => {
    const before = proofs[index - 1]
    return before ? verifyAfter(before, proof) : verifyFirst(proof, anchor ?? null)
  })
  return [...found, ...againstSeen(proofs, seen)]
}

/** Look at a proof of which the one before was looked at: in the same chain, one step down is as good as all. */
export function verifyAfter(before: Proof, proof: Proof): Finding[] {
  const between = followsOn(before, proof.lock)
  const isNext = !between.length && before.lock.chain === proof.lock.chain
  return [...between, ...alone(proof, !isNext)]
}

/** Look at what two rolls have to do with each other; a lock says it all, before the roll is thrown. */
export function followsOn(before: Proof, lock: Lock): Finding[] {
  return named(lock.roll, [...between(before, lock)])
}

/** Look at the lock itself. */
export function verifyLock(lock: Lock): Finding[] {
  const found = [...ofLock(lock)]
  if (lock.link === 1 && lock.down_to !== lock.anchor) found.push(NOT_ITS_ANCHOR)
  return named(lock.roll, found)
}

export function againstAnchor(lock: Lock, anchor: string | null): Finding[] {
  const isOther = anchor !== null && lock.anchor !== anchor
  return isOther ? named(lock.roll, [['wrong_anchor', 'its anchor is not the one that was published']]) : []
}

export const isSameLock = (one: Lock, other: Lock): boolean => lockDigest(one) === lockDigest(other)

const NOT_ITS_ANCHOR: Found = ['wrong_anchor', 'the first link of its chain leads down to something else than its anchor']

const named = (roll: number, found: Found[]): Finding[] => found.map(([code, what]) => ({ roll, code, what }))

const verifyFirst = (proof: Proof, anchor: string | null): Finding[] => [
  ...againstAnchor(proof.lock, anchor),
  ...alone(proof, true),
]

/** Look at one proof. The dice are thrown again only when what they depend on is right. */
function alone(proof: Proof, walk: boolean): Finding[] {
  const { lock, secret } = proof
  const found = [...ofLock(lock, proof.lock_digest), ...ofLink(proof, walk), ...ofSeats(proof)]
  if (found.length) return named(lock.roll, found)
  const contributions = contributionsOf(proof)
  const { roll } = throwDice(secret, proof.lock_digest, contributions)
  if (roll !== proof.roll) return named(lock.roll, [['wrong_roll', `the dice come to ${roll}, not ${proof.roll}`]])
  const isSealed = proof.seal === sealOf(proof.lock_digest, secret, contributions, roll)
  return isSealed ? [] : named(lock.roll, [['wrong_seal', 'its seal does not belong to it']])
}

function* ofLock(lock: Lock, told?: string): Iterable<Found> {
  if (!takesItsLink(lock)) {
    const due = placeOf(lock.roll, lock.length)
    yield ['wrong_link', `it takes link ${due.link} of chain ${due.chain}, not link ${lock.link} of chain ${lock.chain}`]
  }
  const made = told && lockDigest(lock)
  if (made !== told)
    yield ['lock_altered', `the digest of its lock is ${made}, not ${told}: a field of the lock or the digest was altered`]
  if (lock.roll === 1 && lock.past !== NO_PAST)
    yield ['broken_past', 'it is the first roll of its table and names a past']
}

function* ofLink({ lock, secret }: Proof, walk: boolean): Iterable<Found> {
  if (leadDown(lock, secret) !== lock.down_to)
    yield ['broken_link', `its secret does not lead down to ${lock.down_to}, which its lock names`]
  else if (lock.link === 1 && lock.down_to !== lock.anchor) yield NOT_ITS_ANCHOR
  else if (walk && takesItsLink(lock) && walkDown(lock, secret) !== lock.anchor)
    yield ['wrong_anchor', `its secret does not lead down to the anchor ${lock.anchor}`]
}

function* ofSeats({ lock, openings, missing }: Proof): Iterable<Found> {
  const seeds = new Map(openings.map((one) => [one.seat, one.seed]))
  const strangers = [...new Set([...seeds.keys(), ...missing])].filter((seat) => commitmentOf(lock, seat) === null)
  for (const seat of strangers.sort(compareNames))
    yield ['wrong_seats', `${seat} stands among the openings, and the lock has no commitment of ${seat}`]
  for (const { seat, commitment } of lock.commitments) {
    const seed = seeds.get(seat)
    if ((seed !== undefined) === missing.includes(seat))
      yield ['wrong_seats', `${seat} committed and is ${seed ? 'both opened and missing' : 'neither opened nor missing'}`]
    else if (seed !== undefined && commitTo(lock.table, lock.roll, seat, seed) !== commitment)
      yield ['wrong_seed', `the seed of ${seat} is not the one it committed to`]
  }
}

function* between(before: Proof, lock: Lock): Iterable<Found> {
  const old = before.lock
  if (lock.table !== old.table) {
    yield ['other_table', `it is of table ${lock.table}, and the roll before it of ${old.table}`]
    return
  }
  if (lock.roll <= old.roll) {
    yield ['repeated', `it comes after roll ${old.roll}: a roll stands here twice or out of order`]
    return
  }
  if (lock.roll !== old.roll + 1) {
    const one = lock.roll === old.roll + 2
    const gap = one ? `roll ${old.roll + 1} is` : `rolls ${old.roll + 1} to ${lock.roll - 1} are`
    yield ['skipped', `${gap} missing before it`]
    return
  }
  if (lock.length !== old.length)
    yield ['wrong_link', `chains of this table have ${old.length} links, not ${lock.length}`]
  if (lock.past !== before.seal)
    yield ['broken_past', `its lock was made after another roll ${old.roll} than the one given`]
  if (lock.chain === old.chain) {
    if (lock.anchor !== old.anchor) yield ['unannounced', 'the anchor of its chain changed']
    else if (lock.next_anchor !== old.next_anchor) yield ['unannounced', 'the announced anchor of its chain changed']
    if (lock.down_to !== before.secret) yield ['broken_link', `it does not lead down to the secret of roll ${old.roll}`]
  } else if (lock.anchor !== old.next_anchor) {
    yield ['unannounced', `the anchor of chain ${lock.chain} is not the one announced before`]
  }
}

/** Look for every lock that somebody saw: it was finished, and nothing else was put in its place. */
function againstSeen(proofs: Proof[], seen: Lock[]): Finding[] {
  const thrown = new Map(proofs.map((proof) => [proof.lock.roll, proof.lock]))
  const { table, roll: first } = proofs[0]!.lock
  return seen.flatMap((lock): Finding[] => {
    const its = thrown.get(lock.roll)
    if (lock.table !== table) return named(lock.roll, [['other_table', `a lock was seen at table ${lock.table}, not ${table}`]])
    if (its && !isSameLock(its, lock))
      return named(lock.roll, [['lock_changed', 'another lock was seen for it than the one it was thrown under']])
    if (!its && lock.roll > first) return named(lock.roll, [['unfinished', 'it was locked and never thrown']])
    return []
  })
}
