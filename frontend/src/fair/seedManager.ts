// Manages the user's client seeds: commits to one for every roll, opens it if the lock is right, verifies every roll.

import { SvelteMap } from 'svelte/reactivity'
import { get, withQuery } from '../lib/api'
import type { EventBody, TableEvent } from '../lib/serverTypes'
import type { Command } from '../lib/tableConnection.svelte'
import { computeCommitment, findCommitment } from './deriveRoll'
import { toHex } from './encoding'
import { MalformedProofError, type Fault, type FaultCode } from './errors'
import { storeLock } from './lockStore'
import { parseLock, parseProof, type Lock, type Proof } from './parseProof'
import { isSameLock, verifyAnchor, verifyLock, verifyNext, verifyRoll, verifySequence } from './verify'

/** The result of verifying one roll. */
export interface RollVerdict {
  ok: boolean
  faults: Fault[]
  /** The number of seats that added a seed. If it is 0, the server alone decided the roll. */
  seedCount: number
  includesOwnSeed: boolean
}

/** A seed drawn by this page, and whether the server accepted the commitment to it. */
interface OwnSeed {
  seat: string
  roll: number
  seed: string
  commitment: string
  isAccepted: boolean
}

interface JoinPoint {
  /** The number of the next roll. */
  roll?: number
  /** The proof of the previous roll. */
  last?: Proof | null
  /** The anchor that the table published when it opened. */
  anchor?: string | null
}

/** Refusals after which a commitment may be sent again once something has changed. */
const RETRY_CODES = new Set(['not_at_table', 'roll_mismatch', 'not_logged_in'])

const randomSeed = (): string => toHex(crypto.getRandomValues(new Uint8Array(32)))

export class SeedManager {
  /** The verdicts of all rolls verified so far, by roll number. */
  readonly verdicts = new SvelteMap<number, RollVerdict>()
  /** The number of the next roll. */
  roll: number

  private last: Proof | null
  private anchor: string | null
  private lock: Lock | null = null
  private isLockFair = false
  private you: string | null = null
  private own: OwnSeed | null = null
  /** The seats that committed to a seed or opened it for the next roll, according to the journal. */
  private committed = new Set<string>()
  private opened = new Set<string>()
  /** The commands already sent for the next roll. */
  private sent = new Set<string>()
  /** The dice of a proof until they are called. Each proof is good for one call. */
  private uncalledDice: string | null = null
  /** Whether the events of this roll were seen from its start. */
  private hasFullRoll = false
  /** The proof at the point where the journal was joined. */
  private joinProof: Proof | null

  constructor(
    readonly table: string,
    { roll = 1, last = null, anchor = null }: JoinPoint = {},
    private newSeed: () => string = randomSeed,
  ) {
    this.roll = roll
    this.last = this.joinProof = last
    this.anchor = anchor
    if (last) this.recordProof(last, verifyRoll(last, { anchor: last.lock.chain === 1 ? anchor : null }))
  }

  /** Join a table in progress: fetch its first event and its last roll. */
  static async join(table: string, roll: number, invitation: string | null): Promise<SeedManager> {
    const url = (resource: string, after: number) =>
      withQuery(`/api/tables/${table}/${resource}`, { after, limit: 1, invitation })
    const [{ events }, proofs] = await Promise.all([
      get<{ events: TableEvent[] }>(url('events', 0)),
      roll > 1 ? get<unknown[]>(url('proofs', roll - 2)) : [],
    ])
    const published = events.find(({ kind }) => kind === 'anchor_published')
    const anchor = published ? String(published.body.anchor) : null
    if (roll === 1) return new SeedManager(table, { anchor })
    const { last, fault } = parseLastProof(table, roll - 1, proofs[0])
    const manager = new SeedManager(table, { roll, last, anchor })
    if (fault) manager.addFaults(roll - 1, [fault])
    return manager
  }

  /** Process an event. Events from before the user joined (`past`) may start at any point. */
  onEvent(event: TableEvent, past: boolean): void {
    const { kind, body } = event
    const player = String(body.player)
    if (kind === 'anchor_published') this.anchor ??= String(body.anchor)
    else if (kind === 'player_joined' && player === this.you) this.sent.delete('commit_seed')
    else if (kind === 'seed_committed') this.onCommitted(player, body, past)
    else if (kind === 'seed_withdrawn') this.onWithdrawn(player)
    else if (kind === 'roll_locked') this.onLock(body.lock, past)
    else if (kind === 'seed_opened') this.opened.add(player)
    else if (kind === 'secret_revealed') this.onProof(body.proof, past)
    else if (kind === 'rolled') this.onDice(String(body.dice), past)
  }

