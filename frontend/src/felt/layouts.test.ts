import { describe, expect, it } from 'vitest'
import type { Chip, Spot, View } from '../lib/types'
import { drawer, drawers, narrow, NARROW, wide, WIDE } from './arrange'
import { nextBox, paid, standing } from './chips'
import type { Box, Felt } from './shapes'
import { widthOf } from './shapes'
import { THUMB } from './small'
import { isOdds, kindOf } from './spots'

const files = import.meta.glob<Spot[]>('../../fixtures/*.json', { eager: true, import: 'default' })
const books = Object.entries(files).map(([file, spots]) => ({ book: file.replace(/.*\/|\.json/g, ''), spots }))

/** Odds that have no box of their own stand beside the wager they are behind. */
const isBeside = (spot: Spot, boxes: Box[]) => isOdds(spot) && !boxes.some((one) => one.spot === kindOf(spot.spot))

function overlap(a: Box, b: Box): boolean {
  const slack = 1
  return a.x + slack < b.x + b.w && b.x + slack < a.x + a.w && a.y + slack < b.y + b.h && b.y + slack < a.y + a.h
}

function shapesOf(spots: Spot[]): [string, Felt][] {
  const whole: [string, Felt][] = [['wide', wide(spots)], ['high', wide(spots, WIDE.most)], ['narrow', narrow(spots)], ['narrow with room', narrow(spots, 900)]]
  return [...whole, ...drawers(spots).map((name): [string, Felt] => [name, drawer(spots, name)])]
}

describe.each(books)('$book', ({ spots }) => {
  it('has a box for every spot, and a place for all odds', () => {
    const phone = [narrow(spots), ...drawers(spots).map((name) => drawer(spots, name))].flatMap((felt) => felt.boxes)
    for (const boxes of [wide(spots).boxes, phone]) {
      const drawn = boxes.map((box) => box.spot)
      expect(new Set(drawn).size).toBe(drawn.length)
      for (const spot of spots) expect(drawn.includes(spot.spot) || isBeside(spot, boxes), spot.spot).toBe(true)
    }
  })

  it.each(shapesOf(spots))('%s: no box lies on another or leaves the felt', (_, felt) => {
    for (const [index, box] of felt.boxes.entries()) {
      expect(box.x, box.spot).toBeGreaterThanOrEqual(0)
      expect(box.y, box.spot).toBeGreaterThanOrEqual(0)
      expect(box.x + box.w, box.spot).toBeLessThanOrEqual(felt.width + 0.01)
      expect(box.y + box.h, box.spot).toBeLessThanOrEqual(felt.height + 0.01)
      for (const other of felt.boxes.slice(index + 1)) expect(overlap(box, other), `${box.spot} and ${other.spot}`).toBe(false)
    }
  })

  it.each(shapesOf(spots))('%s: targets are large enough, words can be read and chips stand inside', (name, felt) => {
    const least = name === 'wide' || name === 'high' ? 24 : THUMB
    for (const box of felt.boxes) {
      expect(Math.min(box.w, box.h), box.spot).toBeGreaterThanOrEqual(least - 0.01)
      expect(box.zone.x, box.spot).toBeGreaterThan(box.x)
      expect(box.zone.x, box.spot).toBeLessThan(box.x + box.w)
      expect(box.zone.y, box.spot).toBeGreaterThan(box.y)
      expect(box.zone.y, box.spot).toBeLessThan(box.y + box.h)
      for (const word of box.words) {
        expect(word.size, `${box.spot}: ${word.text}`).toBeGreaterThanOrEqual(8)
        if (word.turn) continue
        const width = widthOf(word.text, word.size, word.serif, word.wide)
        const left = word.anchor === 'middle' ? word.x - width / 2 : word.anchor === 'end' ? word.x - width : word.x
        expect(left + width, `${box.spot}: ${word.text}`).toBeLessThanOrEqual(box.x + box.w + 3)
      }
    }
  })

  it('is as high on a phone as there is room for, within reason', () => {
    const { height } = narrow(spots)
    expect(narrow(spots, height - 50).height).toBe(height)
    expect(narrow(spots, height + 50).height).toBe(height + 50)
    expect(narrow(spots, height + 5000).height).toBe(height + 2 * NARROW.spare)
  })

  it('can be walked over with the arrow keys: every box is reached', () => {
    for (const [, felt] of shapesOf(spots)) {
      const start = felt.boxes[0]
      if (!start) continue
      const reached = new Set([start])
      const todo = [start]
      for (let box = todo.pop(); box; box = todo.pop()) {
        for (const [dx, dy] of [[1, 0], [-1, 0], [0, 1], [0, -1]] as const) {
          const next = nextBox(felt.boxes, box, dx, dy)
          if (next && !reached.has(next)) {
            reached.add(next)
            todo.push(next)
          }
        }
      }
      expect(reached.size).toBe(felt.boxes.length)
    }
  })

  it('shows a chip on every spot', () => {
    const chips: Chip[] = spots.filter((spot) => !isOdds(spot)).map((spot, index) => ({ spot: spot.spot, player: 'a', tag: String(index), stake: 500, call: '', working: true, on: null, marks: [], home: spot.spot }))
    const { stands } = standing(wide(spots), { chips, seats: [{ player: 'a', name: 'Ann', rack: 0, up: 0, seated: true, leaving: false }], you: 'a' } as unknown as View)
    expect(stands.length).toBe(chips.length)
  })

  it.each(shapesOf(spots))('%s: odds lean on their wager inside its box', (_, felt) => {
    const backed = spots.filter((spot) => isBeside(spot, felt.boxes)).map((spot) => spot.spot.replace(/_odds$/, ''))
    for (const box of felt.boxes.filter(({ spot }) => backed.includes(kindOf(spot)) && spot.includes(':'))) {
      const base = { spot: box.spot, player: 'a', tag: '1', stake: 500, call: '', working: true, on: null, marks: [], home: box.spot } satisfies Chip
      const odds = { ...base, spot: `${kindOf(box.spot)}_odds`, tag: '2', on: '1' }
      const { stands } = standing(felt, { chips: [base, odds], seats: [], you: 'a' } as unknown as View)
      expect(stands.map(({ chip }) => chip.tag), box.spot).toEqual(['1', '2'])
      for (const { x, y, r } of stands) {
        expect(x - r, box.spot).toBeGreaterThanOrEqual(box.x)
        expect(x + r, box.spot).toBeLessThanOrEqual(box.x + box.w)
        expect(y - r * 0.8, box.spot).toBeGreaterThanOrEqual(box.y)
        expect(y + r * 0.8, box.spot).toBeLessThanOrEqual(box.y + box.h)
      }
    }
  })
})

