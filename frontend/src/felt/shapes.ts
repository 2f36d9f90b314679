// The shapes a felt is drawn from: boxes for spots, frames for everything else, labels and dice. Plain data only.

export type Ink = 'ink' | 'gold' | 'dont'
export type Cloth = 'felt' | 'felt-2' | 'dont' | 'center' | 'center-2' | 'fire' | 'bonus' | 'none'

export interface Label {
  x: number
  y: number
  text: string
  size: number
  ink: Ink
  serif?: boolean
  bold?: boolean
  anchor?: 'start' | 'middle' | 'end'
  letterSpacing?: number
  /** In degrees: -90 reads upwards, 90 downwards. */
  rotation?: number
}

export interface Pips {
  x: number
  y: number
  size: number
  dice: [number, number]
}

export interface Ring {
  x: number
  y: number
  r: number
}

export interface Frame {
  x: number
  y: number
  w: number
  h: number
  cloth: Cloth
  edge: Ink | 'none' | 'thin' | 'fire' | 'bonus'
  /** An outline that replaces the rectangle. */
  path?: string
  round?: number
  dashed?: boolean
  labels: Label[]
  pips: Pips[]
  rings: Ring[]
}

/** Where chips are drawn in a box: the first at (x, y), each further one `step` to the right. Odds are beside or above. */
export interface ChipZone {
  x: number
  y: number
  r: number
  step: number
  maxChips: number
  odds?: 'above'
}

export interface Box extends Frame {
  spot: string
  group: string
  zone: ChipZone
}

export interface Marker {
  number: number
  x: number
  y: number
  r: number
}

export interface FeltLayout {
  width: number
  height: number
  frames: Frame[]
  boxes: Box[]
  /** The position of the puck on each number, and when it is off. */
  puck: { on: Record<number, { x: number; y: number }>; off: { x: number; y: number }; r: number }
  /** The number columns. That of the point is highlighted. */
  columns: Record<number, Frame>
  fire: Marker[]
  bonus: Marker[]
  /** Where dice and stick call are drawn, if the felt has room for them. */
  tray: { x: number; y: number; w: number; h: number } | null
}

export function frame(x: number, y: number, w: number, h: number, more: Partial<Frame> = {}): Frame {
  return { x, y, w, h, cloth: 'none', edge: 'ink', labels: [], pips: [], rings: [], ...more }
}

export function box(
  spot: { spot: string },
  group: string,
  x: number,
  y: number,
  w: number,
  h: number,
  more: Partial<Box> & Pick<Box, 'zone'>,
): Box {
  return { ...frame(x, y, w, h), spot: spot.spot, group, ...more }
}

export function label(x: number, y: number, text: string, size: number, ink: Ink, more: Partial<Label> = {}): Label {
  return { x, y, text, size, ink, ...more }
}

/** Estimate the width of bold text in the widest font that a browser may use. */
export function textWidth(text: string, size: number, serif = false, letterSpacing = 0): number {
  let em = 0
  for (const letter of text) {
    if (letter === ' ') em += 0.35
    else if ("iIl.,:·'’|!".includes(letter)) em += 0.4
    else if ('MWmw'.includes(letter)) em += 1.05
    else if (letter >= 'A' && letter <= 'Z') em += serif ? 0.83 : 0.76
    else em += serif ? 0.69 : 0.68
  }
  return em * size + letterSpacing * text.length
}

/** Return the largest font size, up to `size`, at which the text fits. */
export function fitFontSize(text: string, size: number, room: number, serif = false, letterSpacing = 0): number {
  const width = textWidth(text, size, serif, letterSpacing)
  return width <= room ? size : Math.max(6, Math.floor(((size * room) / width) * 10) / 10)
}

/** Divide a length by weights, with gaps between the parts. */
export function divide(start: number, length: number, gap: number, weights: number[]): { at: number; size: number }[] {
  const total = weights.reduce((sum, weight) => sum + weight, 0)
  const room = length - gap * (weights.length - 1)
  let at = start
  return weights.map((weight) => {
    const size = (room * weight) / total
    const part = { at, size }
    at += size + gap
    return part
  })
}
