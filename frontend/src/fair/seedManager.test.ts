import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Wish } from '../lib/table.svelte'
import { toHex } from './encoding'
import { flip, forged, lockAfter, proofAfter, type Given } from './house.fixture'
import { Keeper } from './keeper'
import type { Lock, Proof } from './reading'
import { commitTo } from './roll'
import { seenLock } from './seen'

const ANN = 'Ann'
const OTHER = 'ab'.repeat(32)
let drawn = 0
const newSeed = () => toHex(new Uint8Array(32).fill(++drawn))

let number = 0
const row = (kind: string, body: Record<string, unknown>) => ({
  number: ++number, at_ms: 0, kind, body, sentences: [], clauses: [], names: {}, hash: '',
  call: null, mark: null, new_hand: false,
})

/** A table whose house does what a test wants it to. */
class Evening {
  last: Proof | null = null
  keeper = new Keeper('t1', { anchor: lockAfter(null).anchor }, newSeed)
  lock: Lock | null = null
  seeds: Record<string, string> = {}

  hear(kind: string, body: Record<string, unknown>, past = false): void {
    this.keeper.hear(row(kind, body), past)
  }

  /** Wish as the page does, and have it granted. */
  wish(you: string | null = ANN, commits = true): Wish | null {
    const wish = this.keeper.due(you, commits)
    if (wish?.wish === 'commit') {
      this.seeds[ANN] = toHex(new Uint8Array(32).fill(drawn))
      this.hear('committed', { player: ANN, roll: wish.roll, commitment: wish.commitment })
      this.keeper.granted(wish)
    }
    if (wish?.wish === 'open') {
      this.hear('opened', { player: ANN, seed: wish.seed })
      this.keeper.granted(wish)
    }
    return wish
  }

  close(changes: Partial<Lock> = {}): Lock {
    this.lock = { ...lockAfter(this.last, { seeds: this.seeds }), ...changes }
    this.hear('locked', { lock: this.lock })
    return this.lock
  }

  throw(given: Given = {}, change: (proof: Proof) => Proof = (proof) => proof): Proof {
    const proof = change(proofAfter(this.last, { seeds: this.seeds, ...given }, this.lock ?? {}))
    this.hear('revealed', { proof })
    this.hear('rolled', { dice: proof.roll })
    this.last = proof
    this.seeds = {}
    this.lock = null
    return proof
  }

  roll(): Proof {
    this.wish()
    this.close()
    this.wish()
    return this.throw()
  }

  codes(roll: number): string[] {
    return this.keeper.verdicts.get(roll)?.faults.map((one) => one.code) ?? []
  }
}

let table: Evening
beforeEach(() => {
  table = new Evening()
})
afterEach(() => vi.unstubAllGlobals())

