// The arithmetic of one roll, step by step, computed from its proof alone; what the proof claims is not believed.

import type { Code, Finding } from './errors'
import type { Lock, Proof } from './reading'
import { commitmentOf, commitTo, contributionsOf, leadDown, lockDigest, placeOf, sealOf, takesItsLink, throwDice, walkDown, type Thrown } from './roll'

/** How a step came out; unsure where it rests on another that is wrong. */
export type Mark = 'good' | 'bad' | 'unsure'

export type Part = 'link' | 'lock' | 'past' | 'seeds' | 'secret' | 'dice' | 'seal'

/** Which step a finding belongs to. */
export const PARTS: Record<Code, Part | null> = {
  malformed: null,
  wrong_link: 'link',
  lock_altered: 'lock',
  lock_changed: 'lock',
  unfinished: 'lock',
  other_table: 'past',
  repeated: 'past',
  skipped: 'past',
  broken_past: 'past',
  wrong_seats: 'seeds',
  wrong_seed: 'seeds',
  left_out: 'seeds',
  broken_link: 'secret',
  wrong_anchor: 'secret',
  unannounced: 'secret',
  wrong_roll: 'dice',
  wrong_seal: 'seal',
}

export interface Seat {
  seat: string
  commitment: string
  seed: string | null
  /** What the seed commits to. */
  made: string | null
}

export interface Arithmetic {
  due: { chain: number; link: number }
  lock: Lock
  digest: string
  seats: Seat[]
  down: string
  /** None when the lock names another link than its roll takes: then there is no telling how far to walk. */
  anchor: string | null
  thrown: Thrown
  seal: string
  marks: Record<Part, Mark>
}

export function arithmetic(proof: Proof, findings: Finding[]): Arithmetic {
  const { lock, secret } = proof
  const digest = lockDigest(lock)
  const contributions = contributionsOf(proof)
  const thrown = throwDice(secret, digest, contributions)
  const seal = sealOf(digest, secret, contributions, thrown.roll)
  const wrong = new Set(findings.map((one) => PARTS[one.code]))
  const mark = (part: Part): Mark => (wrong.has(part) ? 'bad' : 'good')
  const resting = (isRight: boolean): Mark => (!isRight ? 'bad' : findings.length ? 'unsure' : 'good')
  return {
    due: placeOf(lock.roll, lock.length),
    lock,
    digest,
    seats: contributions.map(([seat, seed]) => ({
      seat,
      seed,
      commitment: commitmentOf(lock, seat) ?? '',
      made: seed && commitTo(lock.table, lock.roll, seat, seed),
    })),
    down: leadDown(lock, secret),
    anchor: takesItsLink(lock) ? walkDown(lock, secret) : null,
    thrown,
    seal,
    marks: {
      link: mark('link'),
      lock: mark('lock'),
      past: mark('past'),
      seeds: mark('seeds'),
      secret: mark('secret'),
      dice: resting(thrown.roll === proof.roll),
      seal: resting(seal === proof.seal),
    },
  }
}
