import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { EventBody, TableEvent } from '../lib/serverTypes'
import type { Command } from '../lib/tableConnection.svelte'
import { computeCommitment } from './deriveRoll'
import { toHex } from './encoding'
import { storedLock } from './lockStore'
import type { Lock, Proof } from './parseProof'
import { flipBit, forgeProof, makeLock, makeProof, type ProofOptions } from './proofs.fixture'
import { SeedManager } from './seedManager'

const ANN = 'Ann'
const OTHER = 'ab'.repeat(32)
let drawn = 0
const newSeed = () => toHex(new Uint8Array(32).fill(++drawn))

let sequence = 0
const makeEvent = (kind: string, body: EventBody): TableEvent => ({
  sequence: ++sequence,
  at_ms: 0,
  kind,
  body,
  sentences: [],
  clauses: [],
  names: {},
  hash: '',
  stick_call: null,
  puck_change: null,
  ends_hand: false,
})

/** A table whose server behaves as the test says. */
class FakeTable {
  last: Proof | null = null
  manager = new SeedManager('t1', { anchor: makeLock(null).anchor }, newSeed)
  lock: Lock | null = null
  seeds: Record<string, string> = {}

  receive(kind: string, body: EventBody, past = false): void {
    this.manager.onEvent(makeEvent(kind, body), past)
  }

  /** Send the command that is due, and accept it. */
  sendDue(you: string | null = ANN, commits = true): Command | null {
    const command = this.manager.nextCommand(you, commits)
    if (command?.command === 'commit_seed') {
      this.seeds[ANN] = toHex(new Uint8Array(32).fill(drawn))
      this.receive('seed_committed', {
        player: ANN,
        roll: Number(command.roll),
        commitment: String(command.commitment),
      })
      this.manager.onAccepted(command)
    }
    if (command?.command === 'open_seed') {
      this.receive('seed_opened', { player: ANN })
      this.manager.onAccepted(command)
    }
    return command
  }

  lockBets(changes: Partial<Lock> = {}): Lock {
    this.lock = { ...makeLock(this.last, { seeds: this.seeds }), ...changes }
    this.receive('roll_locked', { lock: this.lock })
    return this.lock
  }

  finish(options: ProofOptions = {}, change: (proof: Proof) => Proof = (proof) => proof): Proof {
    const proof = change(makeProof(this.last, { seeds: this.seeds, ...options }, this.lock ?? {}))
    this.receive('secret_revealed', { proof })
    this.receive('rolled', { dice: proof.dice })
    this.last = proof
    this.seeds = {}
    this.lock = null
    return proof
  }

  roll(): Proof {
    this.sendDue()
    this.lockBets()
    this.sendDue()
    return this.finish()
  }

  codes(roll: number): string[] {
    return this.manager.verdicts.get(roll)?.faults.map(({ code }) => code) ?? []
  }
}

let table: FakeTable
beforeEach(() => {
  table = new FakeTable()
})
afterEach(() => vi.unstubAllGlobals())

