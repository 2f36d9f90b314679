// The line side of the desktop felt.

import { addFieldRow, addListRow } from './fieldBoxes'
import { addBonusRow, addFireRow } from './fireAndBonusBoxes'
import { addComeBox, addDontPassBox, addPassLineBox, addPassOddsBox } from './lineBoxes'
import { emptyLineSide } from './lineSide'
import type { LineSide } from './lineSide'
import { addNumbersRow } from './numberBoxes'
import { divide } from './shapes'
import type { SpotGroups } from './spotGroups'

/** A row of the line side and its share of the height. */
interface Row {
  kind: 'bonus' | 'fire' | 'numbers' | 'come' | 'field' | 'dont' | 'line' | 'odds' | 'more'
  weight: number
}

function rowsOf(groups: SpotGroups): Row[] {
  const odds = groups.get('pass_odds')
  const rows: Row[] = [
    { kind: 'bonus', weight: groups.bonus.length ? 0.086 : 0 },
    { kind: 'fire', weight: groups.fire.length ? 0.098 : 0 },
    { kind: 'numbers', weight: groups.above.length ? 0.448 : 0.4 },
    { kind: 'come', weight: groups.get('come') ? 0.1 : 0 },
    { kind: 'field', weight: groups.fieldRow.length ? 0.118 : 0 },
    { kind: 'more', weight: groups.more.length ? 0.1 : 0 },
    { kind: 'dont', weight: groups.get('dont_pass') ? 0.088 : 0 },
    { kind: 'line', weight: odds ? 0.082 : 0.11 },
    { kind: 'odds', weight: odds ? 0.078 : 0 },
  ]
  return rows.filter((row) => row.weight > 0)
}

export function desktopLineSide(
  groups: SpotGroups,
  left: number,
  top: number,
  w: number,
  h: number,
  bothArms: boolean,
): LineSide {
  const side = emptyLineSide()
  const rows = rowsOf(groups)
  const places = divide(
    top,
    h,
    4,
    rows.map((row) => row.weight),
  )
  const at = new Map(rows.map((row, index) => [row.kind, places[index] ?? { at: top, size: 0 }]))
  const arm = Math.round(w * (bothArms ? 0.052 : 0.066))
  const inner = { x: left + arm + 4, w: w - (arm + 4) * (bothArms ? 2 : 1) }
  for (const row of rows) {
    const { at: y, size } = at.get(row.kind) ?? { at: 0, size: 0 }
    if (row.kind === 'bonus') addBonusRow(side, groups.bonus, groups.bonus, left, y, w, size)
    if (row.kind === 'fire') addFireRow(side, groups.fire, left, y, w, size)
    if (row.kind === 'numbers') addNumbersRow(side, groups, inner.x, y, inner.w, size)
    if (row.kind === 'come') addComeBox(side, groups, inner.x, y, inner.w, size)
    if (row.kind === 'field') addFieldRow(side, groups.fieldRow, inner.x, y, inner.w, size)
    if (row.kind === 'more') addListRow(side, groups.more, inner.x, y, inner.w, size)
    if (row.kind === 'dont') addDontPassBox(side, groups, inner.x, y, inner.w, size)
  }
  const numbers = at.get('numbers')
  const line = at.get('line')
  if (numbers && line) addPassLineBox(side, groups, left, numbers.at, w, line.at, line.size, arm, bothArms)
  const odds = at.get('odds')
  if (odds) addPassOddsBox(side, groups, left + arm * 0.7, odds.at, w - arm * 0.7 * (bothArms ? 2 : 1), odds.size)
  return side
}
