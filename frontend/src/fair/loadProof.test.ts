import { afterEach, describe, expect, it, vi } from 'vitest'
import stored from '../../../tests/fair/evening.json?raw'
import { arithmetic } from './arithmetic'
import { flip, forged } from './house.fixture'
import { lookAt } from './look'
import { readProofs } from './reading'
import { keepLock } from './seen'
import { verifyRoll } from './verify'

const EVENING = readProofs(stored)
const at = (roll: number) => EVENING[roll - 1]!

const serve = (shown: unknown[] = EVENING, anchor = at(1).lock.anchor) =>
  vi.stubGlobal('fetch', async (address: string) => {
    const url = new URL(address, 'http://server')
    const after = Number(url.searchParams.get('after'))
    const proofs = shown.slice(after, after + Number(url.searchParams.get('limit')))
    return Response.json(url.pathname.endsWith('/proofs') ? proofs : { rows: [{ kind: 'anchored', body: { anchor } }] })
  })
const changed = (roll: number, proof: unknown) => EVENING.map((one) => (one.lock.roll === roll ? proof : one))
const codes = async (roll: number) => (await lookAt('t1', roll, null)).findings.map((one) => one.code)

afterEach(() => vi.unstubAllGlobals())

describe('looking at a roll', () => {
  it('finds nothing wrong with an honest one, and knows what is around it', async () => {
    serve()
    for (const proof of EVENING) {
      const { roll } = proof.lock
      expect(await lookAt('t1', roll, null)).toEqual({
        proof, before: EVENING[roll - 2] ?? null, published: roll <= 4 ? at(1).lock.anchor : null,
        seen: null, isThrown: true, hasNext: roll < 6, findings: [],
      })
    }
    expect(await lookAt('t1', 7, null)).toMatchObject({ proof: null, isThrown: false, hasNext: false })
    expect(await lookAt('t1', 9, null)).toMatchObject({ proof: null, isThrown: false, hasNext: false })
  })

  it('says what is wrong with it, with the roll before or with the anchor', async () => {
    serve(changed(2, { ...at(2), roll: '6-6' }))
    expect(await codes(2)).toEqual(['wrong_roll'])
    serve(changed(2, forged(at(2), { layout: flip(at(2).lock.layout) })))
    expect(await codes(2)).toEqual([])
    expect(await codes(3)).toEqual(['broken_past'])
    serve(changed(2, {}))
    expect(await codes(2)).toEqual(['malformed'])
    expect(await codes(3)).toEqual(['malformed'])
    serve(changed(3, at(4)))
    expect(await codes(3)).toEqual(['skipped', 'skipped'])
    serve(EVENING, flip(at(1).lock.anchor))
    expect(await codes(1)).toEqual(['wrong_anchor'])
    expect(await codes(5)).toEqual([])
    const { down_to } = at(2).lock
    serve([forged(at(1), { anchor: flip(at(1).lock.anchor) }), forged(at(2), { anchor: flip(down_to) })], flip(down_to))
    expect(await codes(2)).toContain('wrong_anchor')
  })

  it('compares with the lock that was told before', async () => {
    serve()
    keepLock({ ...at(6).lock, layout: flip(at(6).lock.layout) })
    expect(await codes(6)).toEqual(['lock_changed'])
  })
})

describe('the arithmetic', () => {
  it('is all right for an honest roll', () => {
    for (const proof of EVENING) {
      const sum = arithmetic(proof, verifyRoll(proof))
      expect(new Set(Object.values(sum.marks))).toEqual(new Set(['good']))
      expect([sum.digest, sum.anchor, sum.down, sum.seal, sum.thrown.roll]).toEqual([
        proof.lock_digest, proof.lock.anchor, proof.lock.down_to, proof.seal, proof.roll,
      ])
    }
  })

  it('marks the step that is wrong, and what rests on it as unsure', () => {
    const roll = { ...at(2), roll: '6-6' }
    expect(arithmetic(roll, verifyRoll(roll)).marks).toMatchObject({ lock: 'good', secret: 'good', dice: 'bad' })
    const lock = { ...at(2), lock: { ...at(2).lock, link: 3 } }
    const sum = arithmetic(lock, verifyRoll(lock))
    expect(sum.marks).toMatchObject({ link: 'bad', lock: 'bad', seeds: 'good' })
    expect(sum.anchor).toBeNull()
    const digest = { ...at(2), lock_digest: flip(at(2).lock_digest) }
    expect(arithmetic(digest, verifyRoll(digest)).marks).toMatchObject({ lock: 'bad', dice: 'unsure', seal: 'unsure' })
  })
})
