import { describe, expect, it } from 'vitest'
import type { PlacedBet, Spot, TableView } from '../lib/serverTypes'
import { neighborBox, paidText, positionChips } from './chipPositions'
import { DESKTOP, desktopLayout, drawerLayout, drawerNames, PHONE, phoneLayout } from './layouts'
import { MIN_TARGET_PX } from './phoneNumberBoxes'
import { textWidth } from './shapes'
import type { Box, FeltLayout } from './shapes'
import { isOdds, kindOf } from './spotGroups'

const files = import.meta.glob<Spot[]>('../../fixtures/*.json', { eager: true, import: 'default' })
const books = Object.entries(files).map(([file, spots]) => ({ book: file.replace(/.*\/|\.json/g, ''), spots }))

/** Whether a spot is odds without a box: they are drawn beside their wager. */
const isBeside = (spot: Spot, boxes: Box[]) => isOdds(spot) && !boxes.some((box) => box.spot === kindOf(spot.spot))

function overlap(a: Box, b: Box): boolean {
  const slack = 1
  return a.x + slack < b.x + b.w && b.x + slack < a.x + a.w && a.y + slack < b.y + b.h && b.y + slack < a.y + a.h
}

function layoutsOf(spots: Spot[]): [string, FeltLayout][] {
  const felts: [string, FeltLayout][] = [
    ['desktop', desktopLayout(spots)],
    ['high desktop', desktopLayout(spots, DESKTOP.maxHeight)],
    ['phone', phoneLayout(spots)],
    ['high phone', phoneLayout(spots, 900)],
  ]
  return [...felts, ...drawerNames(spots).map((name): [string, FeltLayout] => [name, drawerLayout(spots, name)])]
}