  /** Return the command that is due now, once. `commits`: whether the user has a seat and is not about to leave it. */
  nextCommand(you: string | null, commits: boolean): Command | null {
    this.you = you
    if (!you) return null
    if (this.lock) {
      const own = this.own
      const isInLock = own !== null && own.seat === you && findCommitment(this.lock, you) === own.commitment
      if (!isInLock || !this.isLockFair || this.opened.has(you) || !this.markSent('open_seed')) return null
      return { command: 'open_seed', seed: own.seed }
    }
    if (!commits || this.committed.has(you) || !this.markSent('commit_seed')) return null
    const seed = this.newSeed()
    const commitment = computeCommitment(this.table, this.roll, you, seed)
    this.own = { seat: you, roll: this.roll, seed, commitment, isAccepted: false }
    return { command: 'commit_seed', roll: this.roll, commitment }
  }

  /** The server accepted a command. From now on the lock must contain the commitment. */
  onAccepted(command: Command): void {
    const own = this.own
    if (!own) return
    if (command.command === 'open_seed' && command.seed === own.seed) this.opened.add(own.seat)
    if (command.command !== 'commit_seed' || command.commitment !== own.commitment) return
    own.isAccepted = true
    if (this.lock) this.recordLock(this.checkOwnCommitment(this.lock))
  }

  /** The server refused a command. A commitment that came too late is dropped; the next roll gets a new one. */
  onRefused(command: Command, code: string): void {
    if (command.command !== 'commit_seed' || command.commitment !== this.own?.commitment) return
    this.own = null
    if (RETRY_CODES.has(code)) this.sent.delete('commit_seed')
  }

  // ---------------------------------------------------------------------------- events

  private onCommitted(player: string, body: EventBody, past: boolean): void {
    if (past) this.rewindTo(Number(body.roll))
    if (body.roll !== this.roll) return
    this.committed.add(player)
    const own = this.own
    if (own && own.seat === player && own.commitment === body.commitment) own.isAccepted = true
  }

  private onWithdrawn(player: string): void {
    this.committed.delete(player)
    // The player is leaving, and commits again only after joining again.
    if (this.own?.seat === player) this.own = null
  }

  private onLock(data: unknown, past: boolean): void {
    let lock: Lock
    try {
      lock = parseLock(data)
    } catch (error) {
      this.isLockFair = false
      this.addFaults(this.roll, [this.malformedFault(error)])
      return
    }
    if (past) this.rewindTo(lock.roll)
    if (this.lock) {
      if (!isSameLock(this.lock, lock))
        this.recordLock([this.fault('lock_changed', 'it was locked twice, with different locks')])
      return
    }
    this.lock = lock
    this.isLockFair = this.verdicts.get(this.roll)?.ok ?? true
    this.recordLock([...this.checkSequence(lock, past), ...verifyLock(lock), ...this.checkOwnCommitment(lock)])
    if (!past && this.isLockFair) storeLock(lock)
  }

  private onProof(data: unknown, past: boolean): void {
    let proof: Proof
    try {
      proof = parseProof(data)
    } catch (error) {
      this.addFaults(this.roll, [this.malformedFault(error)])
      this.startRoll(this.roll + 1, null)
      return
    }
    if (past) this.rewindTo(proof.lock.roll)
    const faults = this.last ? verifyNext(this.last, proof) : verifyRoll(proof)
    const isMisplaced = proof.lock.table !== this.table || proof.lock.roll < this.roll
    if (!this.last) faults.unshift(...this.checkSequence(proof.lock, past))
    faults.push(...this.checkAnnouncedLock(proof, past), ...this.checkOwnOpening(proof), ...this.checkJoinProof(proof))
    if (isMisplaced) {
      // The proof is not that of the next roll, so its faults are recorded for the roll that was due.
      this.addFaults(this.roll, faults)
      this.startRoll(this.roll, this.last)
      return
    }
    this.recordProof(proof, faults)
    this.startRoll(proof.lock.roll + 1, proof)
    this.uncalledDice = proof.dice
    this.hasFullRoll = true
  }

  private onDice(dice: string, past: boolean): void {
    const isProven = this.uncalledDice === dice
    this.uncalledDice = null
    if (isProven || (past && !this.hasFullRoll)) return
    const message = `the dice that were called, ${dice}, are not those of the proof`
    const roll = Math.max(1, this.roll - 1)
    this.addFaults(roll, [{ roll, code: 'wrong_dice', message }])
  }

