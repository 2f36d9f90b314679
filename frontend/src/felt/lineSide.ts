// The line side of a felt while it is being laid out.

import type { Box, FeltLayout, Frame } from './shapes'

export interface LineSide {
  frames: Frame[]
  boxes: Box[]
  puck: FeltLayout['puck']
  columns: FeltLayout['columns']
  fire: FeltLayout['fire']
  bonus: FeltLayout['bonus']
}

export function emptyLineSide(): LineSide {
  return { frames: [], boxes: [], puck: { on: {}, off: { x: 0, y: 0 }, r: 15 }, columns: {}, fire: [], bonus: [] }
}
