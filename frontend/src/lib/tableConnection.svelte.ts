// The WebSocket connection to one table: its events and views, and the commands sent to it. Reconnects by itself.

import { SeedManager } from '../fair/seedManager'
import { get, RequestError, withQuery } from './api'
import { randomId } from './randomId'
import constants from './server-constants.json'
import type { ErrorBody, LegalAction, Refusal, Spot, TableEvent, TableInfo, TableView } from './serverTypes'

export type Status = 'connecting' | 'live' | 'away' | 'closed'
export type Command = Record<string, unknown> & { command: string }

interface PendingCommand {
  frame: string
  resolve: (sequence: number) => void
  reject: (error: RequestError) => void
}

const MAX_EVENTS = 600
const INITIAL_EVENTS = 400
const RECONNECT_DELAYS_MS = [200, 400, 800, 1500, 3000]
const REPLY_TIMEOUT_MS = 8000
/** Commands that are meant for one roll. The server refuses them as `stale` once that roll is over. */
const ROLL_COMMANDS = new Set(constants.roll_commands)

/** Errors after which the same command is sent again under the same id. */
const RETRY_CODES = new Set(constants.retry_codes)

export class TableConnection {
  info = $state.raw<TableInfo | null>(null)
  view = $state.raw<TableView | null>(null)
  events = $state.raw<TableEvent[]>([])
  status = $state<Status>('connecting')
  error = $state<ErrorBody | null>(null)
  readonly spots = $derived(new Map<string, Spot>(this.info?.layout.spots.map((spot) => [spot.spot, spot]) ?? []))
  seeds: SeedManager | null = null
  /** Called with every new event, in order, and once with the last roll when the table is opened. */
  onevent: ((event: TableEvent, live: boolean) => void) | null = null
  /** Called after a reconnect with the number of rolls that were missed. */
  onreconnect: ((missed: number) => void) | null = null

  /** The server's clock minus this clock. */
  clockOffsetMs = 0

  private socket: WebSocket | null = null
  private pendingCommands = new Map<string, PendingCommand>()
  private viewWaiters: { sequence: number; resolve: () => void }[] = []
  /** A view that is ahead of the events received so far. */
  private earlyView: TableView | null = null
  private lastSequence = 0
  private attempts = 0
  private caughtUp = false
  private timer: ReturnType<typeof setTimeout> | undefined
  private retry: (() => void) | null = null
  private isClosed = false

  constructor(
    readonly id: string,
    readonly invitation: string | null,
  ) {
    addEventListener('online', this.retryNow)
  }

  async open(): Promise<void> {
    try {
      const info = await get<TableInfo>(withQuery(`/api/tables/${this.id}`, { invitation: this.invitation }))
      const after = Math.max(0, info.sequence - INITIAL_EVENTS)
      const [{ events }, seeds] = await Promise.all([
        get<{ events: TableEvent[] }>(
          withQuery(`/api/tables/${this.id}/events`, { after, limit: 1000, invitation: this.invitation }),
        ),
        this.seeds ?? SeedManager.join(this.id, info.roll.number, this.invitation),
      ])
      if (this.isClosed) return
      this.seeds = seeds
      this.events = events
      this.lastSequence = events.at(-1)?.sequence ?? info.sequence
      for (const event of events) seeds.onEvent(event, true)
      this.info = info
      const lastRoll = events.findLast((event) => event.kind === 'rolled')
      if (lastRoll) this.onevent?.(lastRoll, false)
      this.connect()
    } catch (error) {
      if (!(error instanceof RequestError)) this.fail(error)
      if (!(error instanceof RequestError && this.closeIfFinal(error))) this.retryLater(() => void this.open())
    }
  }

  close(): void {
    this.isClosed = true
    clearTimeout(this.timer)
    removeEventListener('online', this.retryNow)
    closeSocket(this.socket)
  }

  /** Open a new socket so that the server sees the user who has just signed in. */
  reconnectAsUser(): void {
    const previous = this.socket
    this.connect()
    this.status = 'connecting'
    closeSocket(previous)
  }

  /** Send a command and return the sequence number of its reply. It is repeated, with the same id, until it is answered. */
  send(command: Command): Promise<number> {
    const id = randomId()
    const forRoll = this.seeds && ROLL_COMMANDS.has(command.command) ? { for_roll: this.seeds.roll } : {}
    const frame = JSON.stringify({ id, ...forRoll, ...command })
    return new Promise<number>((resolve, reject) => {
      this.pendingCommands.set(id, { frame, resolve, reject })
      if (this.status === 'live') this.transmit(id, frame)
    })
  }

  /** Wait until the view includes an event. A reply arrives before the view that shows its effect. */
  async viewReached(sequence: number): Promise<void> {
    if ((this.view?.sequence ?? 0) >= sequence) return
    await new Promise<void>((resolve) => this.viewWaiters.push({ sequence, resolve }))
  }

  /** Send a frame. If no reply comes, the connection is dead: close it, so that a new one is made. */
  private transmit(id: string, frame: string): void {
    const { socket } = this
    socket?.send(frame)
    setTimeout(() => this.pendingCommands.has(id) && this.socket === socket && socket?.close(), REPLY_TIMEOUT_MS)
  }

  private retryLater(retry: () => void): void {
    if (this.isClosed) return
    this.status = 'away'
    clearTimeout(this.timer)
    this.retry = retry
    this.timer = setTimeout(retry, RECONNECT_DELAYS_MS[Math.min(this.attempts++, RECONNECT_DELAYS_MS.length - 1)])
  }

