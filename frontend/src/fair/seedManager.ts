// The keeper of one's seeds: promises one for every roll, shows it when the lock is right, checks what came of it.

import { SvelteMap } from 'svelte/reactivity'
import { get, query } from '../lib/api'
import type { Wish } from '../lib/table.svelte'
import type { TableEvent } from '../lib/types'
import { toHex } from './encoding'
import { FairError, type Code, type Finding } from './errors'
import { readLock, readProof, type Lock, type Proof } from './reading'
import { commitmentOf, commitTo } from './roll'
import { keepLock } from './seen'
import { againstAnchor, followsOn, isSameLock, verifyAfter, verifyLock, verifyRoll } from './verify'

/** What is known of one roll. */
export interface Verdict {
  ok: boolean
  faults: Finding[]
  /** How many seats added a seed; with none, the roll is the server's word alone. */
  outside: number
  /** Whether the seed that this page drew is in it. */
  mine: boolean
}

/** A seed of this page, and whether the server took the promise of it. */
interface Own {
  seat: string
  roll: number
  seed: string
  commitment: string
  isPromised: boolean
}

interface Start {
  /** The roll that comes next. */
  roll?: number
  /** The proof of the roll before. */
  last?: Proof | null
  /** What the table published when it opened. */
  anchor?: string | null
}

/** A no after which the same may be wished for again, once something else has happened. */
const LATER = new Set(['not_at_table', 'other_roll', 'nobody'])

const randomSeed = (): string => toHex(crypto.getRandomValues(new Uint8Array(32)))

export class Keeper {
  /** Every roll that was checked, by its number. */
  readonly verdicts = new SvelteMap<number, Verdict>()
  /** The number of the roll that comes next. */
  roll: number

  private last: Proof | null
  private anchor: string | null
  private lock: Lock | null = null
  private isLockFair = false
  private you: string | null = null
  private own: Own | null = null
  /** Who promised and who opened a seed for the next roll, as the log says. */
  private promised = new Set<string>()
  private opened = new Set<string>()
  private asked = new Set<string>()
  /** The dice of a proof that were not called yet: each proof is good for one call. */
  private toCall: string | null = null
  /** Whether the log was heard from the beginning of this roll on. */
  private isWhole = false
  /** Where the log was joined, until it is heard from further back. */
  private joined: Proof | null

  constructor(
    readonly table: string,
    { roll = 1, last = null, anchor = null }: Start = {},
    private newSeed: () => string = randomSeed,
  ) {
    this.roll = roll
    this.last = this.joined = last
    this.anchor = anchor
    if (last) this.judge(last, verifyRoll(last, { anchor: last.lock.chain === 1 ? anchor : null }))
  }

  /** Begin in the middle of a table's life, with its first row and its last roll. */
  static async join(table: string, roll: number, invitation: string | null): Promise<Keeper> {
    const from = (what: string, after: number) =>
      query(`/api/tables/${table}/${what}`, { after, limit: 1, invitation })
    const [first, proofs] = await Promise.all([
      get<{ rows: TableEvent[] }>(from('rows', 0)),
      roll > 1 ? get<unknown[]>(from('proofs', roll - 2)) : [],
    ])
    const anchored = first.rows.find((row) => row.kind === 'anchored')
    const anchor = anchored ? String(anchored.body.anchor) : null
    if (roll === 1) return new Keeper(table, { anchor })
    const { last, fault } = readLast(table, roll - 1, proofs[0])
    const keeper = new Keeper(table, { roll, last, anchor })
    if (fault) keeper.note(roll - 1, [fault])
    return keeper
  }

  /** Take in what happened. Of what happened before one came, the log may begin anywhere. */
  hear(event: TableEvent, past: boolean): void {
    const { kind, body } = event
    const player = String(body.player)
    if (kind === 'anchored') this.anchor ??= String(body.anchor)
    else if (kind === 'joined' && player === this.you) this.asked.delete('commit')
    else if (kind === 'committed') this.hearPromise(player, body, past)
    else if (kind === 'withdrawn') this.hearWithdrawn(player)
    else if (kind === 'locked') this.hearLock(body.lock, past)
    else if (kind === 'opened') this.opened.add(player)
    else if (kind === 'revealed') this.hearProof(body.proof, past)
    else if (kind === 'rolled') this.hearDice(String(body.dice), past)
  }

