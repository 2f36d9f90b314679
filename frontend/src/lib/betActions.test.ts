import { describe, expect, it } from 'vitest'
import { RequestError } from './api'
import { BetActions } from './betActions.svelte'
import type { LegalAction, PlacedBet, TableEvent, TableView } from './serverTypes'
import type { Command, TableConnection } from './tableConnection.svelte'

const STAKE_RANGE = { min_cents: 1000, max_cents: 500_000, step_cents: 100, exact_step_cents: 600 }

/** A table with a simulated server, which replies first and sends the new view later. */
class FakeTable {
  status = 'live'
  events: TableEvent[] = []
  info = { layout: { spots: ['pass', 'pass_odds', 'come:6', 'come_odds'].map((spot) => ({ spot })) } }
  spots = new Map([['place:6', { spot: 'place:6', stake_range: STAKE_RANGE, max_cents: STAKE_RANGE.max_cents }]])
  received: Command[] = []
  refuses: (command: Command) => string = () => ''
  closed: string[] = []
  freeStakes: Record<string, number> = {}
  view = this.makeView(0)
  private bets: PlacedBet[] = []
  private sequence = 0
  private tags = 0
  private waiters: [number, () => void][] = []

  constructor(...bets: PlacedBet[]) {
    this.bets = bets
    this.view = this.makeView(0)
  }

  send(command: Command): Promise<number> {
    this.received.push(command)
    const code = this.refuses(command)
    if (code) return Promise.reject(new RequestError({ code, message: 'Refused.' }, 409))
    this.apply(command)
    const { sequence } = this
    setTimeout(() => this.updateView(), 5)
    return Promise.resolve(sequence)
  }

  viewReached(sequence: number): Promise<void> {
    if (this.view.sequence >= sequence) return Promise.resolve()
    return new Promise((resolve) => this.waiters.push([sequence, resolve]))
  }

  legalActions(verb: string): LegalAction[] {
    return this.view.legal_actions.filter((action) => action.verb === verb)
  }

  refusal(spot: string): object | null {
    return this.closed.includes(spot) ? {} : null
  }

  /** Remove bets, as a roll does. */
  lose(...tags: string[]): void {
    this.bets = this.bets.filter(({ tag }) => !tags.includes(tag))
    this.updateView()
  }

  stakes(): Record<string, number> {
    return Object.fromEntries(this.bets.map(({ spot, stake_cents }) => [spot, stake_cents]))
  }

  private updateView(): void {
    this.view = this.makeView(this.sequence)
    for (const [sequence, resolve] of this.waiters) if (sequence <= this.sequence) resolve()
  }

  private makeView(sequence: number): TableView {
    const bets = this.bets ?? []
    const changes = bets.flatMap(({ tag, spot }) =>
      ['press', 'reduce', 'take_down', 'call_on', 'call_off'].map((verb) => legalAction(verb, { tag, spot })),
    )
    const odds = bets
      .filter(({ base_tag, spot }) => base_tag === null && /^(pass|come:)/.test(spot))
      .map(({ tag, spot }) => legalAction('bet', { spot: `${spot.split(':')[0]}_odds`, base_tag: tag }))
    const seats = [{ player: 'me', rack_cents: 5000 }]
    return {
      sequence,
      you: 'me',
      bets,
      legal_actions: [...changes, ...odds],
      closed_spots: [],
      free_stakes: this.freeStakes,
      seats,
    } as unknown as TableView
  }

  private apply(command: Command): void {
    const { tag } = command as unknown as { tag: string }
    const change = (update: Partial<PlacedBet>) =>
      (this.bets = this.bets.map((bet) => (bet.tag === tag ? { ...bet, ...update } : bet)))
    this.sequence++
    if (command.command === 'bet') this.addBet(command)
    else if (command.command === 'take_down')
      this.bets = this.bets.filter((bet) => bet.tag !== tag && bet.base_tag !== tag)
    else if (command.command === 'call') change({ working: command['call'] === 'on' })
    else change({ stake_cents: command['new_stake_cents'] as number })
  }

  private addBet(command: Command): void {
    const parts = command['spot'] === 'whirl' ? ['horn', 'any7'] : [command['spot'] as string]
    const split_from = parts.length > 1 ? `split${this.tags}` : null
    for (const spot of parts) {
      const bet = placedBet(spot, `t${++this.tags}`, {
        stake_cents: command['stake_cents'] as number,
        base_tag: (command['base_tag'] as string | undefined) ?? null,
      })
      this.bets = [...this.bets, bet]
      this.events = [
        ...this.events,
        {
          sequence: ++this.sequence,
          kind: 'bet_made',
          body: { player: 'me', tag: bet.tag, split_from },
        } as unknown as TableEvent,
      ]
    }
  }
}

