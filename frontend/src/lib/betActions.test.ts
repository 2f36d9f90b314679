import { describe, expect, it } from 'vitest'
import { Refused } from './api'
import { Hands } from './hands.svelte'
import type { Table, Wish } from './table.svelte'
import type { Chip, Choice, TableEvent, View } from './types'

const STAKES = { least: 1000, most: 500_000, step: 100, even: 600 }

/** A table whose server keeps chips: it says yes first, and shows later what came of it, under tags of its own. */
class Felt {
  status = 'live'
  events: TableEvent[] = []
  felt = { layout: { spots: ['pass', 'pass_odds', 'come:6', 'come_odds'].map((spot) => ({ spot })) } }
  spots = new Map([['place:6', { stakes: STAKES }]])
  asked: Wish[] = []
  refuses: (wish: Wish) => string = () => ''
  shut: string[] = []
  view = this.look(0)
  private chips: Chip[] = []
  private sequence = 0
  private tags = 0
  private lookout: [number, () => void][] = []

  constructor(...chips: Chip[]) {
    this.chips = chips
    this.view = this.look(0)
  }

  wish(wish: Wish): Promise<number> {
    this.asked.push(wish)
    const no = this.refuses(wish)
    if (no) return Promise.reject(new Refused({ code: no, sentence: 'No.' }, 409))
    this.apply(wish)
    const { sequence } = this
    setTimeout(() => this.show(), 5)
    return Promise.resolve(sequence)
  }

  seen(sequence: number): Promise<void> {
    if (this.view.sequence >= sequence) return Promise.resolve()
    return new Promise((seen) => this.lookout.push([sequence, seen]))
  }

  choices(what: string): Choice[] {
    return this.view.choices.filter((one) => one.do === what)
  }

  refusal(spot: string): object | null {
    return this.shut.includes(spot) ? {} : null
  }

  /** Take chips away, as a throw does. */
  lose(...tags: string[]): void {
    this.chips = this.chips.filter((chip) => !tags.includes(chip.tag))
    this.show()
  }

  stakes(): Record<string, number> {
    return Object.fromEntries(this.chips.map(({ spot, stake }) => [spot, stake]))
  }

  private show(): void {
    this.view = this.look(this.sequence)
    for (const [sequence, seen] of this.lookout) if (sequence <= this.sequence) seen()
  }

  private look(sequence: number): View {
    const chips = this.chips ?? []
    const may = chips.flatMap(({ tag, spot }) => ['press', 'reduce', 'take_down', 'call_on', 'call_off'].map((what) => choice(what, { tag, spot })))
    const odds = chips.filter(({ on, spot }) => on === null && /^(pass|come:)/.test(spot)).map(({ tag, spot }) => choice('bet', { spot: `${spot.split(':')[0]}_odds`, on: tag }))
    return { sequence, you: 'me', chips, choices: [...may, ...odds], closed: [], seats: [{ player: 'me', rack: 5000 }] } as unknown as View
  }

  private apply(wish: Wish): void {
    const { tag } = wish as unknown as { tag: string }
    const change = (more: Partial<Chip>) => (this.chips = this.chips.map((one) => (one.tag === tag ? { ...one, ...more } : one)))
    this.sequence++
    if (wish.wish === 'bet') this.bet(wish)
    else if (wish.wish === 'take_down') this.chips = this.chips.filter((one) => one.tag !== tag && one.on !== tag)
    else if (wish.wish === 'call') change({ working: wish['call'] === 'on' })
    else change({ stake: wish['to'] as number })
  }

  private bet(wish: Wish): void {
    const parts = wish['spot'] === 'whirl' ? ['horn', 'any7'] : [wish['spot'] as string]
    const part_of = parts.length > 1 ? `whole${this.tags}` : null
    for (const spot of parts) {
      const made = chip(spot, `t${++this.tags}`, { stake: wish['cents'] as number, on: (wish['on'] as string | undefined) ?? null })
      this.chips = [...this.chips, made]
      this.events = [...this.events, { number: ++this.sequence, kind: 'made', body: { player: 'me', tag: made.tag, part_of } } as unknown as TableEvent]
    }
  }
}

