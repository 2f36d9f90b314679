// What the line side of a felt is put together in.

import type { Box, Felt, Frame } from './shapes'

export interface Side {
  frames: Frame[]
  boxes: Box[]
  puck: Felt['puck']
  columns: Felt['columns']
  fire: Felt['fire']
  bonus: Felt['bonus']
}

export function emptySide(): Side {
  return { frames: [], boxes: [], puck: { on: {}, off: { x: 0, y: 0 }, r: 15 }, columns: {}, fire: [], bonus: [] }
}