function placedBet(spot: string, tag: string, more: Partial<PlacedBet> = {}): PlacedBet {
  return {
    spot,
    bet_spot: spot.replace(/^((dont_)?come):.*/, '$1'),
    tag,
    player: 'me',
    stake_cents: 1000,
    call: '',
    working: true,
    base_tag: null,
    marks: [],
    ...more,
  }
}

function legalAction(verb: string, more: Partial<LegalAction>): LegalAction {
  return { verb, name: '', spot: null, tag: null, base_tag: null, stake_range: null, ...more }
}

function setUp(...bets: PlacedBet[]) {
  const table = new FakeTable(...bets)
  return { table, actions: new BetActions(table as unknown as TableConnection) }
}

describe('a click on a spot', () => {
  it('makes a bet on an empty spot', async () => {
    const { table, actions } = setUp()
    expect(await actions.bet('place:6', 600)).toBe(true)
    expect(table.received).toEqual([{ command: 'bet', spot: 'place:6', stake_cents: 600 }])
  })

  it('presses a bet that is already there', async () => {
    const { table, actions } = setUp(placedBet('place:6', '3'))
    await actions.bet('place:6', 600)
    expect(table.received).toEqual([{ command: 'press', tag: '3', new_stake_cents: 1600 }])
  })

  it('repeated quickly adds chips to one wager', async () => {
    const { table, actions } = setUp()
    const both = [actions.bet('place:6', 600), actions.bet('place:6', 600), actions.bet('place:6', 600)]
    expect(actions.pending).toEqual(Array(3).fill({ spot: 'place:6', cents: 600 }))
    expect(await Promise.all(both)).toEqual([true, true, true])
    expect(table.received.map(({ command }) => command)).toEqual(['bet', 'press', 'press'])
    expect(table.stakes()).toEqual({ 'place:6': 1800 })
    expect(actions.pending).toEqual([])
  })

  it('adds odds to a come bet on a number, then presses them', async () => {
    const { table, actions } = setUp(placedBet('come:6', '4'))
    await actions.bet('come:6', 500)
    await actions.bet('come:6', 500)
    expect(table.received).toEqual([
      { command: 'bet', spot: 'come_odds', stake_cents: 500, base_tag: '4' },
      { command: 'press', tag: 't1', new_stake_cents: 1000 },
    ])
  })

  it('on the line presses the line, because odds have their own box', async () => {
    const { table, actions } = setUp(placedBet('pass', '1'))
    await actions.bet('pass', 500)
    await actions.bet('pass_odds', 500)
    expect(table.received).toEqual([
      { command: 'press', tag: '1', new_stake_cents: 1500 },
      { command: 'bet', spot: 'pass_odds', stake_cents: 500, base_tag: '1' },
    ])
  })

  it('that is refused shows the error at the spot, with amounts that pay exactly and fit the rack', async () => {
    const { table, actions } = setUp()
    table.refuses = () => 'unpayable'
    expect(await actions.bet('place:6', 500)).toBe(false)
    expect(actions.refusal).toMatchObject({
      spot: 'place:6',
      error: { code: 'unpayable' },
      amounts: [1200, 2400, 3600],
    })
    expect(actions.undoable).toEqual([])
  })

  it('that is refused above the maximum shows amounts that are still free', async () => {
    const { table, actions } = setUp()
    table.freeStakes = { 'place:6': 2500 }
    table.lose()
    table.refuses = () => 'above_max'
    expect(await actions.bet('place:6', 3000)).toBe(false)
    expect(actions.refusal?.amounts).toEqual([1200, 2400])
  })

  it('sends nothing without a connection, and shows an error', async () => {
    const { table, actions } = setUp()
    table.status = 'away'
    expect(await actions.bet('place:6', 600)).toBe(false)
    expect(actions.refusal).toMatchObject({ spot: 'place:6', error: { code: 'disconnected' } })
    expect(table.received).toEqual([])
  })

  it('ends the animation of the last roll', async () => {
    let calls = 0
    await new BetActions(new FakeTable() as unknown as TableConnection, () => calls++).bet('place:6', 600)
    expect(calls).toBe(1)
  })
})