function chip(spot: string, tag: string, more: Partial<Chip> = {}): Chip {
  return { spot, home: spot.replace(/^((dont_)?come):.*/, '$1'), tag, player: 'me', stake: 1000, call: '', working: true, on: null, marks: [], ...more }
}

function choice(what: string, more: Partial<Choice>): Choice {
  return { do: what, name: '', spot: null, tag: null, on: null, stakes: null, ...more }
}

function at(...chips: Chip[]) {
  const felt = new Felt(...chips)
  return { felt, hands: new Hands(felt as unknown as Table) }
}

describe('a click on a spot', () => {
  it('is a bet where nothing stands', async () => {
    const { felt, hands } = at()
    expect(await hands.put('place:6', 600)).toBe(true)
    expect(felt.asked).toEqual([{ wish: 'bet', spot: 'place:6', cents: 600 }])
  })

  it('presses what stands there', async () => {
    const { felt, hands } = at(chip('place:6', '3'))
    await hands.put('place:6', 600)
    expect(felt.asked).toEqual([{ wish: 'press', tag: '3', to: 1600 }])
  })

  it('and another at once are two chips on one wager', async () => {
    const { felt, hands } = at()
    const both = [hands.put('place:6', 600), hands.put('place:6', 600), hands.put('place:6', 600)]
    expect(hands.puts).toEqual(Array(3).fill({ spot: 'place:6', cents: 600 }))
    expect(await Promise.all(both)).toEqual([true, true, true])
    expect(felt.asked.map((wish) => wish.wish)).toEqual(['bet', 'press', 'press'])
    expect(felt.stakes()).toEqual({ 'place:6': 1800 })
    expect(hands.puts).toEqual([])
  })

  it('puts odds behind a come bet that travelled, and presses them after that', async () => {
    const { felt, hands } = at(chip('come:6', '4'))
    await hands.put('come:6', 500)
    await hands.put('come:6', 500)
    expect(felt.asked).toEqual([{ wish: 'bet', spot: 'come_odds', cents: 500, on: '4' }, { wish: 'press', tag: 't1', to: 1000 }])
  })

  it('on the line itself presses the line, since odds have a box of their own', async () => {
    const { felt, hands } = at(chip('pass', '1'))
    await hands.put('pass', 500)
    await hands.put('pass_odds', 500)
    expect(felt.asked).toEqual([{ wish: 'press', tag: '1', to: 1500 }, { wish: 'bet', spot: 'pass_odds', cents: 500, on: '1' }])
  })

  it('that is refused says why, where it was, and names amounts that pay and that one has', async () => {
    const { felt, hands } = at()
    felt.refuses = () => 'unpayable'
    expect(await hands.put('place:6', 500)).toBe(false)
    expect(hands.bubble).toMatchObject({ spot: 'place:6', error: { code: 'unpayable' }, amounts: [1200, 2400, 3600] })
    expect(hands.undoable).toEqual([])
  })

  it('does nothing without a connection, and says so', async () => {
    const { felt, hands } = at()
    felt.status = 'away'
    expect(await hands.put('place:6', 600)).toBe(false)
    expect(hands.bubble).toMatchObject({ spot: 'place:6', error: { code: 'away' } })
    expect(felt.asked).toEqual([])
  })

  it('ends the show of the last throw', async () => {
    let shown = 0
    await new Hands(new Felt() as unknown as Table, () => shown++).put('place:6', 600)
    expect(shown).toBe(1)
  })
})

describe('calls', () => {
  it('turn off what works, and on what does not', async () => {
    const { felt, hands } = at(chip('place:6', '1'))
    await hands.call('place:6')
    await hands.call('place:6')
    expect(felt.asked).toEqual([{ wish: 'call', tag: '1', call: 'off' }, { wish: 'call', tag: '1', call: 'on' }])
  })

  it('of everything go off first, and on when nothing works', async () => {
    const { felt, hands } = at(chip('place:6', '1'), chip('place:8', '2', { working: false }))
    expect(hands.allCall).toBe('off')
    await hands.callAll()
    expect(hands.allCall).toBe('on')
    await hands.callAll()
    expect(felt.asked.map((wish) => [wish['tag'], wish['call']])).toEqual([['1', 'off'], ['1', 'on'], ['2', 'on']])
    expect(at().hands.allCall).toBeNull()
  })
})

