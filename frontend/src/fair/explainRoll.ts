// Computes a roll step by step from its proof. The dice and digests that the proof states are not used.

import {
  chainAnchor,
  computeCommitment,
  computeLockDigest,
  computeSeal,
  deriveDice,
  expectedLink,
  findCommitment,
  listContributions,
  previousSecret,
  usesExpectedLink,
  type DerivedDice,
} from './deriveRoll'
import type { Fault, FaultCode } from './errors'
import type { Lock, Proof } from './parseProof'

/** The result of a step; unsure if it depends on another step that is wrong. */
export type StepStatus = 'good' | 'bad' | 'unsure'

export type ProofStep = 'link' | 'lock' | 'previous' | 'seeds' | 'secret' | 'dice' | 'seal'

/** The step that each fault belongs to. */
export const STEP_OF_CODE: Record<FaultCode, ProofStep | null> = {
  malformed: null,
  wrong_link: 'link',
  lock_altered: 'lock',
  lock_changed: 'lock',
  unfinished_roll: 'lock',
  table_mismatch: 'previous',
  repeated_roll: 'previous',
  skipped_roll: 'previous',
  wrong_previous_seal: 'previous',
  wrong_seats: 'seeds',
  wrong_seed: 'seeds',
  opening_ignored: 'seeds',
  broken_link: 'secret',
  wrong_anchor: 'secret',
  unannounced_anchor: 'secret',
  wrong_dice: 'dice',
  wrong_seal: 'seal',
}

export interface SeatSeed {
  seat: string
  commitment: string
  seed: string | null
  /** The commitment computed from the seed. */
  computed: string | null
}

export interface RollExplanation {
  expected: { chain: number; link: number }
  lock: Lock
  digest: string
  seats: SeatSeed[]
  previousSecret: string
  /** Null if the lock names the wrong link: then it is unknown how often to hash. */
  anchor: string | null
  derivation: DerivedDice
  seal: string
  statuses: Record<ProofStep, StepStatus>
}

export function explainRoll(proof: Proof, faults: Fault[]): RollExplanation {
  const { lock, secret } = proof
  const digest = computeLockDigest(lock)
  const contributions = listContributions(proof)
  const derivation = deriveDice(secret, digest, contributions)
  const seal = computeSeal(digest, secret, contributions, derivation.dice)
  const wrongSteps = new Set(faults.map(({ code }) => STEP_OF_CODE[code]))
  const status = (step: ProofStep): StepStatus => (wrongSteps.has(step) ? 'bad' : 'good')
  const dependentStatus = (isRight: boolean): StepStatus => (!isRight ? 'bad' : faults.length ? 'unsure' : 'good')
  return {
    expected: expectedLink(lock.roll, lock.chain_length),
    lock,
    digest,
    seats: contributions.map(([seat, seed]) => ({
      seat,
      seed,
      commitment: findCommitment(lock, seat) ?? '',
      computed: seed && computeCommitment(lock.table, lock.roll, seat, seed),
    })),
    previousSecret: previousSecret(lock, secret),
    anchor: usesExpectedLink(lock) ? chainAnchor(lock, secret) : null,
    derivation,
    seal,
    statuses: {
      link: status('link'),
      lock: status('lock'),
      previous: status('previous'),
      seeds: status('seeds'),
      secret: status('secret'),
      dice: dependentStatus(derivation.dice === proof.dice),
      seal: dependentStatus(seal === proof.seal),
    },
  }
}
