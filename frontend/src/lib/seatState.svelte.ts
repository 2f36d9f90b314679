// The state of one visit to a table: the connection, the roll animation, the user's bets, and what the page shows of them.

import { defaultChip } from '../felt/denominations'
import { RequestError } from './api'
import { BetActions } from './betActions.svelte'
import { currentUser } from './currentUser.svelte'
import { BUY_IN_CENTS } from './joinFlow'
import { rollEntries } from './logEntries'
import { formatMoney } from './money'
import { preferences } from './preferences.svelte'
import { RollAnimation } from './rollAnimation.svelte'
import { TableConnection } from './tableConnection.svelte'

const CLOCK_TICK_MS = 500
/** A buy-in covers at least this many minimum bets. */
const MIN_BETS_PER_BUY_IN = 20
const RECENT_ROLLS = 10

export class SeatState {
  readonly table: TableConnection
  readonly animation: RollAnimation
  readonly actions: BetActions
  selectedSpot = $state<string | null>(null)
  /** Whether a click shows the card of a spot instead of betting on it. */
  isInspecting = $state(false)
  /** What the first-time guide highlights: a spot, or 'roll' for the roll button. */
  highlighted = $state<string | null>(null)
  /** A message for the user that belongs to no spot. */
  message = $state('')
  /** When to repeat a roll that was refused as too soon; 0 if none was. */
  rollAllowedAt = $state(0)
  now = $state(Date.now())
  private isRolling = false
  private isJoining = false

  constructor(id: string, invitation: string | null) {
    this.table = new TableConnection(id, invitation)
    this.animation = new RollAnimation(this.table)
    this.actions = new BetActions(this.table, () => this.animation.skip())
    this.table.onreconnect = (missed) => {
      if (missed > 0)
        this.message = missed === 1 ? 'Reconnected. You missed one roll.' : `Reconnected. You missed ${missed} rolls.`
    }
    this.table.onevent = (event, live) => {
      if (event.kind === 'roll_locked') this.actions.onBetsClosed()
      this.animation.onEvent(event, live)
    }
  }

  /** Open the table and return a function that closes it. */
  start(): () => void {
    const clock = setInterval(() => (this.now = Date.now()), CLOCK_TICK_MS)
    void this.table.open()
    return () => {
      clearInterval(clock)
      this.animation.skip()
      this.table.close()
    }
  }

  readonly view = $derived.by(() => this.animation.revealedView)
  readonly info = $derived.by(() => this.table.info)
  /** Whether commands can be sent: controls that need the server are disabled until then. */
  readonly isConnected = $derived.by(() => this.table.status === 'live')
  readonly currency = $derived(this.info?.currency ?? 'USD')
  readonly you = $derived(this.view?.seats.find((seat) => seat.player === this.view?.you) ?? null)
  /** The view that is drawn: winnings reach the rack when the animation pays them. */
  readonly drawnView = $derived.by(() => this.animation.view)
  readonly shooter = $derived(this.view?.seats.find((seat) => seat.player === this.view?.shooter) ?? null)
  readonly offeredTo = $derived(this.view?.seats.find((seat) => seat.player === this.view?.offered_to) ?? null)
  readonly isWatching = $derived(this.view !== null && this.you === null)
  /** Whether the dice are offered to the user. */
  readonly isOffered = $derived(this.offeredTo !== null && this.offeredTo === this.you)
  readonly legalVerbs = $derived(new Set(this.view?.legal_actions.map(({ verb }) => verb) ?? []))
  readonly chip = $derived(preferences.chip ?? defaultChip(this.info?.min_bet ?? null))
  readonly canRoll = $derived(this.isConnected && this.view?.can_roll === true && !this.view.is_locked)
  readonly recentRolls = $derived.by(() => rollEntries(this.animation.revealedEvents).slice(-RECENT_ROLLS))

  /** The current time on the server's clock. */
  private readonly serverNow = $derived.by(() => this.now + this.table.clockOffsetMs)

