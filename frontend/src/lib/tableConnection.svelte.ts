// A table one is at: the socket, what it told, what one wishes for. It heals itself when the connection is lost.

import { get, query, Refused } from './api'
import { Keeper } from '../fair/keeper'
import { newId } from './id'
import terms from './terms.json'
import type { ApiError, Choice, Felt, Refusal, Spot, TableEvent, View } from './types'

export type Status = 'connecting' | 'live' | 'away' | 'closed'
export type Wish = Record<string, unknown> & { wish: string }

interface Waiting {
  frame: string
  granted: (sequence: number) => void
  refused: (error: Refused) => void
}

const KEPT_EVENTS = 600
const PAST_ROWS = 400
const AGAIN_MS = [200, 400, 800, 1500, 3000]
const UNHEARD_MS = 8000
/** What is no answer for good: the server asks to try again, under the same id. */
const LATER = new Set(terms.ask_again)

export class Table {
  felt = $state.raw<Felt | null>(null)
  view = $state.raw<View | null>(null)
  events = $state.raw<TableEvent[]>([])
  status = $state<Status>('connecting')
  error = $state<ApiError | null>(null)
  readonly spots = $derived(new Map<string, Spot>(this.felt?.layout.spots.map((spot) => [spot.spot, spot]) ?? []))
  keeper: Keeper | null = null
  /** Told of every new event in order, after it was taken in; and of the last throw, when one comes to a table. */
  onevent: ((event: TableEvent, live: boolean) => void) | null = null
  /** Told how many rolls happened while the connection was away. */
  onback: ((missed: number) => void) | null = null

  /** How far the server's clock is ahead of this one. */
  ahead = 0

  private socket: WebSocket | null = null
  private waiting = new Map<string, Waiting>()
  /** Who waits for a view, and the event that it has to show. */
  private lookout: { sequence: number; seen: () => void }[] = []
  private early: View | null = null
  private last = 0
  private tries = 0
  private caughtUp = false
  private timer: ReturnType<typeof setTimeout> | undefined
  private retry: (() => void) | null = null
  private over = false

  constructor(
    readonly id: string,
    readonly invitation: string | null,
  ) {
    addEventListener('online', this.hurry)
  }

  async open(): Promise<void> {
    try {
      const felt = await get<Felt>(query(`/api/tables/${this.id}`, { invitation: this.invitation }))
      const after = Math.max(0, felt.sequence - PAST_ROWS)
      const [past, keeper] = await Promise.all([
        get<{ rows: TableEvent[] }>(query(`/api/tables/${this.id}/rows`, { after, limit: 1000, invitation: this.invitation })),
        this.keeper ?? Keeper.join(this.id, felt.roll.number, this.invitation),
      ])
      if (this.over) return
      this.keeper = keeper
      this.events = past.rows
      this.last = past.rows.at(-1)?.number ?? felt.sequence
      for (const event of past.rows) keeper.hear(event, true)
      this.felt = felt
      const last = past.rows.findLast((event) => event.kind === 'rolled')
      if (last) this.onevent?.(last, false)
      this.connect()
    } catch (error) {
      if (!(error instanceof Refused)) this.fail(error)
      if (!(error instanceof Refused && this.isShut(error))) this.again(() => void this.open())
    }
  }

  close(): void {
    this.over = true
    clearTimeout(this.timer)
    removeEventListener('online', this.hurry)
    end(this.socket)
  }

  /** Say anew who one is, after coming in as somebody. */
  comeAgain(): void {
    const before = this.socket
    this.connect()
    this.status = 'connecting'
    end(before)
  }

  /** Wish for something; it is asked again, under the same id, until it is answered. */
  wish(wish: Wish): Promise<number> {
    const id = newId()
    const frame = JSON.stringify({ id, ...wish })
    return new Promise<number>((granted, refused) => {
      this.waiting.set(id, { frame, granted, refused })
      if (this.status === 'live') this.ask(id, frame)
    })
  }

  /** Wait until the view shows what happened up to an event: a yes comes before the view that shows it. */
  async seen(sequence: number): Promise<void> {
    if ((this.view?.sequence ?? 0) >= sequence) return
    await new Promise<void>((seen) => this.lookout.push({ sequence, seen }))
  }

  /** Send a wish. A connection may be dead without a word: then it stays unanswered, and another one is made. */
  private ask(id: string, frame: string): void {
    const { socket } = this
    socket?.send(frame)
    setTimeout(() => this.waiting.has(id) && this.socket === socket && socket?.close(), UNHEARD_MS)
  }

  private again(what: () => void): void {
    if (this.over) return
    this.status = 'away'
    clearTimeout(this.timer)
    this.retry = what
    this.timer = setTimeout(what, AGAIN_MS[Math.min(this.tries++, AGAIN_MS.length - 1)])
  }

  /** The network is back: do not wait. */
  private readonly hurry = (): void => {
    if (this.status !== 'away' || !this.retry) return
    clearTimeout(this.timer)
    this.retry()
  }

