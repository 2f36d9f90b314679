// A player's hands: put chips down, press, take down, undo, repeat. The server says what may be done.

import { kindOf } from '../felt/spots'
import { Refused } from './api'
import { sound } from './sound'
import { payingAmounts } from './spot'
import type { Table, Wish } from './table.svelte'
import type { ApiError, Chip, Choice, Stakes } from './types'

export interface Bubble {
  spot: string
  error: ApiError
  /** Amounts that the spot takes and pays exactly, and the rack has. */
  amounts: number[]
}

/** Chips that were put somewhere and are not on the server's felt yet. */
export interface Put {
  spot: string
  cents: number
}

/** A step of taking something back. A wager that is put up again has a new tag; `was` is the one it had. */
interface Step {
  wish: Wish
  was?: string
}

/** What was up for a throw, where it is bet. */
interface Up extends Put {
  tag: string
}

/** A no, and the spot of the wager it is about. */
type No = ApiError & { spot: string }

const AWAY: ApiError = { code: 'away', sentence: 'There is no connection: nothing was changed.' }

export class Hands {
  bubble = $state.raw<Bubble | null>(null)
  /** What takes back each thing that was done since the last throw, the latest last. */
  undoable = $state.raw<Step[][]>([])
  puts = $state.raw<Put[]>([])
  private last: Up[] = $state.raw([])
  private turn: Promise<unknown> = Promise.resolve()
  private throws = 0

  /** `before` is done before anything is asked for: whoever bets has seen enough of the last throw. */
  constructor(
    private readonly table: Table,
    private readonly before: () => void = () => {},
  ) {}

  get canRepeat(): boolean {
    return this.last.length > 0
  }

  /** Wait until everything that was asked for is answered and seen. */
  async rest(): Promise<void> {
    await this.turn
  }

  /** One's own wagers on a spot, odds that stand beside them included. */
  mine(spot: string): Chip[] {
    const here = this.own.filter((chip) => chip.spot === spot)
    return [...here, ...this.own.filter((chip) => chip.on !== null && here.some((base) => base.tag === chip.on))]
  }

  private get own(): Chip[] {
    const { view } = this.table
    return view?.chips.filter((chip) => chip.player === view.you) ?? []
  }

  // ------------------------------------------------------------------------------------------- betting

  /** Put chips on a spot: a bet, more on one that is there, or odds behind one that takes them. */
  async put(spot: string, cents: number): Promise<boolean> {
    const put = { spot, cents }
    sound('chip')
    this.puts = [...this.puts, put]
    try {
      return await this.inTurn(spot, () => this.ask([this.plan(spot, cents)]))
    } finally {
      this.puts = this.puts.filter((one) => one !== put)
    }
  }

  private plan(spot: string, cents: number): Wish {
    const odds = this.oddsOn(spot)
    if (odds) {
      const press = this.choice('press', (choice) => this.isOddsOf(choice, odds.on))
      return press && !odds.isNew ? this.press(press, cents) : { wish: 'bet', spot: odds.spot, cents, on: odds.on }
    }
    const mine = this.mine(spot)
    const press = this.choice('press', (choice) => mine.some((chip) => chip.tag === choice.tag && chip.on === null))
    return press ? this.press(press, cents) : { wish: 'bet', spot, cents }
  }

  private press(choice: Choice, cents: number): Wish {
    const chip = this.table.view?.chips.find((one) => one.tag === choice.tag)
    return { wish: 'press', tag: choice.tag, to: (chip?.stake ?? 0) + cents }
  }

  /** Odds that a click on a spot means: those of the spot itself, or behind a wager that stands there. */
  oddsOn(spot: string): { spot: string; on: string; isNew: boolean; stakes: Stakes | null } | null {
    const { view } = this.table
    if (!view) return null
    const isOdds = kindOf(spot).endsWith('_odds')
    const here = new Set(this.mine(spot).map((chip) => chip.tag))
    const drawn = this.table.felt?.layout.spots.some((one) => one.spot === `${kindOf(spot)}_odds`) && kindOf(spot) === 'pass'
    const bets = view.choices.filter((choice) => choice.do === 'bet' && choice.on !== null)
    const found = bets.find((choice) => (isOdds ? choice.spot === spot : !drawn && here.has(choice.on ?? '')))
    if (found?.spot && found.on) return { spot: found.spot, on: found.on, isNew: !this.hasOdds(found.on), stakes: found.stakes }
    const up = this.own.find((chip) => chip.on !== null && (isOdds ? chip.spot === spot : !drawn && here.has(chip.on)))
    return up?.on ? { spot: up.spot, on: up.on, isNew: false, stakes: null } : null
  }