describe.each(books)('$book', ({ spots }) => {
  it('has a box for every spot, and room for all odds', () => {
    const phone = [phoneLayout(spots), ...drawerNames(spots).map((name) => drawerLayout(spots, name))].flatMap(
      (felt) => felt.boxes,
    )
    for (const boxes of [desktopLayout(spots).boxes, phone]) {
      const drawn = boxes.map((box) => box.spot)
      expect(new Set(drawn).size).toBe(drawn.length)
      for (const spot of spots) expect(drawn.includes(spot.spot) || isBeside(spot, boxes), spot.spot).toBe(true)
    }
  })

  it.each(layoutsOf(spots))('%s: no boxes overlap or leave the felt', (_, felt) => {
    for (const [index, box] of felt.boxes.entries()) {
      expect(box.x, box.spot).toBeGreaterThanOrEqual(0)
      expect(box.y, box.spot).toBeGreaterThanOrEqual(0)
      expect(box.x + box.w, box.spot).toBeLessThanOrEqual(felt.width + 0.01)
      expect(box.y + box.h, box.spot).toBeLessThanOrEqual(felt.height + 0.01)
      for (const other of felt.boxes.slice(index + 1))
        expect(overlap(box, other), `${box.spot} and ${other.spot}`).toBe(false)
    }
  })

  it.each(layoutsOf(spots))('%s: boxes are large enough, labels are readable and chips are inside', (name, felt) => {
    const minSize = name.includes('desktop') ? 24 : MIN_TARGET_PX
    for (const box of felt.boxes) {
      expect(Math.min(box.w, box.h), box.spot).toBeGreaterThanOrEqual(minSize - 0.01)
      expect(box.zone.x, box.spot).toBeGreaterThan(box.x)
      expect(box.zone.x, box.spot).toBeLessThan(box.x + box.w)
      expect(box.zone.y, box.spot).toBeGreaterThan(box.y)
      expect(box.zone.y, box.spot).toBeLessThan(box.y + box.h)
      for (const label of box.labels) {
        expect(label.size, `${box.spot}: ${label.text}`).toBeGreaterThanOrEqual(8)
        if (label.rotation) continue
        const width = textWidth(label.text, label.size, label.serif, label.letterSpacing)
        const left =
          label.anchor === 'middle' ? label.x - width / 2 : label.anchor === 'end' ? label.x - width : label.x
        expect(left + width, `${box.spot}: ${label.text}`).toBeLessThanOrEqual(box.x + box.w + 3)
      }
    }
  })

  it('grows with the height of a phone, up to a limit', () => {
    const { height } = phoneLayout(spots)
    expect(phoneLayout(spots, height - 50).height).toBe(height)
    expect(phoneLayout(spots, height + 50).height).toBe(height + 50)
    expect(phoneLayout(spots, height + 5000).height).toBe(height + 2 * PHONE.maxExtra)
  })

  it('lets the arrow keys reach every box', () => {
    for (const [, felt] of layoutsOf(spots)) {
      const start = felt.boxes[0]
      if (!start) continue
      const reached = new Set([start])
      const todo = [start]
      for (let box = todo.pop(); box; box = todo.pop()) {
        for (const [dx, dy] of [
          [1, 0],
          [-1, 0],
          [0, 1],
          [0, -1],
        ] as const) {
          const next = neighborBox(felt.boxes, box, dx, dy)
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
    const bets: PlacedBet[] = spots
      .filter((spot) => !isOdds(spot))
      .map((spot, index) => ({
        spot: spot.spot,
        player: 'a',
        tag: String(index),
        stake_cents: 500,
        call: '',
        working: true,
        base_tag: null,
        marks: [],
        bet_spot: spot.spot,
      }))
    const { chips } = positionChips(desktopLayout(spots), {
      bets,
      seats: [{ player: 'a', name: 'Ann' }],
      you: 'a',
    } as unknown as TableView)
    expect(chips.length).toBe(bets.length)
  })

  it.each(layoutsOf(spots))('%s: odds are drawn inside the box of their wager', (_, felt) => {
    const backed = spots.filter((spot) => isBeside(spot, felt.boxes)).map((spot) => spot.spot.replace(/_odds$/, ''))
    for (const box of felt.boxes.filter(({ spot }) => backed.includes(kindOf(spot)) && spot.includes(':'))) {
      const base = {
        spot: box.spot,
        player: 'a',
        tag: '1',
        stake_cents: 500,
        call: '',
        working: true,
        base_tag: null,
        marks: [],
        bet_spot: box.spot,
      } satisfies PlacedBet
      const odds = { ...base, spot: `${kindOf(box.spot)}_odds`, tag: '2', base_tag: '1' }
      const { chips } = positionChips(felt, { bets: [base, odds], seats: [], you: 'a' })
      expect(
        chips.map(({ bet }) => bet.tag),
        box.spot,
      ).toEqual(['1', '2'])
      for (const { x, y, r } of chips) {
        expect(x - r, box.spot).toBeGreaterThanOrEqual(box.x)
        expect(x + r, box.spot).toBeLessThanOrEqual(box.x + box.w)
        expect(y - r * 0.8, box.spot).toBeGreaterThanOrEqual(box.y)
        expect(y + r * 0.8, box.spot).toBeLessThanOrEqual(box.y + box.h)
      }
    }
  })
})

describe('markers of fire and bonus bets', () => {
  const spots = books.find(({ book }) => book === 'maryland')?.spots ?? []
  const without = (...kinds: string[]) => spots.filter((spot) => !kinds.includes(spot.spot))
  const marked = (felt: FeltLayout) => felt.bonus.map((marker) => marker.number)

  it.each([
    ['desktop', desktopLayout],
    ['drawer', (list: Spot[]) => drawerLayout(list, 'Bonus')],
  ] as const)('%s: every number has one marker', (_, layout) => {
    expect(marked(layout(spots)).sort((a, b) => a - b)).toEqual([2, 3, 4, 5, 6, 8, 9, 10, 11, 12])
    expect(marked(layout(without('small'))).sort((a, b) => a - b)).toEqual([2, 3, 4, 5, 6, 8, 9, 10, 11, 12])
    expect(marked(layout(without('all', 'small')))).toEqual([8, 9, 10, 11, 12])
  })

  it('are those of the server', () => {
    const other = spots.map((spot) => (spot.spot === 'fire' ? { ...spot, collects: [4, 10] } : spot))
    expect(desktopLayout(other).fire.map((marker) => marker.number)).toEqual([4, 10])
    expect(drawerLayout(other, 'Fire').fire.map((marker) => marker.number)).toEqual([4, 10])
  })
})

describe('the amount paid to a winner', () => {
  it('is the win without the vig', () => {
    expect(paidText({ net_cents: 2000, vig_cents: 100 }, 'USD')).toBe('+$19')
    expect(paidText({ net_cents: 1400 }, 'SGD')).toBe('+S$14')
    expect(paidText({ net_cents: 50, vig_cents: 100 }, 'USD')).toBe('−$0.50')
    expect(paidText(undefined, 'USD')).toBe('')
  })
})