  /** Say that a table cannot be come to, if the server says so for good. */
  private isShut(error: Refused): boolean {
    const isFinal = error.status >= 400 && error.status < 429
    if (isFinal) {
      this.error = error.error
      this.status = 'closed'
      this.over = true
    }
    return isFinal
  }

  /** A connection that was never made is asked for over HTTP, where a no has words. */
  private async knock(): Promise<void> {
    try {
      await get(query(`/api/tables/${this.id}`, { invitation: this.invitation }))
    } catch (error) {
      if (error instanceof Refused && this.isShut(error)) return
    }
    this.again(() => this.connect())
  }

  private connect(): void {
    const path = query(`/api/tables/${this.id}/ws`, { after: this.last, view: 1, invitation: this.invitation })
    const socket = new WebSocket(path.replace(/^/, location.origin.replace(/^http/, 'ws')))
    const rolls = this.keeper?.roll ?? 0
    let isOpen = false
    this.socket = socket
    this.caughtUp = false
    this.early = null
    socket.onopen = () => (isOpen = true)
    socket.onmessage = ({ data }) => {
      if (this.over || this.socket !== socket) return
      try {
        this.take(JSON.parse(data as string) as Frame, rolls)
      } catch (error) {
        this.fail(error)
      }
    }
    socket.onclose = () => {
      if (this.socket !== socket || this.over) return
      if (isOpen) this.again(() => this.connect())
      else void this.knock()
    }
  }

  /** A frame that cannot be taken in is a fault of this page or of the server: say so, and come anew. */
  private fail(error: unknown): void {
    console.error(error)
    this.error = { code: 'fault', sentence: String(error instanceof Error ? error.message : error) }
    this.socket?.close()
  }

  private take(frame: Frame, rolls: number): void {
    if (frame.event) this.hear(frame.event)
    else if (frame.view) this.stand(frame.view)
    else if (frame.caught_up) this.resume(rolls)
    else if (frame.answer !== undefined) this.answered(frame)
  }

  private resume(rolls: number): void {
    if (this.tries) this.onback?.((this.keeper?.roll ?? rolls) - rolls)
    this.tries = 0
    this.status = 'live'
    this.error = null
    this.caughtUp = true
    for (const [id, { frame }] of this.waiting) this.ask(id, frame)
    this.seed()
  }

  /** Take in how the table stands. It may run ahead of the events that led to it, and then waits for them. */
  private stand(view: View): void {
    this.early = view.sequence > this.last ? view : null
    if (this.early) return
    this.view = view
    this.ahead = view.now_ms - Date.now()
    for (const one of this.lookout) if (one.sequence <= view.sequence) one.seen()
    this.lookout = this.lookout.filter((one) => one.sequence > view.sequence)
    // A seat that was just taken has a seed to promise.
    if (this.caughtUp) this.seed()
  }

  private hear(event: TableEvent): void {
    if (event.number <= this.last) return
    this.last = event.number
    this.events = [...this.events.slice(-KEPT_EVENTS), event]
    this.keeper?.hear(event, false)
    if (this.caughtUp) this.seed()
    this.onevent?.(event, this.caughtUp)
    if (this.early) this.stand(this.early)
  }

  /** Promise or open one's seed, where the dice ask for it. */
  private seed(): void {
    const { keeper, view } = this
    const seat = view?.seats.find((one) => one.player === view.you)
    const wish = keeper?.due(view?.you ?? null, seat !== undefined && !seat.leaving)
    if (!wish) return
    this.wish(wish).then(
      () => keeper?.granted(wish),
      (error: Refused) => keeper?.refused(wish, error.code),
    )
  }

  private answered(frame: Frame): void {
    const id = frame.answer ?? ''
    const waiting = this.waiting.get(id)
    if (!waiting) return
    if (!frame.ok && frame.error && LATER.has(frame.error.code)) {
      setTimeout(() => this.waiting.has(id) && this.status === 'live' && this.ask(id, waiting.frame), frame.error.wait_ms ?? 500)
      return
    }
    this.waiting.delete(id)
    if (frame.ok) waiting.granted(frame.sequence ?? 0)
    else waiting.refused(new Refused(frame.error ?? { code: 'unknown', sentence: 'Refused.' }, 409))
  }

  // ------------------------------------------------------------------------------------------- reading

  refusal(spot: string): Refusal | null {
    return this.view?.closed.find((one) => one.spots.includes(spot)) ?? null
  }

  choices(what: string): Choice[] {
    return this.view?.choices.filter((choice) => choice.do === what) ?? []
  }
}

/** End a connection; one that is still being made would complain, and is ended when it is there. */
function end(socket: WebSocket | null): void {
  if (socket?.readyState === WebSocket.CONNECTING) socket.onopen = () => socket.close()
  else socket?.close()
}

interface Frame {
  event?: TableEvent
  view?: View
  caught_up?: boolean
  answer?: string
  ok?: boolean
  sequence?: number
  error?: ApiError
}