  private hasOdds(tag: string): boolean {
    return this.table.view?.chips.some((chip) => chip.on === tag) ?? false
  }

  private isOddsOf(choice: Choice, on: string): boolean {
    return this.table.view?.chips.some((chip) => chip.tag === choice.tag && chip.on === on) ?? false
  }

  private choice(what: string, is: (choice: Choice) => boolean): Choice | undefined {
    return this.table.view?.choices.find((choice) => choice.do === what && is(choice))
  }

  /** Take down what was put on a spot last. */
  async takeDown(spot: string): Promise<boolean> {
    return this.inTurn(spot, () => {
      const mine = this.mine(spot)
      const chip = mine.findLast((one) => this.choice('take_down', (choice) => choice.tag === one.tag)) ?? mine.at(-1)
      return this.ask(chip ? [{ wish: 'take_down', tag: chip.tag }] : [])
    })
  }

  /** Take down everything that may come down. */
  async allDown(): Promise<boolean> {
    return this.inTurn('', () => this.ask(this.table.choices('take_down').reverse().map(({ tag }) => ({ wish: 'take_down', tag }))))
  }

  /** Do one thing to a wager, as it is written on a card; gives the no. */
  async act(wish: Wish): Promise<ApiError | null> {
    return this.queue(() => this.ask([wish]))
  }

  // ------------------------------------------------------------------------------------------- calling

  /** Call a spot's wagers on where they are off, and off where they are on. */
  async call(spot: string): Promise<boolean> {
    return this.inTurn(spot, () => this.ask([...this.calls('off', this.mine(spot)), ...this.calls('on', this.mine(spot))]))
  }

  /** What calling everything would say: off where anything works that can be called off, or else on. */
  get allCall(): 'off' | 'on' | null {
    return this.calls('off').length ? 'off' : this.calls('on').length ? 'on' : null
  }

  async callAll(): Promise<boolean> {
    return this.inTurn('', () => this.ask(this.allCall ? this.calls(this.allCall) : []))
  }

  private calls(call: 'on' | 'off', chips: Chip[] = this.own): Wish[] {
    const turned = chips.filter((chip) => chip.working === (call === 'off') && this.choice(`call_${call}`, ({ tag }) => tag === chip.tag))
    return turned.map(({ tag }) => ({ wish: 'call', tag, call }))
  }

  // ---------------------------------------------------------------------------------- undo and repeat

  async undo(): Promise<boolean> {
    return this.inTurn('', async () => {
      const steps = this.undoable.at(-1) ?? []
      const tags = new Map<string, string>()
      this.undoable = this.undoable.slice(0, -1)
      for (const { wish, was } of steps) {
        const spot = this.spotOf(wish)
        const { error, made } = await this.send(renamed(wish, tags))
        if (error) return { ...error, spot }
        if (was && made[0]) tags.set(was, made[0])
      }
      this.undoable = this.undoable.map((earlier) => earlier.map((step) => ({ ...step, wish: renamed(step.wish, tags) })))
      return null
    })
  }

  /** Bet again what was up for the last throw and is gone. */
  async repeat(): Promise<boolean> {
    return this.inTurn('', () => {
      const gone = this.last.filter(({ tag }) => !this.own.some((chip) => chip.tag === tag))
      const cents = new Map<string, number>()
      for (const one of gone) cents.set(one.spot, (cents.get(one.spot) ?? 0) + one.cents)
      const open = [...cents].filter(([spot]) => !this.mine(spot).length && !this.table.refusal(spot))
      return this.ask(open.map(([spot, sum]) => ({ wish: 'bet', spot, cents: sum })))
    })
  }

  /** A throw is coming: what is done now cannot be undone, and may be repeated. */
  rolled(): void {
    const mine = this.own.filter((chip) => chip.on === null)
    if (mine.length) this.last = mine.map((chip) => ({ tag: chip.tag, spot: chip.home, cents: chip.stake }))
    this.undoable = []
    this.bubble = null
    this.throws++
  }

