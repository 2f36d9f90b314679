// A player's hands: puts chips down, presses, takes down, undoes, repeats. The server says what may be done.

import { kindOf } from '../felt/spots'
import { Refused } from './api'
import { sound } from './sound'
import { payingAmounts } from './spot'
import type { Table, Wish } from './table.svelte'
import type { ApiError, Chip, Choice, Stakes } from './types'

export interface Bubble {
  spot: string
  error: ApiError
  /** Amounts that the spot takes and pays exactly. */
  amounts: number[]
}

interface Put {
  spot: string
  cents: number
}

export class Hands {
  bubble = $state.raw<Bubble | null>(null)
  /** What takes back each thing that was done since the last throw, the latest last. */
  undoable = $state.raw<Wish[]>([])
  private last: Put[] = $state.raw([])

  /** `before` is done before anything is asked for: whoever bets has seen enough of the last throw. */
  constructor(
    private readonly table: Table,
    private readonly before: () => void = () => {},
  ) {}

  get canRepeat(): boolean {
    return this.last.length > 0
  }

  /** One's own wagers on a spot, odds that stand beside them included. */
  mine(spot: string): Chip[] {
    const { view } = this.table
    const own = view?.chips.filter((chip) => chip.player === view.you) ?? []
    const here = own.filter((chip) => chip.spot === spot)
    return [...here, ...own.filter((chip) => chip.on !== null && here.some((base) => base.tag === chip.on))]
  }

  /** Put chips on a spot: a bet, more on one that is there, or odds behind one that takes them. */
  async put(spot: string, cents: number): Promise<boolean> {
    const wish = this.plan(spot, cents)
    sound('chip')
    return this.ask(wish, spot)
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
    const up = view.chips.find((chip) => chip.player === view.you && chip.on !== null && (isOdds ? chip.spot === spot : !drawn && here.has(chip.on)))
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
    const mine = this.mine(spot)
    const chip = mine.findLast((one) => this.choice('take_down', (choice) => choice.tag === one.tag)) ?? mine.at(-1)
    return chip ? this.ask({ wish: 'take_down', tag: chip.tag }, spot) : false
  }

  /** Take down everything that may come down. */
  async allDown(): Promise<void> {
    for (const choice of this.table.choices('take_down').reverse()) await this.ask({ wish: 'take_down', tag: choice.tag ?? '' }, choice.spot ?? '')
  }

  /** Call a spot's wagers on where they are off, and off where they are on. */
  async turn(spot: string): Promise<void> {
    const tags = new Set(this.mine(spot).map((chip) => chip.tag))
    const found = this.table.view?.choices.filter((choice) => choice.do.startsWith('call_') && tags.has(choice.tag ?? '')) ?? []
    for (const choice of found) await this.ask({ wish: 'call', tag: choice.tag ?? '', call: choice.do.slice(5) }, spot)
  }

  /** Call everything off that is on; when nothing is, on. */
  async allOff(): Promise<void> {
    const off = this.table.choices('call_off')
    const found = off.length ? off : this.table.choices('call_on')
    for (const choice of found) await this.ask({ wish: 'call', tag: choice.tag ?? '', call: choice.do.slice(5) }, choice.spot ?? '')
  }

  async undo(): Promise<void> {
    const wish = this.undoable.at(-1)
    if (!wish) return
    const rest = this.undoable.slice(0, -1)
    await this.ask(wish, this.spotOf(wish), true)
    this.undoable = rest
  }

  /** Bet again what was up for the last throw and is gone. */
  async repeat(): Promise<void> {
    for (const { spot, cents } of this.last) {
      if (!this.mine(spot).length && !this.table.refusal(spot)) await this.ask({ wish: 'bet', spot, cents }, spot)
    }
  }

  /** A throw is coming: what is done now cannot be undone, and may be repeated. */
  rolled(): void {
    const { view } = this.table
    const mine = view?.chips.filter((chip) => chip.player === view.you && chip.on === null) ?? []
    if (mine.length) this.last = mine.map((chip) => ({ spot: /^(dont_)?come:/.test(chip.spot) ? kindOf(chip.spot) : chip.spot, cents: chip.stake }))
    this.undoable = []
    this.bubble = null
  }

  async wish(wish: Wish, spot = ''): Promise<boolean> {
    return this.ask(wish, spot, true)
  }

  private async ask(wish: Wish, spot: string, quiet = false): Promise<boolean> {
    this.before()
    this.bubble = null
    const back = quiet ? null : this.inverse(wish)
    try {
      const sequence = await this.table.wish(wish)
      const undo = wish.wish === 'bet' && !quiet ? this.made(sequence) : back
      if (undo) this.undoable = [...this.undoable, undo]
      return true
    } catch (error) {
      if (!(error instanceof Refused)) throw error
      this.bubble = { spot, error: error.error, amounts: this.amounts(spot) }
      return false
    }
  }

  private made(sequence: number): Wish | null {
    const you = this.table.view?.you
    const made = this.table.events.findLast((event) => event.kind === 'made' && event.number <= sequence && event.body['player'] === you)
    return made ? { wish: 'take_down', tag: made.body['tag'] as string } : null
  }

  private inverse(wish: Wish): Wish | null {
    const chip = this.table.view?.chips.find((one) => one.tag === wish['tag'])
    if (!chip) return null
    if (wish.wish === 'press') return { wish: 'reduce', tag: chip.tag, to: chip.stake }
    if (wish.wish === 'reduce') return { wish: 'press', tag: chip.tag, to: chip.stake }
    if (wish.wish === 'take_down') return { wish: 'bet', spot: chip.spot, cents: chip.stake, ...(chip.on === null ? {} : { on: chip.on }) }
    if (wish.wish === 'call') return { wish: 'call', tag: chip.tag, call: wish['call'] === 'on' ? 'off' : 'on' }
    return null
  }

  private spotOf(wish: Wish): string {
    return (wish['spot'] as string | undefined) ?? this.table.view?.chips.find((chip) => chip.tag === wish['tag'])?.spot ?? ''
  }

  private amounts(spot: string): number[] {
    const stakes = this.oddsOn(spot)?.stakes ?? this.table.spots.get(spot)?.stakes
    return stakes ? payingAmounts(stakes) : []
  }
}
