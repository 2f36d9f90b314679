// The user's bet actions: bet, press, take down, call on and off, undo, repeat. The server decides what is legal.

import { kindOf } from '../felt/spotGroups'
import { RequestError } from './api'
import type { ErrorBody, LegalAction, PlacedBet, StakeRange } from './serverTypes'
import { playSound } from './sound'
import { acceptedStakes, exactAmounts } from './spotCard'
import type { Command, TableConnection } from './tableConnection.svelte'

/** A refusal that is shown at a spot. */
export interface ShownRefusal {
  spot: string
  error: ErrorBody
  /** Amounts that the spot accepts and pays exactly, and that the rack can cover. */
  amounts: number[]
}

/** A bet that has been clicked but is not in the server's view yet. */
export interface PendingBet {
  spot: string
  cents: number
}

/** One command of an undo. A wager that is bet again gets a new tag; `oldTag` is the one it had before. */
interface UndoStep {
  command: Command
  oldTag?: string
}

/** A bet of the last roll, with the spot to bet it on again. */
interface PreviousBet extends PendingBet {
  tag: string
}

type SpotRefusal = ErrorBody & { spot: string }

const DISCONNECTED: ErrorBody = { code: 'disconnected', message: 'Not connected. Nothing was changed.' }

export class BetActions {
  refusal = $state.raw<ShownRefusal | null>(null)
  /** For each action since the last roll, the commands that undo it. The latest action is last. */
  undoable = $state.raw<UndoStep[][]>([])
  pending = $state.raw<PendingBet[]>([])
  private previousBets: PreviousBet[] = $state.raw([])
  private queueTail: Promise<unknown> = Promise.resolve()
  private rollCount = 0

  /** `onAction` is called before every action: a user who acts does not wait for the roll animation. */
  constructor(
    private readonly table: TableConnection,
    private readonly onAction: () => void = () => {},
  ) {}

  get canRepeat(): boolean {
    return this.previousBets.length > 0
  }

  /** Wait until every queued action has been answered and is in the view. */
  async settled(): Promise<void> {
    await this.queueTail
  }

  /** Return the user's bets on a spot, including the odds behind them. */
  ownBetsAt(spot: string): PlacedBet[] {
    const here = this.ownBets.filter((bet) => bet.spot === spot)
    return [
      ...here,
      ...this.ownBets.filter((bet) => bet.base_tag !== null && here.some(({ tag }) => tag === bet.base_tag)),
    ]
  }

  private get ownBets(): PlacedBet[] {
    const { view } = this.table
    return view?.bets.filter((bet) => bet.player === view.you) ?? []
  }

  // ---------------------------------------------------------------------------- betting

  /** Bet chips on a spot: make a bet, press the one that is there, or add odds to it. */
  async bet(spot: string, cents: number): Promise<boolean> {
    const pending = { spot, cents }
    playSound('chip')
    this.pending = [...this.pending, pending]
    try {
      return await this.enqueueAt(spot, () => this.sendAll([this.commandFor(spot, cents)]))
    } finally {
      this.pending = this.pending.filter((other) => other !== pending)
    }
  }

  private commandFor(spot: string, cents: number): Command {
    const odds = this.oddsAt(spot)
    if (odds) {
      const press = this.findLegal('press', (action) => this.isOddsFor(action, odds.baseTag))
      return press && !odds.isNew
        ? this.press(press, cents)
        : { command: 'bet', spot: odds.spot, stake_cents: cents, base_tag: odds.baseTag }
    }
    const own = this.ownBetsAt(spot)
    const press = this.findLegal('press', (action) =>
      own.some((bet) => bet.tag === action.tag && bet.base_tag === null),
    )
    return press ? this.press(press, cents) : { command: 'bet', spot, stake_cents: cents }
  }

  private press(action: LegalAction, cents: number): Command {
    const bet = this.table.view?.bets.find(({ tag }) => tag === action.tag)
    return { command: 'press', tag: action.tag, new_stake_cents: (bet?.stake_cents ?? 0) + cents }
  }

  /** Return the odds bet that a click on a spot means: odds of the spot itself, or behind a wager that is there. */
  oddsAt(spot: string): { spot: string; baseTag: string; isNew: boolean; stakeRange: StakeRange | null } | null {
    const { view } = this.table
    if (!view) return null
    const isOddsSpot = kindOf(spot).endsWith('_odds')
    const tagsHere = new Set(this.ownBetsAt(spot).map(({ tag }) => tag))
    const hasOddsBox =
      kindOf(spot) === 'pass' && this.table.info?.layout.spots.some((other) => other.spot === 'pass_odds')
    const isMeant = (bet: { spot: string | null; base_tag: string | null }) =>
      bet.base_tag !== null && (isOddsSpot ? bet.spot === spot : !hasOddsBox && tagsHere.has(bet.base_tag))
    const legal = this.findLegal('bet', isMeant)
    if (legal?.spot && legal.base_tag)
      return {
        spot: legal.spot,
        baseTag: legal.base_tag,
        isNew: !this.hasOdds(legal.base_tag),
        stakeRange: legal.stake_range,
      }
    const placed = this.ownBets.find(isMeant)
    return placed?.base_tag ? { spot: placed.spot, baseTag: placed.base_tag, isNew: false, stakeRange: null } : null
  }