describe('undo', () => {
  it('takes back the latest first, and all of what was done at once', async () => {
    const { felt, hands } = at(chip('place:6', '1'), chip('place:8', '2'))
    await hands.put('place:6', 600)
    await hands.callAll()
    await hands.undo()
    expect(felt.view.chips.map((one) => one.working)).toEqual([true, true])
    await hands.undo()
    expect(felt.stakes()).toEqual({ 'place:6': 1000, 'place:8': 1000 })
    expect(hands.undoable).toEqual([])
  })

  it('takes a bet that the dealer split back as a whole', async () => {
    const { felt, hands } = at()
    await hands.put('field', 500)
    await hands.put('whirl', 500)
    expect(felt.stakes()).toEqual({ field: 500, horn: 500, any7: 500 })
    await hands.undo()
    expect(felt.stakes()).toEqual({ field: 500 })
  })

  it('puts a wager up again with its odds behind it, whatever they are called now', async () => {
    const { felt, hands } = at(chip('pass', '1'), chip('pass_odds', '2', { on: '1', stake: 2000 }))
    await hands.act({ wish: 'press', tag: '1', to: 1500 })
    await hands.act({ wish: 'take_down', tag: '1' })
    expect(felt.stakes()).toEqual({})
    await hands.undo()
    expect(felt.stakes()).toEqual({ pass: 1500, pass_odds: 2000 })
    expect(felt.view.chips[1]?.on).toBe(felt.view.chips[0]?.tag)
    await hands.undo()
    expect(felt.stakes()).toEqual({ pass: 1000, pass_odds: 2000 })
  })

  it('knows no way back for a wager that travelled', async () => {
    const { hands } = at(chip('dont_come:6', '1'))
    await hands.act({ wish: 'take_down', tag: '1' })
    expect(hands.undoable).toEqual([])
  })

  it('ends with the throw, even for a bet that is seen after it', async () => {
    const { hands } = at()
    await hands.put('field', 500)
    const late = hands.put('place:6', 600)
    await Promise.resolve()
    hands.rolled()
    await late
    expect(hands.undoable).toEqual([])
  })

  it('asked for twice takes two things back', async () => {
    const { felt, hands } = at()
    await hands.put('field', 500)
    await hands.put('place:6', 600)
    await Promise.all([hands.undo(), hands.undo(), hands.undo()])
    expect(felt.stakes()).toEqual({})
    expect(felt.asked.length).toBe(4)
  })
})

describe('repeat', () => {
  it('bets again what was up for the last throw and is gone; come bets begin anew', async () => {
    const { felt, hands } = at(chip('field', '1'), chip('come:6', '2'), chip('place:8', '3'))
    hands.rolled()
    expect(hands.canRepeat).toBe(true)
    felt.lose('1', '2')
    await hands.repeat()
    expect(felt.asked).toEqual([{ wish: 'bet', spot: 'field', cents: 1000 }, { wish: 'bet', spot: 'come', cents: 1000 }])
  })

  it('leaves alone what still stands, wherever it went, and what is closed', async () => {
    const { felt, hands } = at(chip('come:6', '2'), chip('pass', '1'))
    hands.rolled()
    felt.lose('1')
    felt.shut = ['pass']
    await hands.repeat()
    expect(felt.asked).toEqual([])
  })

  it('stops at the first no, and shows it', async () => {
    const { felt, hands } = at(chip('field', '1'), chip('place:6', '2'), chip('place:8', '3'))
    hands.rolled()
    felt.lose('1', '2', '3')
    felt.refuses = (wish) => (wish['spot'] === 'place:6' ? 'funds' : '')
    expect(await hands.repeat()).toBe(false)
    expect(felt.asked.length).toBe(2)
    expect(hands.bubble).toMatchObject({ spot: 'place:6', error: { code: 'funds' } })
  })
})