describe('an honest table', () => {
  it('gets a commitment and the seed for each roll, and its proofs are valid across chains', () => {
    for (let roll = 1; roll <= 9; roll++) {
      expect(table.manager.roll).toBe(roll)
      const command = table.manager.nextCommand(ANN, true)
      expect(command).toMatchObject({ command: 'commit_seed', roll })
      expect(command!.commitment).toBe(computeCommitment('t1', roll, ANN, toHex(new Uint8Array(32).fill(drawn))))
      expect(table.manager.nextCommand(ANN, true)).toBeNull()
      table.seeds[ANN] = toHex(new Uint8Array(32).fill(drawn))
      table.receive('seed_committed', { player: ANN, roll, commitment: String(command!.commitment) })
      table.lockBets()
      expect(table.sendDue()).toEqual({ command: 'open_seed', seed: table.seeds[ANN] })
      expect(table.sendDue()).toBeNull()
      table.finish()
      expect(table.manager.verdicts.get(roll)).toEqual({ ok: true, faults: [], seedCount: 1, includesOwnSeed: true })
    }
  })

  it('draws a new seed for every roll', () => {
    const seeds = new Set(Array.from({ length: 5 }, () => table.roll().openings[0]!.seed))
    expect(seeds.size).toBe(5)
    const commitments = [new SeedManager('t1'), new SeedManager('t1')].map(
      (manager) => manager.nextCommand(ANN, true)!.commitment,
    )
    expect(commitments[0]).not.toBe(commitments[1])
  })

  it('gets no commitment from spectators and departing players, who still verify it', () => {
    expect(table.sendDue(null)).toBeNull()
    expect(table.sendDue(ANN, false)).toBeNull()
    table.lockBets()
    expect(table.sendDue()).toBeNull()
    table.finish()
    expect(table.manager.verdicts.get(1)).toEqual({ ok: true, faults: [], seedCount: 0, includesOwnSeed: false })
  })

  it('gets no commitment after a withdrawal, until the player joins again', () => {
    expect(table.sendDue()).not.toBeNull()
    table.receive('seed_withdrawn', { player: ANN })
    expect(table.sendDue()).toBeNull()
    table.receive('player_joined', { player: 'Bob' })
    expect(table.sendDue()).toBeNull()
    table.receive('player_joined', { player: ANN })
    expect(table.sendDue()).toMatchObject({ command: 'commit_seed', roll: 1 })
    table.lockBets()
    expect(table.sendDue()).toMatchObject({ command: 'open_seed' })
  })

  it('may refuse: an early commitment is repeated, a late one is not, and neither is a fault', () => {
    const early = table.manager.nextCommand(ANN, true)!
    table.manager.onRefused(early, 'not_at_table')
    const late = table.manager.nextCommand(ANN, true)!
    expect(late.commitment).not.toBe(early.commitment)
    table.manager.onRefused(late, 'too_late')
    expect(table.manager.nextCommand(ANN, true)).toBeNull()
    table.lockBets()
    expect(table.sendDue()).toBeNull()
    table.finish()
    expect(table.manager.verdicts.get(1)).toMatchObject({ ok: true, includesOwnSeed: false })
    expect(table.sendDue()).toMatchObject({ command: 'commit_seed', roll: 2 })
  })

  it('may have a commitment from another page, which opens it', () => {
    table.receive('seed_committed', { player: ANN, roll: 1, commitment: computeCommitment('t1', 1, ANN, OTHER) })
    expect(table.sendDue()).toBeNull()
    table.seeds = { [ANN]: OTHER }
    table.lockBets()
    expect(table.sendDue()).toBeNull()
    table.finish()
    expect(table.manager.verdicts.get(1)).toEqual({ ok: true, faults: [], seedCount: 1, includesOwnSeed: false })
  })

  it('may miss a late seed', () => {
    table.sendDue()
    table.lockBets()
    table.finish({ silent: [ANN] })
    expect(table.manager.verdicts.get(1)).toEqual({ ok: true, faults: [], seedCount: 0, includesOwnSeed: false })
  })
})