  private hasOdds(baseTag: string): boolean {
    return this.table.view?.bets.some((bet) => bet.base_tag === baseTag) ?? false
  }

  private isOddsFor(action: LegalAction, baseTag: string): boolean {
    return this.table.view?.bets.some((bet) => bet.tag === action.tag && bet.base_tag === baseTag) ?? false
  }

  private findLegal(verb: string, matches: (action: LegalAction) => boolean): LegalAction | undefined {
    return this.table.view?.legal_actions.find((action) => action.verb === verb && matches(action))
  }

  /** Take down the latest bet on a spot. */
  async takeDown(spot: string): Promise<boolean> {
    return this.enqueueAt(spot, () => {
      const own = this.ownBetsAt(spot)
      const bet = own.findLast(({ tag }) => this.findLegal('take_down', (action) => action.tag === tag)) ?? own.at(-1)
      return this.sendAll(bet ? [{ command: 'take_down', tag: bet.tag }] : [])
    })
  }

  /** Take down every bet that may come down. */
  async takeDownAll(): Promise<boolean> {
    const commands = () => this.table.legalActions('take_down').map(({ tag }) => ({ command: 'take_down', tag }))
    return this.enqueueAt('', () => this.sendAll(commands().reverse()))
  }

  /** Send one command in its turn and return the refusal, if any. */
  async run(command: Command): Promise<ErrorBody | null> {
    return this.enqueue(() => this.sendAll([command]))
  }

  // ---------------------------------------------------------------------------- calls

  /** Call the user's bets on a spot off if they work, and on if they are off. */
  async toggleCalls(spot: string): Promise<boolean> {
    return this.enqueueAt(spot, () =>
      this.sendAll([
        ...this.callCommands('off', this.ownBetsAt(spot)),
        ...this.callCommands('on', this.ownBetsAt(spot)),
      ]),
    )
  }

  /** What `callAll` would call: off if any bet can be called off, otherwise on. */
  get nextCallAll(): 'off' | 'on' | null {
    return this.callCommands('off').length ? 'off' : this.callCommands('on').length ? 'on' : null
  }

  async callAll(): Promise<boolean> {
    return this.enqueueAt('', () => this.sendAll(this.nextCallAll ? this.callCommands(this.nextCallAll) : []))
  }

  private callCommands(call: 'on' | 'off', bets: PlacedBet[] = this.ownBets): Command[] {
    const callable = bets.filter(
      (bet) => bet.working === (call === 'off') && this.findLegal(`call_${call}`, ({ tag }) => tag === bet.tag),
    )
    return callable.map(({ tag }) => ({ command: 'call', tag, call }))
  }

  // ---------------------------------------------------------------------------- undo and repeat

  async undo(): Promise<boolean> {
    return this.enqueueAt('', async () => {
      const steps = this.undoable.at(-1) ?? []
      const newTags = new Map<string, string>()
      this.undoable = this.undoable.slice(0, -1)
      for (const { command, oldTag } of steps) {
        const spot = this.spotOf(command)
        const { error, tags } = await this.sendOne(withTags(command, newTags))
        if (error) return { ...error, spot }
        if (oldTag && tags[0]) newTags.set(oldTag, tags[0])
      }
      this.undoable = this.undoable.map((earlier) =>
        earlier.map((step) => ({ ...step, command: withTags(step.command, newTags) })),
      )
      return null
    })
  }

  /** Bet again what was on the layout for the last roll and is gone now. */
  async repeat(): Promise<boolean> {
    return this.enqueueAt('', () => {
      const gone = this.previousBets.filter(({ tag }) => !this.ownBets.some((bet) => bet.tag === tag))
      const stakes = new Map<string, number>()
      for (const { spot, cents } of gone) stakes.set(spot, (stakes.get(spot) ?? 0) + cents)
      const open = [...stakes].filter(([spot]) => !this.ownBetsAt(spot).length && !this.table.refusal(spot))
      return this.sendAll(open.map(([spot, stake_cents]) => ({ command: 'bet', spot, stake_cents })))
    })
  }

  /** Remember the bets for `repeat`. From here on, nothing that came before can be undone. */
  onBetsClosed(): void {
    const bets = this.ownBets.filter((bet) => bet.base_tag === null)
    if (bets.length)
      this.previousBets = bets.map((bet) => ({ tag: bet.tag, spot: bet.bet_spot, cents: bet.stake_cents }))
    this.undoable = []
    this.refusal = null
    this.rollCount++
  }