describe('calls', () => {
  it('turn working bets off and other bets on', async () => {
    const { table, actions } = setUp(placedBet('place:6', '1'))
    await actions.toggleCalls('place:6')
    await actions.toggleCalls('place:6')
    expect(table.received).toEqual([
      { command: 'call', tag: '1', call: 'off' },
      { command: 'call', tag: '1', call: 'on' },
    ])
  })

  it('on all bets turn them off first, and on when none works', async () => {
    const { table, actions } = setUp(placedBet('place:6', '1'), placedBet('place:8', '2', { working: false }))
    expect(actions.nextCallAll).toBe('off')
    await actions.callAll()
    expect(actions.nextCallAll).toBe('on')
    await actions.callAll()
    expect(table.received.map(({ tag, call }) => [tag, call])).toEqual([
      ['1', 'off'],
      ['1', 'on'],
      ['2', 'on'],
    ])
    expect(setUp().actions.nextCallAll).toBeNull()
  })
})

describe('undo', () => {
  it('reverts the latest action first, as a whole', async () => {
    const { table, actions } = setUp(placedBet('place:6', '1'), placedBet('place:8', '2'))
    await actions.bet('place:6', 600)
    await actions.callAll()
    await actions.undo()
    expect(table.view.bets.map(({ working }) => working)).toEqual([true, true])
    await actions.undo()
    expect(table.stakes()).toEqual({ 'place:6': 1000, 'place:8': 1000 })
    expect(actions.undoable).toEqual([])
  })

  it('reverts a bet that the dealer split as a whole', async () => {
    const { table, actions } = setUp()
    await actions.bet('field', 500)
    await actions.bet('whirl', 500)
    expect(table.stakes()).toEqual({ field: 500, horn: 500, any7: 500 })
    await actions.undo()
    expect(table.stakes()).toEqual({ field: 500 })
  })

  it('restores a wager with its odds, under new tags', async () => {
    const { table, actions } = setUp(
      placedBet('pass', '1'),
      placedBet('pass_odds', '2', { base_tag: '1', stake_cents: 2000 }),
    )
    await actions.run({ command: 'press', tag: '1', new_stake_cents: 1500 })
    await actions.run({ command: 'take_down', tag: '1' })
    expect(table.stakes()).toEqual({})
    await actions.undo()
    expect(table.stakes()).toEqual({ pass: 1500, pass_odds: 2000 })
    expect(table.view.bets[1]?.base_tag).toBe(table.view.bets[0]?.tag)
    await actions.undo()
    expect(table.stakes()).toEqual({ pass: 1000, pass_odds: 2000 })
  })

  it('cannot restore a wager that has moved to a number', async () => {
    const { actions } = setUp(placedBet('dont_come:6', '1'))
    await actions.run({ command: 'take_down', tag: '1' })
    expect(actions.undoable).toEqual([])
  })

  it('is not possible after a roll, even for a bet confirmed after it', async () => {
    const { actions } = setUp()
    await actions.bet('field', 500)
    const late = actions.bet('place:6', 600)
    await Promise.resolve()
    actions.onBetsClosed()
    await late
    expect(actions.undoable).toEqual([])
  })

  it('called twice reverts two actions', async () => {
    const { table, actions } = setUp()
    await actions.bet('field', 500)
    await actions.bet('place:6', 600)
    await Promise.all([actions.undo(), actions.undo(), actions.undo()])
    expect(table.stakes()).toEqual({})
    expect(table.received.length).toBe(4)
  })
})

describe('repeat', () => {
  it('makes the bets of the last roll that are gone; come bets start over', async () => {
    const { table, actions } = setUp(placedBet('field', '1'), placedBet('come:6', '2'), placedBet('place:8', '3'))
    actions.onBetsClosed()
    expect(actions.canRepeat).toBe(true)
    table.lose('1', '2')
    await actions.repeat()
    expect(table.received).toEqual([
      { command: 'bet', spot: 'field', stake_cents: 1000 },
      { command: 'bet', spot: 'come', stake_cents: 1000 },
    ])
  })

  it('skips bets that are still up, even on a number, and closed spots', async () => {
    const { table, actions } = setUp(placedBet('come:6', '2'), placedBet('pass', '1'))
    actions.onBetsClosed()
    table.lose('1')
    table.closed = ['pass']
    await actions.repeat()
    expect(table.received).toEqual([])
  })

  it('stops at the first refusal and shows it', async () => {
    const { table, actions } = setUp(placedBet('field', '1'), placedBet('place:6', '2'), placedBet('place:8', '3'))
    actions.onBetsClosed()
    table.lose('1', '2', '3')
    table.refuses = ({ spot }) => (spot === 'place:6' ? 'insufficient_funds' : '')
    expect(await actions.repeat()).toBe(false)
    expect(table.received.length).toBe(2)
    expect(actions.refusal).toMatchObject({ spot: 'place:6', error: { code: 'insufficient_funds' } })
  })
})
