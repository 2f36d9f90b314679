// The show of a roll: dice, call, take, pay, move, in the order dealers work. It never keeps anybody from betting.

import { settlements } from './history'
import { prefs } from './prefs.svelte'
import { sound } from './sound'
import type { Table } from './table.svelte'
import type { Ruling, Settled, TableEvent, View } from './types'

export type Phase = 'rest' | 'dice' | 'call' | 'take' | 'pay' | 'move'

const CLOCK: Record<Exclude<Phase, 'rest'>, number> = { dice: 900, call: 300, take: 350, pay: 450, move: 600 }
const WHOLE = Object.values(CLOCK).reduce((sum, one) => sum + one, 0)
const FAST_MS = 700
const CALM_MS = 150

export class Show {
  dice = $state<[number, number] | null>(null)
  call = $state('')
  phase = $state<Phase>('rest')
  /** What a throw did to each wager, by its tag. */
  rulings = $state.raw(new Map<string, Ruling>())
  /** Said to those who listen instead of looking. */
  said = $state('')
  rolled = $state.raw<TableEvent | null>(null)

  private held = $state.raw<View | null>(null)
  private timer: ReturnType<typeof setTimeout> | undefined

  constructor(private readonly table: Table) {}

  /** The table as it is drawn: held back while a throw is shown. */
  get view(): View | null {
    return this.held ?? this.table.view
  }

  /** Whether dice are in the air, to be seen so; where nothing may move, they lie at once. */
  get isTumbling(): boolean {
    return this.phase === 'dice' && !prefs.calm
  }

  /** The table as it is told of: what a throw did is known once its dice lie. */
  get told(): View | null {
    return this.phase === 'dice' ? this.view : this.table.view
  }

  /** What happened, as far as it is told. */
  get events(): TableEvent[] {
    const { events } = this.table
    const thrown = this.phase === 'dice' ? this.rolled : null
    return thrown ? events.filter((event) => event.number < thrown.number) : events
  }

  hear(event: TableEvent, live: boolean): void {
    if (event.kind !== 'rolled') {
      if (live && event.kind !== 'revealed') this.tell(event)
      return
    }
    this.skip()
    this.rolled = event
    if (!live) {
      this.land(event)
      return
    }
    this.held = this.table.view
    this.rulings = new Map((event.body['settled'] as Settled[]).map((one) => [one.tag, one.ruling]))
    this.go('dice', event)
  }

  /** Show the end of it at once. */
  skip(): void {
    clearTimeout(this.timer)
    if (this.phase === 'rest') return
    if (this.rolled) this.land(this.rolled)
    if (this.rolled && this.phase === 'dice') this.said = this.sentence(this.rolled)
    this.rest()
  }

  private go(phase: Exclude<Phase, 'rest'>, event: TableEvent): void {
    this.phase = phase
    if (phase === 'dice') {
      this.said = ''  // what is said twice in the same words is heard twice
      if (prefs.calm) this.land(event)
      sound('dice')
    }
    if (phase === 'call') {
      this.land(event)
      this.said = this.sentence(event)
    }
    if (phase === 'pay' && this.hasWon(event)) sound('win')
    const order: Exclude<Phase, 'rest'>[] = ['dice', 'call', 'take', 'pay', 'move']
    const next = order[order.indexOf(phase) + 1]
    if (phase === 'move') this.held = null
    this.timer = setTimeout(() => (next ? this.go(next, event) : this.rest()), this.time(phase))
  }

  private time(phase: Exclude<Phase, 'rest'>): number {
    if (prefs.calm) return CALM_MS
    return prefs.fast ? (CLOCK[phase] * FAST_MS) / WHOLE : CLOCK[phase]
  }

  private land(event: TableEvent): void {
    const [first, second] = String(event.body['dice']).split('-').map(Number)
    this.dice = [first ?? 1, second ?? 1]
    this.call = event.call ?? ''
  }

  private rest(): void {
    this.phase = 'rest'
    this.held = null
    this.rulings = new Map()
  }

  private hasWon(event: TableEvent): boolean {
    const you = this.table.view?.you
    return (event.body['settled'] as Settled[]).some((one) => one.player === you && one.ruling.result === 'win')
  }

  /** The call, and one's own settlements, in one breath. */
  private sentence(event: TableEvent): string {
    const mine = settlements(event, this.table.view?.you ?? null).filter((line) => line.mine)
    return [event.call ?? '', ...mine.map((line) => line.text)].join('. ')
  }

  private tell(event: TableEvent): void {
    if (['dice_moved', 'no_roll', 'joined', 'left'].includes(event.kind)) this.said = event.sentences.join('. ')
  }
}
