import { afterEach, describe, expect, it, vi } from 'vitest'
import stored from '../../../tests/fair/six_rolls.json?raw'
import { explainRoll } from './explainRoll'
import { loadProof } from './loadProof'
import { storeLock } from './lockStore'
import { parseProofs } from './parseProof'
import { flipBit, forgeProof } from './proofs.fixture'
import { verifyRoll } from './verify'

const PROOFS = parseProofs(stored)
const at = (roll: number) => PROOFS[roll - 1]!

const serve = (sent: unknown[] = PROOFS, anchor = at(1).lock.anchor) =>
  vi.stubGlobal('fetch', async (address: string) => {
    const url = new URL(address, 'http://server')
    const after = Number(url.searchParams.get('after'))
    const proofs = sent.slice(after, after + Number(url.searchParams.get('limit')))
    return Response.json(
      url.pathname.endsWith('/proofs') ? proofs : { events: [{ kind: 'anchor_published', body: { anchor } }] },
    )
  })
const changed = (roll: number, proof: unknown) =>
  PROOFS.map((original) => (original.lock.roll === roll ? proof : original))
const codes = async (roll: number) => (await loadProof('t1', roll, null)).faults.map(({ code }) => code)

afterEach(() => vi.unstubAllGlobals())

describe('loading a proof', () => {
  it('verifies a valid roll with its neighbors', async () => {
    serve()
    for (const proof of PROOFS) {
      const { roll } = proof.lock
      expect(await loadProof('t1', roll, null)).toEqual({
        proof,
        previous: PROOFS[roll - 2] ?? null,
        publishedAnchor: roll <= 4 ? at(1).lock.anchor : null,
        knownLock: null,
        isRolled: true,
        hasNext: roll < 6,
        faults: [],
      })
    }
    expect(await loadProof('t1', 7, null)).toMatchObject({ proof: null, isRolled: false, hasNext: false })
    expect(await loadProof('t1', 9, null)).toMatchObject({ proof: null, isRolled: false, hasNext: false })
  })

  it('reports faults of the roll, the previous roll and the anchor', async () => {
    serve(changed(2, { ...at(2), dice: '6-6' }))
    expect(await codes(2)).toEqual(['wrong_dice'])
    serve(changed(2, forgeProof(at(2), { layout_digest: flipBit(at(2).lock.layout_digest) })))
    expect(await codes(2)).toEqual([])
    expect(await codes(3)).toEqual(['wrong_previous_seal'])
    serve(changed(2, {}))
    expect(await codes(2)).toEqual(['malformed'])
    expect(await codes(3)).toEqual(['malformed'])
    serve(changed(3, at(4)))
    expect(await codes(3)).toEqual(['skipped_roll', 'skipped_roll'])
    serve(PROOFS, flipBit(at(1).lock.anchor))
    expect(await codes(1)).toEqual(['wrong_anchor'])
    expect(await codes(5)).toEqual([])
    const { previous_secret } = at(2).lock
    serve(
      [
        forgeProof(at(1), { anchor: flipBit(at(1).lock.anchor) }),
        forgeProof(at(2), { anchor: flipBit(previous_secret) }),
      ],
      flipBit(previous_secret),
    )
    expect(await codes(2)).toContain('wrong_anchor')
  })

  it('compares the lock with the one received before', async () => {
    serve()
    storeLock({ ...at(6).lock, layout_digest: flipBit(at(6).lock.layout_digest) })
    expect(await codes(6)).toEqual(['lock_changed'])
  })
})

describe('the explanation', () => {
  it('is right in every step of a valid roll', () => {
    for (const proof of PROOFS) {
      const steps = explainRoll(proof, verifyRoll(proof))
      expect(new Set(Object.values(steps.statuses))).toEqual(new Set(['good']))
      expect([steps.digest, steps.anchor, steps.previousSecret, steps.seal, steps.derivation.dice]).toEqual([
        proof.lock_digest,
        proof.lock.anchor,
        proof.lock.previous_secret,
        proof.seal,
        proof.dice,
      ])
    }
  })

  it('marks wrong steps, and steps that depend on them as unsure', () => {
    const dice = { ...at(2), dice: '6-6' }
    expect(explainRoll(dice, verifyRoll(dice)).statuses).toMatchObject({ lock: 'good', secret: 'good', dice: 'bad' })
    const lock = { ...at(2), lock: { ...at(2).lock, link: 3 } }
    const steps = explainRoll(lock, verifyRoll(lock))
    expect(steps.statuses).toMatchObject({ link: 'bad', lock: 'bad', seeds: 'good' })
    expect(steps.anchor).toBeNull()
    const digest = { ...at(2), lock_digest: flipBit(at(2).lock_digest) }
    expect(explainRoll(digest, verifyRoll(digest)).statuses).toMatchObject({
      lock: 'bad',
      dice: 'unsure',
      seal: 'unsure',
    })
  })
})
