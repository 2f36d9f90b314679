// Loads the proof of one roll, with the roll before it and the published anchor, and verifies it.

import { get, withQuery } from '../lib/api'
import type { TableEvent } from '../lib/serverTypes'
import { MalformedProofError, type Fault, type FaultCode } from './errors'
import { storedLock } from './lockStore'
import { parseProof, type Lock, type Proof } from './parseProof'
import { verifyRoll, verifySequence } from './verify'

export interface LoadedProof {
  /** Null if the roll has not been made yet, or if the proof is malformed. */
  proof: Proof | null
  previous: Proof | null
  /** The anchor in the first event of the table, if it is the anchor of this roll's chain. */
  publishedAnchor: string | null
  /** The lock that this browser received before the roll. */
  knownLock: Lock | null
  isRolled: boolean
  hasNext: boolean
  faults: Fault[]
}

export async function loadProof(table: string, roll: number, invitation: string | null): Promise<LoadedProof> {
  const first = Math.max(1, roll - 1)
  const [proofs, { events }] = await Promise.all([
    get<unknown[]>(withQuery(`/api/tables/${table}/proofs`, { after: first - 1, limit: roll - first + 2, invitation })),
    get<{ events: TableEvent[] }>(withQuery(`/api/tables/${table}/events`, { after: 0, limit: 1, invitation })),
  ])
  const index = roll - first
  const anchor = events.find(({ kind }) => kind === 'anchor_published')?.body.anchor
  return checkLoaded(
    table,
    roll,
    proofs.slice(0, index + 1),
    typeof anchor === 'string' ? anchor : null,
    proofs.length > index + 1,
  )
}

/** Verify the last of `data`, which follows the proof of the previous roll if there is one. */
function checkLoaded(
  table: string,
  roll: number,
  data: unknown[],
  anchor: string | null,
  hasNext: boolean,
): LoadedProof {
  const isRolled = data.length === (roll > 1 ? 2 : 1)
  const loaded: LoadedProof = {
    proof: null,
    previous: null,
    publishedAnchor: null,
    knownLock: storedLock(table, roll),
    isRolled,
    hasNext,
    faults: [],
  }
  if (!isRolled) return loaded
  const parse = (value: unknown, expectedRoll: number, prefix: string): Proof | null => {
    const addFault = (code: FaultCode, message: string) => loaded.faults.push({ roll, code, message: prefix + message })
    try {
      const proof = parseProof(value)
      if (proof.lock.table !== table) addFault('table_mismatch', `it belongs to table ${proof.lock.table}`)
      else if (proof.lock.roll !== expectedRoll)
        addFault('skipped_roll', `the server sent roll ${proof.lock.roll} instead`)
      return proof
    } catch (error) {
      if (!(error instanceof MalformedProofError)) throw error
      addFault('malformed', error.message)
      return null
    }
  }
  if (roll > 1) loaded.previous = parse(data[0], roll - 1, 'the roll before it: ')
  const proof = parse(data.at(-1), roll, '')
  if (!proof) return loaded
  const publishedAnchor = proof.lock.chain === 1 ? anchor : null
  const sequence = loaded.previous ? verifySequence(loaded.previous, proof.lock) : []
  const own = verifyRoll(proof, { anchor: publishedAnchor, locks: loaded.knownLock ? [loaded.knownLock] : [] })
  return { ...loaded, proof, publishedAnchor, faults: [...loaded.faults, ...sequence, ...own] }
}
