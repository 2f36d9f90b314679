import { describe, expect, it } from 'vitest'
import { Refused } from './api'
import { Hands } from './hands.svelte'
import type { Table, Wish } from './table.svelte'
import type { Chip, Choice, View } from './types'

const chip = (spot: string, tag: string, more: Partial<Chip> = {}): Chip => ({ spot, tag, player: 'me', stake: 1000, call: '', working: true, on: null, marks: [], home: spot, ...more })
const choice = (what: string, more: Partial<Choice>): Choice => ({ do: what, name: '', spot: null, tag: null, on: null, stakes: null, ...more })

function at(chips: Chip[], choices: Choice[], answer: (wish: Wish) => Promise<number> = () => Promise.resolve(9)) {
  const asked: Wish[] = []
  const events = [{ number: 9, kind: 'made', body: { player: 'me', tag: '7' } }]
  const table = {
    view: { you: 'me', chips, choices } as unknown as View,
    felt: { layout: { spots: [{ spot: 'pass' }, { spot: 'pass_odds' }, { spot: 'come:6' }, { spot: 'come_odds' }] } },
    spots: new Map([['place:6', { stakes: { least: 1000, most: 500_000, step: 100, even: 600 } }]]),
    events,
    choices: (what: string) => choices.filter((one) => one.do === what),
    refusal: () => null,
    wish: (wish: Wish) => {
      asked.push(wish)
      return answer(wish)
    },
  } as unknown as Table
  return { hands: new Hands(table), asked }
}

describe('a click on a spot', () => {
  it('is a bet where nothing stands', async () => {
    const { hands, asked } = at([], [])
    await hands.put('place:6', 600)
    expect(asked).toEqual([{ wish: 'bet', spot: 'place:6', cents: 600 }])
    expect(hands.undoable).toEqual([{ wish: 'take_down', tag: '7' }])
  })

  it('presses what stands there', async () => {
    const { hands, asked } = at([chip('place:6', '3')], [choice('press', { tag: '3', spot: 'place:6' })])
    await hands.put('place:6', 600)
    expect(asked).toEqual([{ wish: 'press', tag: '3', to: 1600 }])
    expect(hands.undoable).toEqual([{ wish: 'reduce', tag: '3', to: 1000 }])
  })

  it('puts odds behind a come bet that travelled, and presses them after that', async () => {
    const odds = choice('bet', { spot: 'come_odds', on: '4' })
    const first = at([chip('come:6', '4')], [odds])
    await first.hands.put('come:6', 500)
    expect(first.asked).toEqual([{ wish: 'bet', spot: 'come_odds', cents: 500, on: '4' }])
    const again = at([chip('come:6', '4'), chip('come_odds', '5', { on: '4', stake: 500 })], [odds, choice('press', { tag: '5', spot: 'come_odds' })])
    await again.hands.put('come:6', 500)
    expect(again.asked).toEqual([{ wish: 'press', tag: '5', to: 1000 }])
  })

  it('on the line itself presses the line, since odds have a box of their own', async () => {
    const { hands, asked } = at([chip('pass', '1')], [choice('bet', { spot: 'pass_odds', on: '1' }), choice('press', { tag: '1', spot: 'pass' })])
    await hands.put('pass', 500)
    await hands.put('pass_odds', 500)
    expect(asked).toEqual([{ wish: 'press', tag: '1', to: 1500 }, { wish: 'bet', spot: 'pass_odds', cents: 500, on: '1' }])
  })

  it('that is refused says why, where it was, and names amounts that pay', async () => {
    const { hands } = at([], [], () => Promise.reject(new Refused({ code: 'unpayable', sentence: 'No.' }, 409)))
    expect(await hands.put('place:6', 500)).toBe(false)
    expect(hands.bubble).toMatchObject({ spot: 'place:6', error: { code: 'unpayable' }, amounts: [1200, 2400, 3600, 6000] })
    expect(hands.undoable).toEqual([])
  })
})

describe('undo and repeat', () => {
  it('takes back the latest first', async () => {
    const { hands, asked } = at([chip('place:6', '7')], [])
    await hands.put('place:8', 600)
    await hands.takeDown('place:6')
    await hands.undo()
    await hands.undo()
    expect(asked.slice(2)).toEqual([{ wish: 'bet', spot: 'place:6', cents: 1000 }, { wish: 'take_down', tag: '7' }])
    expect(hands.undoable).toEqual([])
  })

  it('bets again what was up for the last throw and is gone; come bets begin anew', async () => {
    const { hands, asked } = at([chip('field', '1'), chip('come:6', '2')], [])
    hands.rolled()
    expect(hands.canRepeat).toBe(true)
    await hands.repeat()
    expect(asked).toEqual([{ wish: 'bet', spot: 'come', cents: 1000 }])
  })
})
