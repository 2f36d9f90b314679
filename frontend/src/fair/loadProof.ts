// Looking at one roll of a table: its proof, the one before it, and what was published.

import { get, query } from '../lib/api'
import type { TableEvent } from '../lib/types'
import { FairError, type Code, type Finding } from './errors'
import { readProof, type Lock, type Proof } from './reading'
import { seenLock } from './seen'
import { followsOn, verifyRoll } from './verify'

export interface Looked {
  /** None when it was not thrown yet, or cannot be read. */
  proof: Proof | null
  before: Proof | null
  /** The anchor in the first row of the table's log, where it is the one of this roll's chain. */
  published: string | null
  /** The lock that this browser was told before the roll was thrown. */
  seen: Lock | null
  isThrown: boolean
  hasNext: boolean
  findings: Finding[]
}

export async function lookAt(table: string, roll: number, invitation: string | null): Promise<Looked> {
  const first = Math.max(1, roll - 1)
  const [shown, log] = await Promise.all([
    get<unknown[]>(query(`/api/tables/${table}/proofs`, { after: first - 1, limit: roll - first + 2, invitation })),
    get<{ rows: TableEvent[] }>(query(`/api/tables/${table}/rows`, { after: 0, limit: 1, invitation })),
  ])
  const at = roll - first
  const anchor: unknown = log.rows.find((row) => row.kind === 'anchored')?.body.anchor
  return judge(table, roll, shown.slice(0, at + 1), typeof anchor === 'string' ? anchor : null, shown.length > at + 1)
}

/** Judge a roll by what was shown of it: the last of `shown`, after the roll before it, if there is one. */
function judge(table: string, roll: number, shown: unknown[], anchor: string | null, hasNext: boolean): Looked {
  const isThrown = shown.length === (roll > 1 ? 2 : 1)
  const looked: Looked = { proof: null, before: null, published: null, seen: seenLock(table, roll), isThrown, hasNext, findings: [] }
  if (!isThrown) return looked
  const read = (data: unknown, number: number, found: (code: Code, what: string) => Finding): Proof | null => {
    try {
      const proof = readProof(data)
      if (proof.lock.table !== table) looked.findings.push(found('other_table', `it is of table ${proof.lock.table}`))
      else if (proof.lock.roll !== number) looked.findings.push(found('skipped', `roll ${proof.lock.roll} is shown in its place`))
      return proof
    } catch (error) {
      if (!(error instanceof FairError)) throw error
      looked.findings.push(found('malformed', error.message))
      return null
    }
  }
  if (roll > 1) {
    const ofBefore = (code: Code, what: string): Finding => ({ roll, code, what: `of the roll before it: ${what}` })
    looked.before = read(shown[0], roll - 1, ofBefore)
  }
  const proof = read(shown.at(-1), roll, (code, what) => ({ roll, code, what }))
  if (!proof) return looked
  const published = proof.lock.chain === 1 ? anchor : null
  const follows = looked.before ? followsOn(looked.before, proof.lock) : []
  const alone = verifyRoll(proof, { anchor: published, seen: looked.seen ? [looked.seen] : [] })
  return { ...looked, proof, published, findings: [...looked.findings, ...follows, ...alone] }
}