describe('a dishonest table', () => {
  beforeEach(() => {
    table.roll()
    table.roll()
    table.sendDue()
  })

  const LOCKS: [string, string, Partial<Lock>][] = [
    ['another table', 'table_mismatch', { table: 't2' }],
    ['an old roll', 'repeated_roll', { roll: 2 }],
    ['a later roll', 'skipped_roll', { roll: 4 }],
    ['another link', 'wrong_link', { link: 4 }],
    ['chains of another length', 'wrong_link', { chain_length: 8 }],
    ['another anchor', 'unannounced_anchor', { anchor: OTHER }],
    ['another announcement', 'unannounced_anchor', { next_anchor: OTHER }],
    ['another previous secret', 'broken_link', { previous_secret: OTHER }],
    ['another previous seal', 'wrong_previous_seal', { previous_seal: OTHER }],
    ['no commitment of this seat', 'opening_ignored', { commitments: [] }],
    ['another commitment of this seat', 'opening_ignored', { commitments: [{ seat: ANN, commitment: OTHER }] }],
    ['an invalid hash', 'malformed', { previous_seal: 'x' }],
  ]

  it.each(LOCKS)('gets no seed under a lock with %s: %s', (_, code, changes) => {
    const lock = { ...makeLock(table.last, { seeds: table.seeds }), ...changes }
    table.receive('roll_locked', { lock })
    expect(table.manager.nextCommand(ANN, true)).toBeNull()
    expect(table.codes(3)).toContain(code)
    expect(table.manager.verdicts.get(3)?.ok).toBe(false)
    expect(storedLock('t1', 3)?.previous_seal).not.toBe(OTHER)
    // A correct lock after it changes nothing: the seed stays closed.
    table.lockBets()
    expect(table.manager.nextCommand(ANN, true)).toBeNull()
  })

  it('gets no seed under a first lock with a wrong anchor or a previous seal', () => {
    const changes: [string, Partial<Lock>][] = [
      ['wrong_anchor', { anchor: OTHER, previous_secret: OTHER }],
      ['wrong_previous_seal', { previous_seal: OTHER }],
    ]
    for (const [code, change] of changes) {
      table = new FakeTable()
      table.sendDue()
      table.lockBets(change)
      expect(table.codes(1)).toEqual([code])
      expect(table.sendDue()).toBeNull()
    }
  })

  it('gets no seed under the first lock of a chain that does not lead to its anchor', () => {
    table.lockBets()
    table.sendDue()
    table.finish()
    table.roll()
    table.sendDue()
    table.lockBets({ previous_secret: OTHER })
    expect(table.codes(5)).toEqual(['wrong_anchor'])
    expect(table.sendDue()).toBeNull()
  })

  it('is caught when it accepts a commitment and omits it, even if the reply is late', () => {
    table = new FakeTable()
    const command = table.manager.nextCommand(ANN, true)!
    table.lockBets()
    expect(table.codes(1)).toEqual([])
    table.manager.onAccepted(command)
    expect(table.codes(1)).toEqual(['opening_ignored'])
  })

  it('is caught when it locks twice', () => {
    table.lockBets()
    table.receive('roll_locked', { lock: { ...table.lock!, layout_digest: OTHER } })
    expect(table.codes(3)).toEqual(['lock_changed'])
    expect(table.sendDue()).toBeNull()
  })

  it('is caught when it ignores an opening', () => {
    table.lockBets()
    table.sendDue()
    table.finish({ silent: [ANN] })
    expect(table.codes(3)).toEqual(['opening_ignored'])
    expect(table.manager.verdicts.get(3)).toMatchObject({ ok: false, includesOwnSeed: false, seedCount: 0 })
  })

  it('is caught when it ignores an opening that it accepted without an event', () => {
    table.lockBets()
    table.manager.onAccepted(table.manager.nextCommand(ANN, true)!)
    table.finish({ silent: [ANN] })
    expect(table.codes(3)).toEqual(['opening_ignored'])
  })

  it('is caught when it rolls under another lock or an unannounced one', () => {
    table.lockBets()
    table.sendDue()
    table.finish({}, (proof) => forgeProof(proof, { layout_digest: OTHER }))
    expect(table.codes(3)).toEqual(['lock_changed'])
    table.seeds = {}
    table.finish()
    expect(table.codes(4)).toEqual(['lock_changed'])
  })

  const PROOFS: [string, (proof: Proof) => Proof][] = [
    ['wrong_dice', (proof) => ({ ...proof, dice: proof.dice === '6-6' ? '1-1' : '6-6' })],
    ['broken_link', (proof) => forgeProof(proof, {}, flipBit(proof.secret))],
    ['wrong_seal', (proof) => ({ ...proof, seal: flipBit(proof.seal) })],
    ['lock_altered', (proof) => ({ ...proof, lock_digest: flipBit(proof.lock_digest) })],
    ['wrong_seats', (proof) => ({ ...proof, missing: [ANN] })],
    ['wrong_seed', (proof) => ({ ...proof, openings: [{ seat: ANN, seed: OTHER }] })],
    ['malformed', (proof) => ({ ...proof, seal: '' })],
  ]

  it.each(PROOFS)('is caught with a wrong proof: %s', (code, change) => {
    table.lockBets()
    table.sendDue()
    table.finish({}, change)
    expect(table.codes(3)).toContain(code)
    expect(table.manager.roll).toBe(4)
  })

  it('is caught when it calls other dice, or calls dice twice', () => {
    table.lockBets()
    table.sendDue()
    const { dice } = table.finish()
    expect(table.codes(3)).toEqual([])
    table.receive('rolled', { dice })
    expect(table.codes(3)).toEqual(['wrong_dice'])
    table.sendDue()
    table.lockBets()
    table.sendDue()
    const proof = makeProof(table.last, { seeds: table.seeds })
    table.receive('secret_revealed', { proof })
    table.receive('rolled', { dice: proof.dice === '6-6' ? '1-1' : '6-6' })
    expect(table.codes(4)).toEqual(['wrong_dice'])
  })

  it('is caught when it repeats or skips a roll', () => {
    const old = table.last!
    table.receive('secret_revealed', { proof: old })
    expect(table.codes(3)).toContain('repeated_roll')
    expect(table.manager.verdicts.get(2)?.ok).toBe(true)
    const later = makeProof(makeProof(old))
    table.receive('secret_revealed', { proof: later })
    expect(table.codes(4)).toContain('skipped_roll')
    expect(table.manager.roll).toBe(5)
  })

  it('stays caught: a wrong roll does not become right', () => {
    table.lockBets({ previous_seal: OTHER })
    table.lock = null
    table.finish()
    expect(table.manager.verdicts.get(3)?.ok).toBe(false)
    expect(table.codes(3)).toContain('wrong_previous_seal')
  })
})