describe('an honest table', () => {
  it('gets a promise, then the seed, each once, and every roll is right, across chains', () => {
    for (let roll = 1; roll <= 9; roll++) {
      expect(table.keeper.roll).toBe(roll)
      const promise = table.keeper.due(ANN, true)
      expect(promise).toMatchObject({ wish: 'commit', roll })
      expect(promise!.commitment).toBe(commitTo('t1', roll, ANN, toHex(new Uint8Array(32).fill(drawn))))
      expect(table.keeper.due(ANN, true)).toBeNull()
      table.seeds[ANN] = toHex(new Uint8Array(32).fill(drawn))
      table.hear('committed', { player: ANN, roll, commitment: promise!.commitment })
      table.close()
      expect(table.wish()).toEqual({ wish: 'open', seed: table.seeds[ANN] })
      expect(table.wish()).toBeNull()
      table.throw()
      expect(table.keeper.verdicts.get(roll)).toEqual({ ok: true, faults: [], outside: 1, mine: true })
    }
  })

  it('draws a new seed for every roll', () => {
    const seeds = new Set(Array.from({ length: 5 }, () => table.roll().openings[0]!.seed))
    expect(seeds.size).toBe(5)
    const keepers = [new Keeper('t1'), new Keeper('t1')].map((keeper) => keeper.due(ANN, true)!.commitment)
    expect(keepers[0]).not.toBe(keepers[1])
  })

  it('gets nothing from who only looks on, has no seat or is leaving, and is checked all the same', () => {
    expect(table.wish(null)).toBeNull()
    expect(table.wish(ANN, false)).toBeNull()
    table.close()
    expect(table.wish()).toBeNull()
    table.throw()
    expect(table.keeper.verdicts.get(1)).toEqual({ ok: true, faults: [], outside: 0, mine: false })
  })

  it('gets nothing more from a seat that is given up, until it is taken anew', () => {
    expect(table.wish()).not.toBeNull()
    table.hear('withdrawn', { player: ANN })
    expect(table.wish()).toBeNull()
    table.hear('joined', { player: 'Bob' })
    expect(table.wish()).toBeNull()
    table.hear('joined', { player: ANN })
    expect(table.wish()).toMatchObject({ wish: 'commit', roll: 1 })
    table.close()
    expect(table.wish()).toMatchObject({ wish: 'open' })
  })

  it('may say no: what is too early is wished for again, what is too late is not, and neither is a fault', () => {
    const early = table.keeper.due(ANN, true)!
    table.keeper.refused(early, 'not_at_table')
    const late = table.keeper.due(ANN, true)!
    expect(late.commitment).not.toBe(early.commitment)
    table.keeper.refused(late, 'late')
    expect(table.keeper.due(ANN, true)).toBeNull()
    table.close()
    expect(table.wish()).toBeNull()
    table.throw()
    expect(table.keeper.verdicts.get(1)).toMatchObject({ ok: true, mine: false })
    expect(table.wish()).toMatchObject({ wish: 'commit', roll: 2 })
  })

  it('may have a promise of this seat from another page: then that page opens it', () => {
    table.hear('committed', { player: ANN, roll: 1, commitment: commitTo('t1', 1, ANN, OTHER) })
    expect(table.wish()).toBeNull()
    table.seeds = { [ANN]: OTHER }
    table.close()
    expect(table.wish()).toBeNull()
    table.throw()
    expect(table.keeper.verdicts.get(1)).toEqual({ ok: true, faults: [], outside: 1, mine: false })
  })

  it('may miss a seed that came too late', () => {
    table.wish()
    table.close()
    table.throw({ silent: [ANN] })
    expect(table.keeper.verdicts.get(1)).toEqual({ ok: true, faults: [], outside: 0, mine: false })
  })
})

