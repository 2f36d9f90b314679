// Being at a table: the table, the show of its rolls, one's hands, and everything that is read off them.

import { firstChip } from '../felt/denominations'
import { Refused } from './api'
import { Hands } from './hands.svelte'
import { rollsOf } from './history'
import { money } from './money'
import { person } from './person.svelte'
import { prefs } from './prefs.svelte'
import { BUY_IN_CENTS } from './seat'
import { Show } from './show.svelte'
import { Table } from './table.svelte'

const CLOCK_MS = 500
/** A rack holds at least so many of the least bet that a table takes. */
const BETS = 20
const STRIP = 10

export class Sitting {
  readonly table: Table
  readonly show: Show
  readonly hands: Hands
  /** The spot that was pointed at last. */
  chosen = $state<string | null>(null)
  /** Whether a click asks about a spot instead of betting on it. */
  asking = $state(false)
  /** What the guide lights up: a spot, or the button to roll. */
  lit = $state<string | null>(null)
  /** What the server said no to, where no spot is to blame. */
  note = $state('')
  /** When the dice may go, for a shooter who was too quick. */
  rollAt = $state(0)
  now = $state(Date.now())
  private isRolling = false
  private isSitting = false

  constructor(id: string, invitation: string | null) {
    this.table = new Table(id, invitation)
    this.show = new Show(this.table)
    this.hands = new Hands(this.table, () => this.show.skip())
    this.table.onback = (missed) => {
      if (missed > 0) this.note = missed === 1 ? 'Back. One roll happened.' : `Back. ${missed} rolls happened.`
    }
    this.table.onevent = (event, live) => {
      if (event.kind === 'locked') this.hands.rolled()
      this.show.hear(event, live)
    }
  }

  /** Come to the table; gives what leaves it. */
  come(): () => void {
    const clock = setInterval(() => (this.now = Date.now()), CLOCK_MS)
    void this.table.open()
    return () => {
      clearInterval(clock)
      this.show.skip()
      this.table.close()
    }
  }

  readonly view = $derived.by(() => this.show.told)
  readonly felt = $derived.by(() => this.table.felt)
  readonly currency = $derived(this.felt?.currency ?? 'USD')
  readonly you = $derived(this.view?.seats.find((seat) => seat.player === this.view?.you) ?? null)
  /** Chips are counted as they are drawn: what a throw won is in the rack when it was paid. */
  readonly counted = $derived.by(() => this.show.view)
  readonly shooter = $derived(this.view?.seats.find((seat) => seat.player === this.view?.shooter) ?? null)
  readonly offered = $derived(this.view?.seats.find((seat) => seat.player === this.view?.offer_to) ?? null)
  readonly isWatching = $derived(this.view !== null && this.you === null)
  /** Whether the dice are one's own to take or to pass. */
  readonly isOffered = $derived(this.offered !== null && this.offered === this.you)
  readonly can = $derived(new Set(this.view?.choices.map((choice) => choice.do) ?? []))
  readonly chip = $derived(prefs.chip ?? firstChip(this.felt?.min_bet ?? null))
  readonly canRoll = $derived.by(() => this.view?.may_roll === true && !this.view.locked && this.table.status === 'live')
  readonly rolls = $derived.by(() => rollsOf(this.show.events).slice(-STRIP))

  /** The time of day at the server. */
  private readonly serverNow = $derived.by(() => this.now + this.table.ahead)

  readonly minutes = $derived.by(() => {
    const { standing, now_ms } = this.view ?? {}
    if (!standing || now_ms === undefined) return 0
    const since = standing.since_ms === null ? 0 : Math.max(0, this.serverNow - now_ms)
    return Math.floor((standing.seated_ms + since) / 60_000)
  })

  /** Seconds for which others may still bet before the dice go. */
  readonly windowLeft = $derived(this.view?.window_until_ms ? Math.max(0, Math.ceil((this.view.window_until_ms - this.serverNow) / 1000)) : 0)

  /** What the table waits for, in words. */
  readonly waiting = $derived.by(() => {
    const view = this.view
    if (!view?.waits_for || view.due_ms === null) return ''
    if (view.waits_for.what === 'openings') return 'Bets are closed'
    const names = view.waits_for.whom.map((player) => (player === view.you ? 'you' : (view.seats.find((seat) => seat.player === player)?.name ?? 'somebody')))
    return `Waiting for ${names.join(', ')}: ${Math.max(0, Math.ceil((view.due_ms - this.serverNow) / 1000))} s`
  })

  readonly limits = $derived.by(() => {
    const { min_bet, max_bet } = this.felt ?? {}
    const least = min_bet ? money(min_bet, this.currency) : ''
    return max_bet ? `${least} to ${money(max_bet, this.currency)}` : least && `from ${least}`
  })

  /** The last roll, and what came of checking its proof. */
  readonly proof = $derived.by(() => {
    const last = this.rolls.at(-1)
    return last ? { number: last.number, verdict: this.table.keeper?.verdicts.get(last.number) } : null
  })

  /** What is bought at a time. */
  readonly buyIn = $derived(Math.max(BUY_IN_CENTS, BETS * (this.felt?.min_bet ?? 0)))
  /** Whether the rack is nearly empty. */
  readonly isShort = $derived(this.you !== null && this.you.rack < this.buyIn / 5)

  async wish(what: string, more: Record<string, unknown> = {}): Promise<void> {
    this.note = ''
    this.rollAt = 0
    try {
      await this.table.wish({ wish: what, ...more })
    } catch (error) {
      const { code = '', wait_ms = 0 } = error instanceof Refused ? error.error : {}
      if (what === 'roll' && code === 'pace') this.rollAt = Date.now() + wait_ms
      else if (what !== 'sit' || code !== 'seat_taken') this.note = said(error)
    }
  }

  /** Throw the dice. While the last ones still tumble, see where they land. */
  async roll(): Promise<void> {
    const { phase } = this.show
    this.show.skip()
    if (phase === 'dice' || !this.canRoll || this.isRolling) return
    this.isRolling = true
    try {
      await this.hands.rest()
      await this.wish('roll')
    } finally {
      this.isRolling = false
    }
  }

  /** Whether the chosen spot has a wager of one's own to press. */
  readonly pressed = $derived.by(() => (this.chosen && this.hands.mine(this.chosen).length ? this.chosen : null))

  press(): void {
    if (this.pressed) void this.hands.put(this.pressed, this.chip)
  }

  async sit(): Promise<void> {
    if (this.isSitting) return
    this.isSitting = true
    try {
      await person.come()
      if (!this.table.view?.you) this.table.comeAgain()
      await this.wish('sit', { cents: this.buyIn })
    } catch (error) {
      this.note = said(error)
    } finally {
      this.isSitting = false
    }
  }
}

function said(error: unknown): string {
  return error instanceof Refused ? error.error.sentence : String(error)
}