  // -------------------------------------------------------------------------------------------- asking

  /** One thing after the other, each planned when the one before it is seen: two clicks never mean the same chips. */
  private queue<T>(work: () => Promise<T>): Promise<T> {
    this.before()
    this.bubble = null
    const done = this.turn.then(work)
    this.turn = done.catch(() => {})
    return done
  }

  /** Do something in its turn; a no is shown at the spot it was about. */
  private async inTurn(spot: string, work: () => Promise<No | null>): Promise<boolean> {
    const no = await this.queue(work)
    const where = spot || (no?.spot ?? '')
    if (no) this.bubble = { spot: where, error: no, amounts: this.amounts(where) }
    return no === null
  }

  /** Ask for things in order until one is refused; what was granted can be undone together. */
  private async ask(wishes: Wish[]): Promise<No | null> {
    const { throws } = this
    let no: No | null = null
    const back: Step[] = []
    for (const wish of wishes) {
      const spot = this.spotOf(wish)
      const inverse = this.inverse(wish)
      const { error, made } = await this.send(wish)
      if (error) {
        no = { ...error, spot }
        break
      }
      back.unshift(...made.map((tag) => ({ wish: { wish: 'take_down', tag } })), ...inverse)
    }
    if (back.length && throws === this.throws) this.undoable = [...this.undoable, back]
    return no
  }

  /** Send one wish and wait until the felt shows what came of it; gives the tags of wagers that were made. */
  private async send(wish: Wish): Promise<{ error: ApiError | null; made: string[] }> {
    if (this.table.status !== 'live') return { error: AWAY, made: [] }
    try {
      const sequence = await this.table.wish(wish)
      await this.table.seen(sequence)
      return { error: null, made: wish.wish === 'bet' ? this.made(sequence) : [] }
    } catch (error) {
      if (!(error instanceof Refused)) throw error
      return { error: error.error, made: [] }
    }
  }

  /** The wagers that a bet became: several where the dealer splits it. */
  private made(sequence: number): string[] {
    const you = this.table.view?.you
    const made = this.table.events.filter((event) => event.kind === 'made' && event.number <= sequence && event.body['player'] === you)
    const last = made.at(-1)?.body
    if (!last) return []
    const parts = last['part_of'] ? made.filter(({ body }) => body['part_of'] === last['part_of']) : made.slice(-1)
    return parts.map(({ body }) => String(body['tag']))
  }

  /** What takes a change of a wager back. Odds come down with their wager, and go up again behind it. */
  private inverse(wish: Wish): Step[] {
    const chip = this.own.find((one) => one.tag === wish['tag'])
    if (!chip) return []
    const { tag, stake } = chip
    if (wish.wish === 'press') return [{ wish: { wish: 'reduce', tag, to: stake } }]
    if (wish.wish === 'reduce') return [{ wish: { wish: 'press', tag, to: stake } }]
    if (wish.wish === 'call') return [{ wish: { wish: 'call', tag, call: wish['call'] === 'on' ? 'off' : 'on' } }]
    // A wager that travelled cannot be put where it stood.
    if (wish.wish !== 'take_down' || chip.home !== chip.spot) return []
    return [chip, ...this.own.filter((one) => one.on === tag)].map((one) => ({
      wish: { wish: 'bet', spot: one.spot, cents: one.stake, ...(one.on === null ? {} : { on: one.on }) },
      was: one.tag,
    }))
  }

  private spotOf(wish: Wish): string {
    return (wish['spot'] as string | undefined) ?? this.own.find((chip) => chip.tag === wish['tag'])?.spot ?? ''
  }

  private amounts(spot: string): number[] {
    const { view } = this.table
    const rack = view?.seats.find((seat) => seat.player === view.you)?.rack ?? 0
    const stakes = this.oddsOn(spot)?.stakes ?? this.table.spots.get(spot)?.stakes
    return stakes ? payingAmounts(stakes).filter((cents) => cents <= rack) : []
  }
}

function renamed(wish: Wish, tags: Map<string, string>): Wish {
  const now = (tag: unknown) => tags.get(String(tag)) ?? tag
  return { ...wish, ...('tag' in wish ? { tag: now(wish['tag']) } : {}), ...('on' in wish ? { on: now(wish['on']) } : {}) }
}
