// The animation of a roll: dice, call, take, pay, move, in the order dealers work. It never delays betting.

import { settlementLines } from './logEntries'
import { preferences } from './preferences.svelte'
import type { Settlement, TableEvent, TableView } from './serverTypes'
import { playSound } from './sound'
import type { TableConnection } from './tableConnection.svelte'

type ActivePhase = 'dice' | 'call' | 'take' | 'pay' | 'move'
export type Phase = 'rest' | ActivePhase

const PHASE_MS: Record<ActivePhase, number> = { dice: 900, call: 300, take: 350, pay: 450, move: 600 }
const PHASES: ActivePhase[] = ['dice', 'call', 'take', 'pay', 'move']
const TOTAL_MS = Object.values(PHASE_MS).reduce((sum, ms) => sum + ms, 0)
const FAST_TOTAL_MS = 700
const REDUCED_MOTION_PHASE_MS = 150

export class RollAnimation {
  dice = $state<[number, number] | null>(null)
  call = $state('')
  phase = $state<Phase>('rest')
  /** What the roll did to each wager, by tag. */
  settlements = $state.raw(new Map<string, Settlement>())
  /** Text for screen readers. */
  announcement = $state('')
  rollEvent = $state.raw<TableEvent | null>(null)

  /** The view from before the roll, while the roll is animated. */
  private heldView = $state.raw<TableView | null>(null)
  private timer: ReturnType<typeof setTimeout> | undefined

  constructor(private readonly table: TableConnection) {}

  /** The view to draw. */
  get view(): TableView | null {
    return this.heldView ?? this.table.view
  }

  /** Whether to draw the dice in motion. */
  get isTumbling(): boolean {
    return this.phase === 'dice' && !preferences.reducedMotion
  }

  /** The view to describe in words: it includes the roll as soon as the dice have landed. */
  get revealedView(): TableView | null {
    return this.phase === 'dice' ? this.view : this.table.view
  }

  /** The events up to the last roll whose dice have landed. */
  get revealedEvents(): TableEvent[] {
    const { events } = this.table
    const tumbling = this.phase === 'dice' ? this.rollEvent : null
    return tumbling ? events.filter((event) => event.sequence < tumbling.sequence) : events
  }

  onEvent(event: TableEvent, live: boolean): void {
    if (event.kind !== 'rolled') {
      if (live && event.kind !== 'secret_revealed') this.announce(event)
      return
    }
    this.skip()
    this.rollEvent = event
    if (!live) {
      this.showDice(event)
      return
    }
    this.heldView = this.table.view
    this.settlements = new Map(event.body.settled?.map(({ tag, settlement }) => [tag, settlement]))
    this.startPhase('dice', event)
  }

  /** Jump to the end of the animation. */
  skip(): void {
    clearTimeout(this.timer)
    if (this.phase === 'rest') return
    if (this.rollEvent) this.showDice(this.rollEvent)
    if (this.rollEvent && this.phase === 'dice') this.announcement = this.rollAnnouncement(this.rollEvent)
    this.finish()
  }

  private startPhase(phase: ActivePhase, event: TableEvent): void {
    this.phase = phase
    if (phase === 'dice') {
      this.announcement = '' // Screen readers repeat a text only if it was cleared in between.
      if (preferences.reducedMotion) this.showDice(event)
      playSound('dice')
    }
    if (phase === 'call') {
      this.showDice(event)
      this.announcement = this.rollAnnouncement(event)
    }
    if (phase === 'pay' && this.hasOwnWin(event)) playSound('win')
    const next = PHASES[PHASES.indexOf(phase) + 1]
    if (phase === 'move') this.heldView = null
    this.timer = setTimeout(() => (next ? this.startPhase(next, event) : this.finish()), this.phaseMs(phase))
  }

  private phaseMs(phase: ActivePhase): number {
    if (preferences.reducedMotion) return REDUCED_MOTION_PHASE_MS
    return preferences.fast ? (PHASE_MS[phase] * FAST_TOTAL_MS) / TOTAL_MS : PHASE_MS[phase]
  }

  private showDice(event: TableEvent): void {
    const [first, second] = String(event.body.dice).split('-').map(Number)
    this.dice = [first ?? 1, second ?? 1]
    this.call = event.stick_call ?? ''
  }

  private finish(): void {
    this.phase = 'rest'
    this.heldView = null
    this.settlements = new Map()
  }

  private hasOwnWin(event: TableEvent): boolean {
    const you = this.table.view?.you
    return event.body.settled?.some(({ player, settlement }) => player === you && settlement.result === 'win') ?? false
  }

  /** The stick call and the user's own settlements, as one text. */
  private rollAnnouncement(event: TableEvent): string {
    const own = settlementLines(event, this.table.view?.you ?? null).filter((line) => line.isOwn)
    return [event.stick_call ?? '', ...own.map((line) => line.text)].join('. ')
  }

  private announce(event: TableEvent): void {
    if (['custody_changed', 'no_roll', 'player_joined', 'player_left'].includes(event.kind))
      this.announcement = event.sentences.join('. ')
  }
}