describe('a hostile table', () => {
  beforeEach(() => {
    table.roll()
    table.roll()
    table.wish()
  })

  const LOCKS: [string, string, Partial<Lock>][] = [
    ['another table', 'other_table', { table: 't2' }],
    ['an old roll', 'repeated', { roll: 2 }],
    ['a later roll', 'skipped', { roll: 4 }],
    ['another link', 'wrong_link', { link: 4 }],
    ['chains of another length', 'wrong_link', { length: 8 }],
    ['another anchor', 'unannounced', { anchor: OTHER }],
    ['another announcement', 'unannounced', { next_anchor: OTHER }],
    ['another secret to lead down to', 'broken_link', { down_to: OTHER }],
    ['another past', 'broken_past', { past: OTHER }],
    ['no promise of this seat', 'left_out', { commitments: [] }],
    ['another promise of this seat', 'left_out', { commitments: [{ seat: ANN, commitment: OTHER }] }],
    ['no hash', 'malformed', { past: 'x' }],
  ]

  it.each(LOCKS)('gets no seed for a lock with %s: %s', (_, code, changes) => {
    const lock = { ...lockAfter(table.last, { seeds: table.seeds }), ...changes }
    table.hear('locked', { lock })
    expect(table.keeper.due(ANN, true)).toBeNull()
    expect(table.codes(3)).toContain(code)
    expect(table.keeper.verdicts.get(3)?.ok).toBe(false)
    expect(seenLock('t1', 3)?.past).not.toBe(OTHER)
    // A right lock after it changes nothing: the seed stays where it is.
    table.close()
    expect(table.keeper.due(ANN, true)).toBeNull()
  })

  it('gets no seed for the lock of a first roll under another anchor than was published, or with a past', () => {
    const changes: [string, Partial<Lock>][] = [['wrong_anchor', { anchor: OTHER, down_to: OTHER }], ['broken_past', { past: OTHER }]]
    for (const [code, change] of changes) {
      table = new Evening()
      table.wish()
      table.close(change)
      expect(table.codes(1)).toEqual([code])
      expect(table.wish()).toBeNull()
    }
  })

  it('gets no seed for the first lock of a chain that leads down to something else than its anchor', () => {
    table.close()
    table.wish()
    table.throw()
    table.roll()
    table.wish()
    table.close({ down_to: OTHER })
    expect(table.codes(5)).toEqual(['wrong_anchor'])
    expect(table.wish()).toBeNull()
  })

  it('is caught when it grants a promise and forgets it, even if it says so late', () => {
    table = new Evening()
    const wish = table.keeper.due(ANN, true)!
    table.close()
    expect(table.codes(1)).toEqual([])
    table.keeper.granted(wish)
    expect(table.codes(1)).toEqual(['left_out'])
  })

  it('is caught when it locks twice', () => {
    table.close()
    table.hear('locked', { lock: { ...table.lock!, layout: OTHER } })
    expect(table.codes(3)).toEqual(['lock_changed'])
    expect(table.wish()).toBeNull()
  })

  it('is caught when it leaves out an opening', () => {
    table.close()
    table.wish()
    table.throw({ silent: [ANN] })
    expect(table.codes(3)).toEqual(['left_out'])
    expect(table.keeper.verdicts.get(3)).toMatchObject({ ok: false, mine: false, outside: 0 })
  })

  it('is caught when it leaves out an opening that it granted and never told of', () => {
    table.close()
    table.keeper.granted(table.keeper.due(ANN, true)!)
    table.throw({ silent: [ANN] })
    expect(table.codes(3)).toEqual(['left_out'])
  })

  it('is caught when it throws under another lock, or under one that it told nobody', () => {
    table.close()
    table.wish()
    table.throw({}, (proof) => forged(proof, { layout: OTHER }))
    expect(table.codes(3)).toEqual(['lock_changed'])
    table.seeds = {}
    table.throw()
    expect(table.codes(4)).toEqual(['lock_changed'])
  })

  const PROOFS: [string, (proof: Proof) => Proof][] = [
    ['wrong_roll', (proof) => ({ ...proof, roll: proof.roll === '6-6' ? '1-1' : '6-6' })],
    ['broken_link', (proof) => forged(proof, {}, flip(proof.secret))],
    ['wrong_seal', (proof) => ({ ...proof, seal: flip(proof.seal) })],
    ['lock_altered', (proof) => ({ ...proof, lock_digest: flip(proof.lock_digest) })],
    ['wrong_seats', (proof) => ({ ...proof, missing: [ANN] })],
    ['wrong_seed', (proof) => ({ ...proof, openings: [{ seat: ANN, seed: OTHER }] })],
    ['malformed', (proof) => ({ ...proof, seal: '' })],
  ]

  it.each(PROOFS)('is caught with a proof that is wrong: %s', (code, change) => {
    table.close()
    table.wish()
    table.throw({}, change)
    expect(table.codes(3)).toContain(code)
    expect(table.keeper.roll).toBe(4)
  })

  it('is caught when it calls other dice than it threw, or calls them twice', () => {
    table.close()
    table.wish()
    const { roll } = table.throw()
    expect(table.codes(3)).toEqual([])
    table.hear('rolled', { dice: roll })
    expect(table.codes(3)).toEqual(['wrong_roll'])
    table.wish()
    table.close()
    table.wish()
    const proof = proofAfter(table.last, { seeds: table.seeds })
    table.hear('revealed', { proof })
    table.hear('rolled', { dice: proof.roll === '6-6' ? '1-1' : '6-6' })
    expect(table.codes(4)).toEqual(['wrong_roll'])
  })

  it('is caught when it shows an old roll again or skips one', () => {
    const old = table.last!
    table.hear('revealed', { proof: old })
    expect(table.codes(3)).toContain('repeated')
    expect(table.keeper.verdicts.get(2)?.ok).toBe(true)
    const later = proofAfter(proofAfter(old))
    table.hear('revealed', { proof: later })
    expect(table.codes(4)).toContain('skipped')
    expect(table.keeper.roll).toBe(5)
  })

  it('stays caught: a roll that was wrong once does not become right', () => {
    table.close({ past: OTHER })
    table.lock = null
    table.throw()
    expect(table.keeper.verdicts.get(3)?.ok).toBe(false)
    expect(table.codes(3)).toContain('broken_past')
  })
})

