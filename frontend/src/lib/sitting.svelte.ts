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

  constructor(id: string, invitation: string | null) {
    this.table = new Table(id, invitation)
    this.show = new Show(this.table)
    this.hands = new Hands(this.table, () => this.show.skip())
    this.table.onevent = (event, live) => {
      if (event.kind === 'locked') this.hands.rolled()
      this.show.hear(event, live)
    }
  }

  /** Come to the table; gives what leaves it. */
  come(): () => void {
    const clock = setInterval(() => (this.now = Date.now()), CLOCK_MS)
    void this.table.open().then(() => {
      const last = this.table.events.findLast((event) => event.kind === 'rolled')
      if (last) this.show.hear(last, false)
    })
    return () => {
      clearInterval(clock)
      this.table.close()
    }
  }

  readonly view = $derived.by(() => this.table.view)
  readonly felt = $derived.by(() => this.table.felt)
  readonly currency = $derived(this.felt?.currency ?? 'USD')
  readonly you = $derived(this.view?.seats.find((seat) => seat.player === this.view?.you) ?? null)
  /** Chips are counted as they are drawn: what a throw won is in the rack when it was paid. */
  readonly counted = $derived.by(() => this.show.view)
  readonly shooter = $derived(this.view?.seats.find((seat) => seat.player === this.view?.shooter) ?? null)
  readonly offered = $derived(this.view?.seats.find((seat) => seat.player === this.view?.offer_to) ?? null)
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

  proofAddress(roll: number): string {
    const { id, invitation } = this.table
    return `/proof/${id}/${roll}${invitation ? `?invitation=${encodeURIComponent(invitation)}` : ''}`
  }

  async wish(what: string, more: Record<string, unknown> = {}): Promise<void> {
    this.note = ''
    this.rollAt = 0
    try {
      await this.table.wish({ wish: what, ...more })
    } catch (error) {
      if (what === 'roll' && error instanceof Refused && error.error.wait_ms) this.rollAt = Date.now() + error.error.wait_ms
      else this.note = said(error)
    }
  }

  async roll(): Promise<void> {
    if (this.show.phase !== 'rest') this.show.skip()
    if (this.canRoll) await this.wish('roll')
  }

  async sit(): Promise<void> {
    try {
      await person.come()
    } catch (error) {
      this.note = said(error)
      return
    }
    if (!this.table.view?.you) this.table.comeAgain()
    await this.wish('sit', { cents: BUY_IN_CENTS })
  }
}

function said(error: unknown): string {
  return error instanceof Refused ? error.error.sentence : String(error)
}
