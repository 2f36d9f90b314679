// What a felt is drawn from: boxes that are spots, frames that are not, words and dice. Plain data, no drawing here.

export type Ink = 'ink' | 'gold' | 'dont'
export type Cloth = 'felt' | 'felt-2' | 'dont' | 'centre' | 'centre-2' | 'fire' | 'bonus' | 'none'

export interface Words {
  x: number
  y: number
  text: string
  size: number
  ink: Ink
  serif?: boolean
  bold?: boolean
  anchor?: 'start' | 'middle' | 'end'
  /** Space between letters. */
  wide?: number
  /** Turned to read upwards (-90) or downwards (90). */
  turn?: number
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
  /** A drawn outline instead of the rectangle. */
  path?: string
  round?: number
  dashed?: boolean
  words: Words[]
  pips: Pips[]
  rings: Ring[]
}

/** Where chips stand in a box: the first at x, y, the next `step` further, so many of them; odds lean beside or above. */
export interface Zone {
  x: number
  y: number
  r: number
  step: number
  most: number
  odds?: 'above'
}

export interface Box extends Frame {
  spot: string
  group: string
  zone: Zone
}

export interface Marker {
  number: number
  x: number
  y: number
  r: number
}

export interface Felt {
  width: number
  height: number
  frames: Frame[]
  boxes: Box[]
  /** Where the puck stands on each number, and where it waits. */
  puck: { on: Record<number, { x: number; y: number }>; off: { x: number; y: number }; r: number }
  /** The number boxes, to light up the point. */
  columns: Record<number, Frame>
  fire: Marker[]
  bonus: Marker[]
  /** Where dice and call are drawn, on a felt that has room for them. */
  tray: { x: number; y: number; w: number; h: number } | null
}

export function frame(x: number, y: number, w: number, h: number, more: Partial<Frame> = {}): Frame {
  return { x, y, w, h, cloth: 'none', edge: 'ink', words: [], pips: [], rings: [], ...more }
}

export function box(spot: { spot: string }, group: string, x: number, y: number, w: number, h: number, more: Partial<Box> & Pick<Box, 'zone'>): Box {
  return { ...frame(x, y, w, h), spot: spot.spot, group, ...more }
}

export function words(x: number, y: number, text: string, size: number, ink: Ink, more: Partial<Words> = {}): Words {
  return { x, y, text, size, ink, ...more }
}

/** About how wide bold words are in the widest of the faces that a browser may have here. */
export function widthOf(text: string, size: number, serif = false, wide = 0): number {
  let em = 0
  for (const letter of text) {
    if (letter === ' ') em += 0.35
    else if ('iIl.,:·\'’|!'.includes(letter)) em += 0.4
    else if ('MWmw'.includes(letter)) em += 1.05
    else if (letter >= 'A' && letter <= 'Z') em += serif ? 0.83 : 0.76
    else em += serif ? 0.69 : 0.68
  }
  return em * size + wide * text.length
}

/** The size at which words fit, at most the one that is wished for. */
export function fit(text: string, size: number, room: number, serif = false, wide = 0): number {
  const width = widthOf(text, size, serif, wide)
  return width <= room ? size : Math.max(6, Math.floor(((size * room) / width) * 10) / 10)
}

/** Shares of a length, by weight, with gaps between them. */
export function share(start: number, length: number, gap: number, weights: number[]): { at: number; size: number }[] {
  const whole = weights.reduce((sum, one) => sum + one, 0)
  const room = length - gap * (weights.length - 1)
  let at = start
  return weights.map((weight) => {
    const size = (room * weight) / whole
    const found = { at, size }
    at += size + gap
    return found
  })
}