  // ---------------------------------------------------------------------------- sending

  /** Run actions one after another. Each is planned on the view that shows the previous one, so two clicks are two chips. */
  private enqueue<T>(action: () => Promise<T>): Promise<T> {
    this.onAction()
    this.refusal = null
    const done = this.queueTail.then(action)
    this.queueTail = done.catch(() => {})
    return done
  }

  /** Run an action in its turn and show a refusal at its spot. Return whether it succeeded. */
  private async enqueueAt(spot: string, action: () => Promise<SpotRefusal | null>): Promise<boolean> {
    const refusal = await this.enqueue(action)
    const shownAt = spot || (refusal?.spot ?? '')
    if (refusal) this.refusal = { spot: shownAt, error: refusal, amounts: this.amountsFor(shownAt) }
    return refusal === null
  }

  /** Send commands in order until one is refused. Those that were accepted are undone together. */
  private async sendAll(commands: Command[]): Promise<SpotRefusal | null> {
    const { rollCount } = this
    let refusal: SpotRefusal | null = null
    const undo: UndoStep[] = []
    for (const command of commands) {
      const spot = this.spotOf(command)
      const inverse = this.inverse(command)
      const { error, tags } = await this.sendOne(command)
      if (error) {
        refusal = { ...error, spot }
        break
      }
      undo.unshift(...tags.map((tag) => ({ command: { command: 'take_down', tag } })), ...inverse)
    }
    if (undo.length && rollCount === this.rollCount) this.undoable = [...this.undoable, undo]
    return refusal
  }

  /** Send one command, wait until the view shows its effect, and return the tags of new wagers. */
  private async sendOne(command: Command): Promise<{ error: ErrorBody | null; tags: string[] }> {
    if (this.table.status !== 'live') return { error: DISCONNECTED, tags: [] }
    try {
      const sequence = await this.table.send(command)
      await this.table.viewReached(sequence)
      return { error: null, tags: command.command === 'bet' ? this.newTags(sequence) : [] }
    } catch (error) {
      if (!(error instanceof RequestError)) throw error
      return { error: error.body, tags: [] }
    }
  }

  /** Return the tags of the wagers that a bet became: several if the dealer split it. */
  private newTags(sequence: number): string[] {
    const you = this.table.view?.you
    const bodies = this.table.events
      .filter((event) => event.kind === 'bet_made' && event.sequence <= sequence && event.body.player === you)
      .map(({ body }) => body)
    const last = bodies.at(-1)
    if (!last) return []
    const parts = last.split_from ? bodies.filter((body) => body.split_from === last.split_from) : [last]
    return parts.map(({ tag }) => String(tag))
  }

  /** Return the commands that undo a change of a wager. Odds come down with their wager and go back up behind it. */
  private inverse(command: Command): UndoStep[] {
    const bet = this.ownBets.find(({ tag }) => tag === command['tag'])
    if (!bet) return []
    const { tag, stake_cents } = bet
    if (command.command === 'press') return [{ command: { command: 'reduce', tag, new_stake_cents: stake_cents } }]
    if (command.command === 'reduce') return [{ command: { command: 'press', tag, new_stake_cents: stake_cents } }]
    if (command.command === 'call')
      return [{ command: { command: 'call', tag, call: command['call'] === 'on' ? 'off' : 'on' } }]
    // A bet that moved to a number cannot be bet there again.
    if (command.command !== 'take_down' || bet.bet_spot !== bet.spot) return []
    return [bet, ...this.ownBets.filter(({ base_tag }) => base_tag === tag)].map(
      ({ spot, stake_cents, base_tag, tag: oldTag }) => ({
        command: { command: 'bet', spot, stake_cents, ...(base_tag === null ? {} : { base_tag }) },
        oldTag,
      }),
    )
  }

  private spotOf(command: Command): string {
    return (command['spot'] as string | undefined) ?? this.ownBets.find(({ tag }) => tag === command['tag'])?.spot ?? ''
  }

  private amountsFor(spot: string): number[] {
    const { view } = this.table
    const rack = view?.seats.find(({ player }) => player === view.you)?.rack_cents ?? 0
    const details = this.table.spots.get(spot)
    const range = this.oddsAt(spot)?.stakeRange ?? (details ? acceptedStakes(details, view) : null)
    return range ? exactAmounts(range).filter((cents) => cents <= rack) : []
  }
}

/** Return a command with its old tags replaced by new ones. */
function withTags(command: Command, newTags: Map<string, string>): Command {
  const replace = (tag: unknown) => newTags.get(String(tag)) ?? tag
  return {
    ...command,
    ...('tag' in command ? { tag: replace(command['tag']) } : {}),
    ...('base_tag' in command ? { base_tag: replace(command['base_tag']) } : {}),
  }
}