  /** Say what is to be wished for now, each once. `commits`: whether one has a seat and is not about to leave it. */
  due(you: string | null, commits: boolean): Wish | null {
    this.you = you
    if (!you) return null
    if (this.lock) {
      const own = this.own
      const isIn = own !== null && own.seat === you && commitmentOf(this.lock, you) === own.commitment
      if (!isIn || !this.isLockFair || this.opened.has(you) || !this.ask('open')) return null
      return { wish: 'open', seed: own.seed }
    }
    if (!commits || this.promised.has(you) || !this.ask('commit')) return null
    const seed = this.newSeed()
    const commitment = commitTo(this.table, this.roll, you, seed)
    this.own = { seat: you, roll: this.roll, seed, commitment, isPromised: false }
    return { wish: 'commit', roll: this.roll, commitment }
  }

  /** The server said yes: from now on it has to stand by it. */
  granted(wish: Wish): void {
    const own = this.own
    if (!own) return
    if (wish.wish === 'open' && wish.seed === own.seed) this.opened.add(own.seat)
    if (wish.wish !== 'commit' || wish.commitment !== own.commitment) return
    own.isPromised = true
    if (this.lock) this.judgeLock(this.ofOwn(this.lock))
  }

  /** The server said no. A promise that came too late is none; the next roll has its own. */
  refused(wish: Wish, code: string): void {
    if (wish.wish !== 'commit' || wish.commitment !== this.own?.commitment) return
    this.own = null
    if (LATER.has(code)) this.asked.delete('commit')
  }

  // ------------------------------------------------------------------------------------------- hearing

  private hearPromise(player: string, body: Record<string, unknown>, past: boolean): void {
    if (past) this.goBackTo(Number(body.roll))
    if (body.roll !== this.roll) return
    this.promised.add(player)
    const own = this.own
    if (own && own.seat === player && own.commitment === body.commitment) own.isPromised = true
  }

  private hearWithdrawn(player: string): void {
    this.promised.delete(player)
    // Who withdraws is leaving, and promises nothing more unless they sit down again.
    if (this.own?.seat === player) this.own = null
  }

  private hearLock(data: unknown, past: boolean): void {
    let lock: Lock
    try {
      lock = readLock(data)
    } catch (error) {
      this.isLockFair = false
      this.note(this.roll, [this.unreadable(error)])
      return
    }
    if (past) this.goBackTo(lock.roll)
    if (this.lock) {
      if (!isSameLock(this.lock, lock)) this.judgeLock([this.fault('lock_changed', 'it was locked twice, differently')])
      return
    }
    this.lock = lock
    this.isLockFair = this.verdicts.get(this.roll)?.ok ?? true
    this.judgeLock([...this.inPlace(lock, past), ...verifyLock(lock), ...this.ofOwn(lock)])
    if (!past && this.isLockFair) keepLock(lock)
  }

  private hearProof(data: unknown, past: boolean): void {
    let proof: Proof
    try {
      proof = readProof(data)
    } catch (error) {
      this.note(this.roll, [this.unreadable(error)])
      this.next(this.roll + 1, null)
      return
    }
    if (past) this.goBackTo(proof.lock.roll)
    const found = this.last ? verifyAfter(this.last, proof) : verifyRoll(proof)
    const isElsewhere = proof.lock.table !== this.table || proof.lock.roll < this.roll
    if (!this.last) found.unshift(...this.inPlace(proof.lock, past))
    found.push(...this.ofLockTold(proof, past), ...this.ofOpening(proof), ...this.ofJoining(proof))
    if (isElsewhere) {
      // It is no roll that comes next, and stands where the next one should.
      this.note(this.roll, found)
      this.next(this.roll, this.last)
      return
    }
    this.judge(proof, found)
    this.next(proof.lock.roll + 1, proof)
    this.toCall = proof.roll
    this.isWhole = true
  }

