// A table one is at: the socket, what it told, what one wishes for. It heals itself when the connection is lost.

import { get, query, Refused } from './api'
import { Keeper } from '../fair/keeper'
import type { ApiError, Chip, Choice, Felt, Refusal, Spot, TableEvent, View } from './types'

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
/** The server asks to try these again. */
const LATER = new Set(['too_often', 'unavailable', 'elsewhere'])

export class Table {
  felt = $state.raw<Felt | null>(null)
  view = $state.raw<View | null>(null)
  events = $state.raw<TableEvent[]>([])
  status = $state<Status>('connecting')
  error = $state<ApiError | null>(null)
  /** Rolls that happened while the connection was away. */
  missed = $state(0)
  /** Wishes that were sent and not answered, for what is drawn before the server says yes. */
  sent = $state.raw<Wish[]>([])
  keeper: Keeper | null = null
  /** Told of every new event in order, after it was taken in. */
  onevent: ((event: TableEvent, live: boolean) => void) | null = null

  /** How far the server's clock is ahead of this one. */
  ahead = 0

  private socket: WebSocket | null = null
  private waiting = new Map<string, Waiting>()
  /** Wishes that were granted and are not in the view yet, and the event that will show them. */
  private granted = new Map<Wish, number>()
  private early: View | null = null
  private last = 0
  private tries = 0
  private caughtUp = false
  private timer: ReturnType<typeof setTimeout> | undefined
  private over = false

  constructor(
    readonly id: string,
    readonly invitation: string | null,
  ) {}

  get spots(): Map<string, Spot> {
    return new Map(this.felt?.layout.spots.map((spot) => [spot.spot, spot]) ?? [])
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
      this.connect()
    } catch (error) {
      if (error instanceof Refused && error.status >= 400 && error.status < 429) {
        this.error = error.error
        this.status = 'closed'
        return
      }
      this.again(() => void this.open())
    }
  }

  close(): void {
    this.over = true
    clearTimeout(this.timer)
    this.socket?.close()
  }

  /** Say anew who one is, after coming in as somebody. */
  comeAgain(): void {
    this.status = 'connecting'
    this.socket?.close()
  }

  /** Wish for something; it is asked again, under the same id, until it is answered. */
  wish(wish: Wish): Promise<number> {
    const id = newId()
    const frame = JSON.stringify({ id, ...wish })
    this.sent = [...this.sent, wish]
    const answer = new Promise<number>((granted, refused) => {
      this.waiting.set(id, { frame, granted, refused })
      if (this.status === 'live') this.socket?.send(frame)
    })
    answer.then(
      (sequence) => this.drawn(wish, sequence),
      () => this.forget(wish),
    )
    return answer
  }

  /** A yes comes before the view that shows it: until then a wish stays drawn as it was sent. */
  private drawn(wish: Wish, sequence: number): void {
    if ((this.view?.sequence ?? 0) >= sequence) this.forget(wish)
    else this.granted.set(wish, sequence)
  }

  private forget(wish: Wish): void {
    this.sent = this.sent.filter((one) => one !== wish)
  }

  private again(what: () => void): void {
    if (this.over) return
    this.status = 'away'
    clearTimeout(this.timer)
    this.timer = setTimeout(what, AGAIN_MS[Math.min(this.tries++, AGAIN_MS.length - 1)])
  }

  private connect(): void {
    const path = query(`/api/tables/${this.id}/ws`, { after: this.last, view: 1, invitation: this.invitation })
    const socket = new WebSocket(path.replace(/^/, location.origin.replace(/^http/, 'ws')))
    const rolls = this.keeper?.roll ?? 0
    this.socket = socket
    this.caughtUp = false
    this.early = null
    socket.onmessage = ({ data }) => {
      try {
        this.take(JSON.parse(data as string) as Frame, rolls)
      } catch (error) {
        this.fail(error)
      }
    }
    socket.onclose = () => {
      if (this.socket === socket) this.again(() => this.connect())
    }
  }

  private fail(error: unknown): void {
    this.error = { code: 'fault', sentence: String(error instanceof Error ? error.message : error) }
    this.socket?.close()
  }

  private take(frame: Frame, rolls: number): void {
    if (frame.event) this.hear(frame.event)
    else if (frame.view) this.show(frame.view)
    else if (frame.caught_up) this.resume(rolls)
    else if (frame.answer !== undefined) this.answered(frame)
  }

  private resume(rolls: number): void {
    if (this.tries) this.missed = (this.keeper?.roll ?? rolls) - rolls
    this.tries = 0
    this.status = 'live'
    this.error = null
    this.caughtUp = true
    for (const { frame } of this.waiting.values()) this.socket?.send(frame)
    this.seed()
  }

  /** A seat that was just taken has a seed to promise. */
  private show(view: View): void {
    // A view may run ahead of the events that led to it: what a throw did must not be seen before the throw.
    this.early = view.sequence > this.last ? view : null
    if (this.early) return
    this.view = view
    this.ahead = view.now_ms - Date.now()
    for (const [wish, sequence] of this.granted) {
      if (view.sequence < sequence) continue
      this.granted.delete(wish)
      this.forget(wish)
    }
    if (this.caughtUp) this.seed()
  }

  private hear(event: TableEvent): void {
    if (event.number <= this.last) return
    this.last = event.number
    this.events = [...this.events.slice(-KEPT_EVENTS), event]
    this.keeper?.hear(event, false)
    if (this.caughtUp) this.seed()
    this.onevent?.(event, this.caughtUp)
    if (this.early) this.show(this.early)
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
      setTimeout(() => this.waiting.has(id) && this.status === 'live' && this.socket?.send(waiting.frame), frame.error.wait_ms ?? 500)
      return
    }
    this.waiting.delete(id)
    if (frame.ok) waiting.granted(frame.sequence ?? 0)
    else waiting.refused(new Refused(frame.error ?? { code: 'unknown', sentence: 'Refused.' }, 409))
  }

  // ------------------------------------------------------------------------------------------- reading

  chipsOn(spot: string): Chip[] {
    return this.view?.chips.filter((chip) => chip.spot === spot) ?? []
  }

  refusal(spot: string): Refusal | null {
    return this.view?.closed.find((one) => one.spots.includes(spot)) ?? null
  }

  choices(what: string): Choice[] {
    return this.view?.choices.filter((choice) => choice.do === what) ?? []
  }
}

/** An id for a wish; browsers make their own kind only for pages that came over https. */
const newId = (): string => crypto.getRandomValues(new Uint32Array(4)).reduce((id, part) => id + part.toString(36), '')

interface Frame {
  event?: TableEvent
  view?: View
  caught_up?: boolean
  answer?: string
  ok?: boolean
  sequence?: number
  error?: ApiError
}