describe('joining', () => {
  const rows: ReturnType<typeof row>[] = []
  const proofs: Proof[] = []

  /** A log of six rolls, in the seventh of which bets are closed. */
  beforeEach(() => {
    rows.length = proofs.length = number = 0
    rows.push(row('anchored', { anchor: lockAfter(null).anchor, length: 4 }))
    for (let roll = 1; roll <= 7; roll++) {
      const seeds = { [ANN]: OTHER }
      const lock = lockAfter(proofs.at(-1) ?? null, { seeds })
      rows.push(row('committed', { player: ANN, roll, commitment: lock.commitments[0]!.commitment }), row('locked', { lock }))
      if (roll === 7) return
      const proof = proofAfter(proofs.at(-1) ?? null, { seeds })
      proofs.push(proof)
      rows.push(row('opened', { player: ANN, seed: OTHER }), row('revealed', { proof }), row('rolled', { dice: proof.roll }))
    }
  })

  const serve = (shown: unknown[] = proofs) =>
    vi.stubGlobal('fetch', async (address: string) => {
      const url = new URL(address, 'http://server')
      const after = Number(url.searchParams.get('after'))
      const limit = Number(url.searchParams.get('limit'))
      expect(url.searchParams.get('invitation')).toBe('come')
      const body = url.pathname.endsWith('/proofs') ? shown.slice(after, after + limit) : { rows: rows.slice(after, after + limit) }
      return Response.json(body)
    })

  const join = (roll: number) => Keeper.join('t1', roll, 'come')
  const wrong = (keeper: Keeper) => [...keeper.verdicts].filter(([, verdict]) => !verdict.ok).map(([roll]) => roll)

  it('checks every roll of the past it hears, from whichever row that begins', async () => {
    serve()
    for (let from = 0; from < rows.length; from++) {
      const keeper = await join(7)
      for (const one of rows.slice(from)) keeper.hear(one, true)
      expect(wrong(keeper)).toEqual([])
      expect(keeper.roll).toBe(7)
      const heard = rows.slice(from).filter((one) => one.kind === 'revealed').length
      expect(keeper.verdicts.size).toBe(Math.max(1, heard))
      // The seed of the promise in the log is lost with the page that made it.
      expect(keeper.due(ANN, true)).toBeNull()
      keeper.hear(row('revealed', { proof: proofAfter(proofs.at(-1)!, { seeds: { [ANN]: OTHER }, silent: [ANN] }) }), false)
      expect(keeper.verdicts.get(7)).toMatchObject({ ok: true, outside: 0, mine: false })
      expect(keeper.due(ANN, true)).toMatchObject({ wish: 'commit', roll: 8 })
    }
  })

  it('goes on where rolls were thrown between two questions', async () => {
    serve()
    const keeper = await join(5)
    for (const one of rows.slice(9)) keeper.hear(one, true)
    expect(keeper.roll).toBe(7)
    expect(wrong(keeper)).toEqual([])
  })

  it('begins at the first roll with the anchor of the first row', async () => {
    serve()
    const keeper = await join(1)
    expect(keeper.verdicts.size).toBe(0)
    const wish = keeper.due(ANN, true)!
    keeper.granted(wish)
    const key = new Uint8Array(32)
    const commitments = [{ seat: ANN, commitment: String(wish.commitment) }]
    keeper.hear(row('locked', { lock: { ...lockAfter(null, { key }), commitments } }), false)
    expect(keeper.verdicts.get(1)?.faults.map((one) => one.code)).toEqual(['wrong_anchor'])
    expect(keeper.due(ANN, true)).toBeNull()
  })

  it('finds a past that was altered, told in two ways, under another anchor, or not shown', async () => {
    serve()
    const altered = await join(7)
    for (const one of rows) {
      const isThird = one.kind === 'revealed' && one.body.proof === proofs[2]
      altered.hear(isThird ? { ...one, body: { proof: { ...proofs[2], seal: OTHER } } } : one, true)
    }
    expect(wrong(altered)).toEqual([3, 4])

    serve([...proofs.slice(0, 5), forged(proofs[5]!, { layout: OTHER })])
    const twice = await join(7)
    for (const one of rows) twice.hear(one, true)
    expect(twice.verdicts.get(6)?.faults.map((one) => one.code)).toEqual(['broken_past'])

    const key = new Uint8Array(32)
    const first = proofAfter(null, { key })
    serve([first])
    expect((await join(2)).verdicts.get(1)?.faults.map((one) => one.code)).toEqual(['wrong_anchor'])

    for (const [shown, code] of [[[], 'skipped'], [proofs.toReversed(), 'skipped'], [[{}, {}, {}, {}, {}, {}], 'malformed']] as const) {
      serve([...shown])
      const keeper = await join(7)
      expect(keeper.verdicts.get(6)?.faults.map((one) => one.code)).toEqual([code])
      const wish = keeper.due(ANN, true)!
      keeper.granted(wish)
      const commitments = [{ seat: ANN, commitment: String(wish.commitment) }]
      keeper.hear(row('locked', { lock: { ...lockAfter(proofs[5]!), commitments } }), false)
      expect(keeper.due(ANN, true)).toBeNull()
    }
  })
})