  /** Retry at once when the browser reports that the network is back. */
  private readonly retryNow = (): void => {
    if (this.status !== 'away' || !this.retry) return
    clearTimeout(this.timer)
    this.retry()
  }

  /** Close the table and return true if the error is permanent. */
  private closeIfFinal(error: RequestError): boolean {
    const isFinal = error.status >= 400 && error.status < 429
    if (isFinal) {
      this.error = error.body
      this.status = 'closed'
      this.isClosed = true
    }
    return isFinal
  }

  /** A failed WebSocket handshake has no error message, so ask for one over HTTP. */
  private async checkTable(): Promise<void> {
    try {
      await get(withQuery(`/api/tables/${this.id}`, { invitation: this.invitation }))
    } catch (error) {
      if (error instanceof RequestError && this.closeIfFinal(error)) return
    }
    this.retryLater(() => this.connect())
  }

  private connect(): void {
    const path = withQuery(`/api/tables/${this.id}/ws`, {
      after: this.lastSequence,
      view: 1,
      invitation: this.invitation,
    })
    const socket = new WebSocket(path.replace(/^/, location.origin.replace(/^http/, 'ws')))
    const rollBefore = this.seeds?.roll ?? 0
    let isOpen = false
    this.socket = socket
    this.caughtUp = false
    this.earlyView = null
    socket.onopen = () => (isOpen = true)
    socket.onmessage = ({ data }) => {
      if (this.isClosed || this.socket !== socket) return
      try {
        this.onFrame(JSON.parse(data as string) as Frame, rollBefore)
      } catch (error) {
        this.fail(error)
      }
    }
    socket.onclose = () => {
      if (this.socket !== socket || this.isClosed) return
      if (isOpen) this.retryLater(() => this.connect())
      else void this.checkTable()
    }
  }

  /** Report a bug in this page or in the server, and reconnect. */
  private fail(error: unknown): void {
    console.error(error)
    this.error = { code: 'internal_error', message: String(error instanceof Error ? error.message : error) }
    this.socket?.close()
  }

  private onFrame(frame: Frame, rollBefore: number): void {
    if (frame.event) this.onEventFrame(frame.event)
    else if (frame.view) this.onView(frame.view)
    else if (frame.caught_up) this.onCaughtUp(rollBefore)
    else if (frame.reply_to !== undefined) this.onReply(frame)
  }

  private onCaughtUp(rollBefore: number): void {
    if (this.attempts) this.onreconnect?.((this.seeds?.roll ?? rollBefore) - rollBefore)
    this.attempts = 0
    this.status = 'live'
    this.error = null
    this.caughtUp = true
    for (const [id, { frame }] of this.pendingCommands) this.transmit(id, frame)
    this.sendSeedCommand()
  }

  /** Show a view, or keep it until the events that led to it have arrived. */
  private onView(view: TableView): void {
    this.earlyView = view.sequence > this.lastSequence ? view : null
    if (this.earlyView) return
    this.view = view
    this.clockOffsetMs = view.now_ms - Date.now()
    for (const waiter of this.viewWaiters) if (waiter.sequence <= view.sequence) waiter.resolve()
    this.viewWaiters = this.viewWaiters.filter((waiter) => waiter.sequence > view.sequence)
    // A player who has just joined must commit to a seed.
    if (this.caughtUp) this.sendSeedCommand()
  }

  private onEventFrame(event: TableEvent): void {
    if (event.sequence <= this.lastSequence) return
    this.lastSequence = event.sequence
    this.events = [...this.events.slice(-MAX_EVENTS), event]
    this.seeds?.onEvent(event, false)
    if (this.caughtUp) this.sendSeedCommand()
    this.onevent?.(event, this.caughtUp)
    if (this.earlyView) this.onView(this.earlyView)
  }

  /** Commit to the client seed or open it, if either is due. */
  private sendSeedCommand(): void {
    const { seeds, view } = this
    const seat = view?.seats.find(({ player }) => player === view.you)
    const command = seeds?.nextCommand(view?.you ?? null, seat !== undefined && !seat.is_departing)
    if (!command) return
    this.send(command).then(
      () => seeds?.onAccepted(command),
      (error: RequestError) => seeds?.onRefused(command, error.code),
    )
  }

  private onReply(frame: Frame): void {
    const id = frame.reply_to ?? ''
    const pending = this.pendingCommands.get(id)
    if (!pending) return
    if (!frame.ok && frame.error && RETRY_CODES.has(frame.error.code)) {
      const resend = () => this.pendingCommands.has(id) && this.status === 'live' && this.transmit(id, pending.frame)
      setTimeout(resend, frame.error.retry_after_ms ?? 500)
      return
    }
    this.pendingCommands.delete(id)
    if (frame.ok) pending.resolve(frame.sequence ?? 0)
    else pending.reject(new RequestError(frame.error ?? { code: 'unknown', message: 'Refused.' }, 409))
  }

  /** Return why a spot takes no bets now, or null if it does. */
  refusal(spot: string): Refusal | null {
    return this.view?.closed_spots.find(({ spots }) => spots.includes(spot)) ?? null
  }

  legalActions(verb: string): LegalAction[] {
    return this.view?.legal_actions.filter((action) => action.verb === verb) ?? []
  }
}

/** Close a socket. Closing one that is still connecting logs a browser error, so wait until it is open. */
function closeSocket(socket: WebSocket | null): void {
  if (socket?.readyState === WebSocket.CONNECTING) socket.onopen = () => socket.close()
  else socket?.close()
}

interface Frame {
  event?: TableEvent
  view?: TableView
  caught_up?: boolean
  reply_to?: string
  ok?: boolean
  sequence?: number
  error?: ErrorBody
}
