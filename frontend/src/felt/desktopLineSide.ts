// The line side of a felt that is as wide as a table.

import { bandRow, plainRow } from './field'
import { bonusRow, fireRow } from './hand'
import { comeBox, dontBox, lineBox, oddsBox } from './line'
import { numbersRow } from './numbers'
import type { Side } from './side'
import { emptySide } from './side'
import { share } from './shapes'
import type { Sorted } from './spots'

/** What a row of the line side is called and how much of the height it takes. */
interface Row {
  what: 'bonus' | 'fire' | 'numbers' | 'come' | 'band' | 'dont' | 'line' | 'odds' | 'more'
  weight: number
}

function rowsOf(sorted: Sorted): Row[] {
  const odds = sorted.get('pass_odds')
  const rows: Row[] = [
    { what: 'bonus', weight: sorted.bonus.length ? 0.086 : 0 },
    { what: 'fire', weight: sorted.fire.length ? 0.098 : 0 },
    { what: 'numbers', weight: sorted.above.length ? 0.448 : 0.4 },
    { what: 'come', weight: sorted.get('come') ? 0.1 : 0 },
    { what: 'band', weight: sorted.band.length ? 0.118 : 0 },
    { what: 'more', weight: sorted.more.length ? 0.1 : 0 },
    { what: 'dont', weight: sorted.get('dont_pass') ? 0.088 : 0 },
    { what: 'line', weight: odds ? 0.082 : 0.11 },
    { what: 'odds', weight: odds ? 0.078 : 0 },
  ]
  return rows.filter((row) => row.weight > 0)
}

export function wideSide(sorted: Sorted, left: number, top: number, w: number, h: number, bothArms: boolean): Side {
  const side = emptySide()
  const rows = rowsOf(sorted)
  const places = share(top, h, 4, rows.map((row) => row.weight))
  const at = new Map(rows.map((row, index) => [row.what, places[index] ?? { at: top, size: 0 }]))
  const arm = Math.round(w * (bothArms ? 0.052 : 0.066))
  const inner = { x: left + arm + 4, w: w - (arm + 4) * (bothArms ? 2 : 1) }
  for (const row of rows) {
    const { at: y, size } = at.get(row.what) ?? { at: 0, size: 0 }
    if (row.what === 'bonus') bonusRow(side, sorted.bonus, sorted.bonus, left, y, w, size)
    if (row.what === 'fire') fireRow(side, sorted.fire, left, y, w, size)
    if (row.what === 'numbers') numbersRow(side, sorted, inner.x, y, inner.w, size)
    if (row.what === 'come') comeBox(side, sorted, inner.x, y, inner.w, size)
    if (row.what === 'band') bandRow(side, sorted.band, inner.x, y, inner.w, size)
    if (row.what === 'more') plainRow(side, sorted.more, inner.x, y, inner.w, size)
    if (row.what === 'dont') dontBox(side, sorted, inner.x, y, inner.w, size)
  }
  const numbers = at.get('numbers')
  const line = at.get('line')
  if (numbers && line) lineBox(side, sorted, left, numbers.at, w, line.at, line.size, arm, bothArms)
  const odds = at.get('odds')
  if (odds) oddsBox(side, sorted, left + arm * 0.7, odds.at, w - arm * 0.7 * (bothArms ? 2 : 1), odds.size)
  return side
}