  private hearDice(dice: string, past: boolean): void {
    const isProven = this.toCall === dice
    this.toCall = null
    if (isProven || (past && !this.isWhole)) return
    const what = `the dice that were called, ${dice}, are not those of the proof`
    const roll = Math.max(1, this.roll - 1)
    this.note(roll, [{ roll, code: 'wrong_roll', what }])
  }

  /** Rows of the past may begin before the roll one joined at: then they are heard from there on. */
  private goBackTo(roll: number): void {
    if (this.isWhole || !(roll < this.roll)) return
    this.roll = roll
    this.last = null
  }

  private next(roll: number, last: Proof | null): void {
    this.roll = roll
    this.last = last
    this.lock = this.own = null
    this.isLockFair = false
    this.promised.clear()
    this.opened.clear()
    this.asked.clear()
  }

  // ------------------------------------------------------------------------------------------- judging

  /** Look whether a lock is the one that comes next. */
  private inPlace(lock: Lock, past: boolean): Finding[] {
    if (lock.table !== this.table) return [this.fault('other_table', `it is of table ${lock.table}`)]
    if (this.last) return followsOn(this.last, lock)
    if (!past && lock.roll !== 1) return [this.fault('skipped', 'the roll before it was not shown')]
    return lock.chain === 1 ? againstAnchor(lock, this.anchor) : []
  }

  private ofOwn(lock: Lock): Finding[] {
    const own = this.own
    const isKept = !own?.isPromised || commitmentOf(lock, own.seat) === own.commitment
    return isKept ? [] : [this.fault('left_out', 'its lock has not the commitment of your seat')]
  }

  private ofLockTold(proof: Proof, past: boolean): Finding[] {
    if (this.lock ? isSameLock(this.lock, proof.lock) : past && !this.isWhole) return []
    return [this.fault('lock_changed', 'it was thrown under another lock than the one that was told')]
  }

  private ofOpening(proof: Proof): Finding[] {
    const own = this.own
    const isOut = own !== null && this.opened.has(own.seat) && proof.missing.includes(own.seat)
    return isOut ? [this.fault('left_out', 'the seed of your seat was opened and left out')] : []
  }

  private ofJoining(proof: Proof): Finding[] {
    if (this.joined?.lock.roll !== proof.lock.roll || this.joined.seal === proof.seal) return []
    return [this.fault('broken_past', 'it was told in two ways')]
  }

  private judgeLock(found: Finding[]): void {
    if (!found.length) return
    this.isLockFair = false
    this.note(this.roll, found)
  }

  private judge(proof: Proof, found: Finding[]): void {
    const own = this.own
    const mine = own !== null && proof.openings.some((one) => one.seat === own.seat && one.seed === own.seed)
    this.note(proof.lock.roll, found, { outside: proof.outside_seeds, mine })
  }

  /** Add to what is known of a roll; what was wrong once stays wrong. */
  private note(roll: number, found: Finding[], more: Partial<Verdict> = {}): void {
    const before = this.verdicts.get(roll) ?? { ok: true, faults: [], outside: 0, mine: false }
    const isNew = (one: Finding) => !before.faults.some((old) => old.code === one.code && old.what === one.what)
    const faults = [...before.faults, ...found.filter(isNew)]
    this.verdicts.set(roll, { ...before, ...more, faults, ok: !faults.length })
  }

  private fault(code: Code, what: string): Finding {
    return { roll: this.roll, code, what }
  }

  private unreadable(error: unknown): Finding {
    if (error instanceof FairError) return this.fault('malformed', error.message)
    throw error
  }

  private ask(wish: string): boolean {
    const isNew = !this.asked.has(wish)
    this.asked.add(wish)
    return isNew
  }
}

function readLast(table: string, roll: number, data: unknown): { last: Proof | null; fault?: Finding } {
  const fault = (code: Code, what: string) => ({ last: null, fault: { roll, code, what } })
  if (data === undefined) return fault('skipped', 'it was not shown')
  try {
    const last = readProof(data)
    if (last.lock.table !== table) return fault('other_table', `it is of table ${last.lock.table}`)
    if (last.lock.roll !== roll) return fault('skipped', `roll ${last.lock.roll} was shown in its place`)
    return { last }
  } catch (error) {
    if (error instanceof FairError) return fault('malformed', error.message)
    throw error
  }
}