describe('joining', () => {
  const events: TableEvent[] = []
  const proofs: Proof[] = []

  /** The events of six rolls, and of a seventh whose bets are closed. */
  beforeEach(() => {
    events.length = proofs.length = sequence = 0
    events.push(makeEvent('anchor_published', { anchor: makeLock(null).anchor }))
    for (let roll = 1; roll <= 7; roll++) {
      const seeds = { [ANN]: OTHER }
      const lock = makeLock(proofs.at(-1) ?? null, { seeds })
      events.push(
        makeEvent('seed_committed', { player: ANN, roll, commitment: lock.commitments[0]!.commitment }),
        makeEvent('roll_locked', { lock }),
      )
      if (roll === 7) return
      const proof = makeProof(proofs.at(-1) ?? null, { seeds })
      proofs.push(proof)
      events.push(
        makeEvent('seed_opened', { player: ANN }),
        makeEvent('secret_revealed', { proof }),
        makeEvent('rolled', { dice: proof.dice }),
      )
    }
  })

  const serve = (sentProofs: unknown[] = proofs) =>
    vi.stubGlobal('fetch', async (address: string) => {
      const url = new URL(address, 'http://server')
      const after = Number(url.searchParams.get('after'))
      const limit = Number(url.searchParams.get('limit'))
      expect(url.searchParams.get('invitation')).toBe('come')
      const body = url.pathname.endsWith('/proofs')
        ? sentProofs.slice(after, after + limit)
        : { events: events.slice(after, after + limit) }
      return Response.json(body)
    })

  const join = (roll: number) => SeedManager.join('t1', roll, 'come')
  const wrong = (manager: SeedManager) =>
    [...manager.verdicts].filter(([, verdict]) => !verdict.ok).map(([roll]) => roll)

  it('verifies all past rolls, from any event on', async () => {
    serve()
    for (let from = 0; from < events.length; from++) {
      const manager = await join(7)
      for (const event of events.slice(from)) manager.onEvent(event, true)
      expect(wrong(manager)).toEqual([])
      expect(manager.roll).toBe(7)
      const proofCount = events.slice(from).filter(({ kind }) => kind === 'secret_revealed').length
      expect(manager.verdicts.size).toBe(Math.max(1, proofCount))
      // The seed of the commitment in the journal was lost with the page that drew it.
      expect(manager.nextCommand(ANN, true)).toBeNull()
      manager.onEvent(
        makeEvent('secret_revealed', { proof: makeProof(proofs.at(-1)!, { seeds: { [ANN]: OTHER }, silent: [ANN] }) }),
        false,
      )
      expect(manager.verdicts.get(7)).toMatchObject({ ok: true, seedCount: 0, includesOwnSeed: false })
      expect(manager.nextCommand(ANN, true)).toMatchObject({ command: 'commit_seed', roll: 8 })
    }
  })

  it('continues when rolls were made between two requests', async () => {
    serve()
    const manager = await join(5)
    for (const one of events.slice(9)) manager.onEvent(one, true)
    expect(manager.roll).toBe(7)
    expect(wrong(manager)).toEqual([])
  })

  it('starts at the first roll with the published anchor', async () => {
    serve()
    const manager = await join(1)
    expect(manager.verdicts.size).toBe(0)
    const command = manager.nextCommand(ANN, true)!
    manager.onAccepted(command)
    const key = new Uint8Array(32)
    const commitments = [{ seat: ANN, commitment: String(command.commitment) }]
    manager.onEvent(makeEvent('roll_locked', { lock: { ...makeLock(null, { key }), commitments } }), false)
    expect(manager.verdicts.get(1)?.faults.map(({ code }) => code)).toEqual(['wrong_anchor'])
    expect(manager.nextCommand(ANN, true)).toBeNull()
  })

  it('finds a past roll that is altered, ambiguous, under another anchor, or missing', async () => {
    serve()
    const altered = await join(7)
    for (const event of events) {
      const isThird = event.kind === 'secret_revealed' && event.body.proof === proofs[2]
      altered.onEvent(isThird ? { ...event, body: { proof: { ...proofs[2], seal: OTHER } } } : event, true)
    }
    expect(wrong(altered)).toEqual([3, 4])

    serve([...proofs.slice(0, 5), forgeProof(proofs[5]!, { layout_digest: OTHER })])
    const twice = await join(7)
    for (const event of events) twice.onEvent(event, true)
    expect(twice.verdicts.get(6)?.faults.map(({ code }) => code)).toEqual(['wrong_previous_seal'])

    const key = new Uint8Array(32)
    const first = makeProof(null, { key })
    serve([first])
    expect((await join(2)).verdicts.get(1)?.faults.map(({ code }) => code)).toEqual(['wrong_anchor'])

    for (const [sentProofs, code] of [
      [[], 'skipped_roll'],
      [proofs.toReversed(), 'skipped_roll'],
      [[{}, {}, {}, {}, {}, {}], 'malformed'],
    ] as const) {
      serve([...sentProofs])
      const manager = await join(7)
      expect(manager.verdicts.get(6)?.faults.map(({ code }) => code)).toEqual([code])
      const command = manager.nextCommand(ANN, true)!
      manager.onAccepted(command)
      const commitments = [{ seat: ANN, commitment: String(command.commitment) }]
      manager.onEvent(makeEvent('roll_locked', { lock: { ...makeLock(proofs[5]!), commitments } }), false)
      expect(manager.nextCommand(ANN, true)).toBeNull()
    }
  })
})