  /** Minutes spent at this table. */
  readonly minutes = $derived.by(() => {
    const { results, now_ms } = this.view ?? {}
    if (!results || now_ms === undefined) return 0
    const sinceView = results.seated_since_ms === null ? 0 : Math.max(0, this.serverNow - now_ms)
    return Math.floor((results.seated_ms + sinceView) / 60_000)
  })

  /** Seconds until the dice may be rolled, while other players can still bet. */
  readonly bettingSecondsLeft = $derived(
    this.view?.roll_allowed_at_ms ? Math.max(0, Math.ceil((this.view.roll_allowed_at_ms - this.serverNow) / 1000)) : 0,
  )

  /** Whom the table is waiting for, as text. */
  readonly waitMessage = $derived.by(() => {
    const view = this.view
    if (!view?.waiting_for || view.deadline_ms === null) return ''
    if (view.waiting_for.kind === 'openings') return 'Bets are closed'
    const nameOf = (player: string) =>
      player === view.you ? 'you' : (view.seats.find((seat) => seat.player === player)?.name ?? 'a player')
    const names = view.waiting_for.players.map(nameOf)
    return `Waiting for ${names.join(', ')}: ${Math.max(0, Math.ceil((view.deadline_ms - this.serverNow) / 1000))} s`
  })

  /** The table limits, as text. */
  readonly limits = $derived.by(() => {
    const { min_bet, max_bet } = this.info ?? {}
    const minimum = min_bet ? formatMoney(min_bet, this.currency) : ''
    return max_bet ? `${minimum} to ${formatMoney(max_bet, this.currency)}` : minimum && `from ${minimum}`
  })

  /** The number of the last roll and the result of checking its proof. */
  readonly lastProof = $derived.by(() => {
    const last = this.recentRolls.at(-1)
    return last ? { number: last.number, verdict: this.table.seeds?.verdicts.get(last.number) } : null
  })

  readonly buyIn = $derived(Math.max(BUY_IN_CENTS, MIN_BETS_PER_BUY_IN * (this.info?.min_bet ?? 0)))
  readonly isRackLow = $derived(this.you !== null && this.you.rack_cents < this.buyIn / 5)

  /** Send a command and show the message if it is refused. Do nothing while disconnected. */
  async send(command: string, parameters: Record<string, unknown> = {}): Promise<void> {
    if (this.isConnected) await this.sendOrQueue(command, parameters)
  }

  private async sendOrQueue(command: string, parameters: Record<string, unknown>): Promise<void> {
    this.message = ''
    this.rollAllowedAt = 0
    try {
      await this.table.send({ command, ...parameters })
    } catch (error) {
      const { code = '', retry_after_ms = 0 } = error instanceof RequestError ? error.body : {}
      if (command === 'roll' && code === 'too_soon') this.rollAllowedAt = Date.now() + retry_after_ms
      else if (command !== 'join' || code !== 'seat_taken') this.message = errorText(error)
    }
  }

  /** Roll the dice. If the last roll is still tumbling, show how it lands instead. */
  async roll(): Promise<void> {
    const { phase } = this.animation
    this.animation.skip()
    if (phase === 'dice' || !this.canRoll || this.isRolling) return
    this.isRolling = true
    try {
      await this.actions.settled()
      await this.send('roll')
    } finally {
      this.isRolling = false
    }
  }

  /** The selected spot, if the user has a wager there to press. */
  readonly pressableSpot = $derived.by(() =>
    this.selectedSpot && this.actions.ownBetsAt(this.selectedSpot).length ? this.selectedSpot : null,
  )

  press(): void {
    if (this.pressableSpot) void this.actions.bet(this.pressableSpot, this.chip)
  }

  /** Sign in as a guest if necessary, and join the table with a buy-in. */
  async join(): Promise<void> {
    if (this.isJoining || !this.isConnected) return
    this.isJoining = true
    try {
      await currentUser.signInAsGuest()
      if (!this.table.view?.you) this.table.reconnectAsUser()
      await this.sendOrQueue('join', { cents: this.buyIn })
    } catch (error) {
      this.message = errorText(error)
    } finally {
      this.isJoining = false
    }
  }
}

function errorText(error: unknown): string {
  return error instanceof RequestError ? error.body.message : String(error)
}