describe('markers of bets on a hand', () => {
  const spots = books.find(({ book }) => book === 'maryland')?.spots ?? []
  const without = (...kinds: string[]) => spots.filter((spot) => !kinds.includes(spot.spot))
  const marked = (felt: Felt) => felt.bonus.map((marker) => marker.number)

  it.each([['wide', wide], ['drawer', (list: Spot[]) => drawer(list, 'Bonus')]] as const)('%s: every number has one place', (_, arrange) => {
    expect(marked(arrange(spots)).sort((a, b) => a - b)).toEqual([2, 3, 4, 5, 6, 8, 9, 10, 11, 12])
    expect(marked(arrange(without('small'))).sort((a, b) => a - b)).toEqual([2, 3, 4, 5, 6, 8, 9, 10, 11, 12])
    expect(marked(arrange(without('all', 'small')))).toEqual([8, 9, 10, 11, 12])
  })

  it('are those that the server says', () => {
    const other = spots.map((spot) => (spot.spot === 'fire' ? { ...spot, collects: [4, 10] } : spot))
    expect(wide(other).fire.map((marker) => marker.number)).toEqual([4, 10])
    expect(drawer(other, 'Fire').fire.map((marker) => marker.number)).toEqual([4, 10])
  })
})

describe('what a winner is paid', () => {
  it('is what comes into the rack: vigorish is taken off', () => {
    expect(paid({ net: 2000, vig: 100 }, 'USD')).toBe('+$19')
    expect(paid({ net: 1400 }, 'SGD')).toBe('+S$14')
    expect(paid({ net: 50, vig: 100 }, 'USD')).toBe('−$0.50')
    expect(paid(undefined, 'USD')).toBe('')
  })
})