  /** Past events may start before the roll at which the user joined. Verification then starts there. */
  private rewindTo(roll: number): void {
    if (this.hasFullRoll || !(roll < this.roll)) return
    this.roll = roll
    this.last = null
  }

  private startRoll(roll: number, last: Proof | null): void {
    this.roll = roll
    this.last = last
    this.lock = this.own = null
    this.isLockFair = false
    this.committed.clear()
    this.opened.clear()
    this.sent.clear()
  }

  // ---------------------------------------------------------------------------- checks

  /** Check that a lock is that of the next roll. */
  private checkSequence(lock: Lock, past: boolean): Fault[] {
    if (lock.table !== this.table) return [this.fault('table_mismatch', `it belongs to table ${lock.table}`)]
    if (this.last) return verifySequence(this.last, lock)
    if (!past && lock.roll !== 1) return [this.fault('skipped_roll', 'the roll before it was not shown')]
    return lock.chain === 1 ? verifyAnchor(lock, this.anchor) : []
  }

  private checkOwnCommitment(lock: Lock): Fault[] {
    const own = this.own
    const isIncluded = !own?.isAccepted || findCommitment(lock, own.seat) === own.commitment
    return isIncluded ? [] : [this.fault('opening_ignored', 'its lock does not contain the commitment of your seat')]
  }

  private checkAnnouncedLock(proof: Proof, past: boolean): Fault[] {
    if (this.lock ? isSameLock(this.lock, proof.lock) : past && !this.hasFullRoll) return []
    return [this.fault('lock_changed', 'its lock is not the one that was announced')]
  }

  private checkOwnOpening(proof: Proof): Fault[] {
    const own = this.own
    const isIgnored = own !== null && this.opened.has(own.seat) && proof.missing.includes(own.seat)
    return isIgnored
      ? [this.fault('opening_ignored', 'your seat opened its seed, but the proof lists it as missing')]
      : []
  }

  private checkJoinProof(proof: Proof): Fault[] {
    if (this.joinProof?.lock.roll !== proof.lock.roll || this.joinProof.seal === proof.seal) return []
    return [this.fault('wrong_previous_seal', 'the server sent two different proofs of it')]
  }

  private recordLock(faults: Fault[]): void {
    if (!faults.length) return
    this.isLockFair = false
    this.addFaults(this.roll, faults)
  }

  private recordProof(proof: Proof, faults: Fault[]): void {
    const own = this.own
    const includesOwnSeed =
      own !== null && proof.openings.some(({ seat, seed }) => seat === own.seat && seed === own.seed)
    this.addFaults(proof.lock.roll, faults, { seedCount: proof.client_seeds, includesOwnSeed })
  }

  /** Add faults to the verdict of a roll. A roll that was wrong once stays wrong. */
  private addFaults(roll: number, added: Fault[], update: Partial<RollVerdict> = {}): void {
    const verdict = this.verdicts.get(roll) ?? { ok: true, faults: [], seedCount: 0, includesOwnSeed: false }
    const isNew = (fault: Fault) =>
      !verdict.faults.some(({ code, message }) => code === fault.code && message === fault.message)
    const faults = [...verdict.faults, ...added.filter(isNew)]
    this.verdicts.set(roll, { ...verdict, ...update, faults, ok: !faults.length })
  }

  private fault(code: FaultCode, message: string): Fault {
    return { roll: this.roll, code, message }
  }

  private malformedFault(error: unknown): Fault {
    if (error instanceof MalformedProofError) return this.fault('malformed', error.message)
    throw error
  }

  /** Mark a command as sent. Return false if it was sent before. */
  private markSent(command: string): boolean {
    const isNew = !this.sent.has(command)
    this.sent.add(command)
    return isNew
  }
}

function parseLastProof(table: string, roll: number, data: unknown): { last: Proof | null; fault?: Fault } {
  const failure = (code: FaultCode, message: string) => ({ last: null, fault: { roll, code, message } })
  if (data === undefined) return failure('skipped_roll', 'it was not shown')
  try {
    const last = parseProof(data)
    if (last.lock.table !== table) return failure('table_mismatch', `it belongs to table ${last.lock.table}`)
    if (last.lock.roll !== roll) return failure('skipped_roll', `the server sent roll ${last.lock.roll} instead`)
    return { last }
  } catch (error) {
    if (error instanceof MalformedProofError) return failure('malformed', error.message)
    throw error
  }
}
