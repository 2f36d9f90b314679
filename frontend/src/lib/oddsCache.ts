// What a spot is worth, and where a book is silent: asked for once, and kept.

import { get, query } from './api'

export interface Share {
  exact: string
  percent: string
}

export interface Figures {
  name: string
  /** The number that odds stand on. */
  on: number | null
  stake: number
  edge: Share
  words: string
  edge_resolved: Share
  edge_per_roll: Share
  spread: string
  win: Share
  lose: Share
  void: Share
  rolls: string
}

export interface SpotOdds {
  spot: string
  figures: Figures[]
}

export interface Silence {
  id: string
  about: string
  says: string
  we_do: string
  why: string
  options: string[]
}

const KEPT = 300

/** Remember promises by a key; one that failed is forgotten, and so is the oldest of too many. */
export class Memory<T> {
  private kept = new Map<string, Promise<T>>()

  constructor(private readonly most = KEPT) {}

  of(key: string, make: () => Promise<T>): Promise<T> {
    const known = this.kept.get(key)
    if (known) return known
    const made = make()
    this.kept.set(key, made)
    made.catch(() => this.kept.delete(key))
    const [oldest] = this.kept.keys()
    if (this.kept.size > this.most && oldest !== undefined) this.kept.delete(oldest)
    return made
  }
}

const cards = new Memory<SpotOdds>()
const silences = new Memory<Silence[]>()

export function oddsOf(table: string, house: string, spot: string, invitation: string | null): Promise<SpotOdds> {
  return cards.of(`${house} ${spot}`, () => get<SpotOdds>(query(`/api/tables/${table}/odds`, { spot, invitation })))
}

export function silencesOf(book: string): Promise<Silence[]> {
  return silences.of(book, () => get<Silence[]>(`/api/books/${book}/silences`))
}

/** Edge and spread in a line for each bet; numbers with the same ones share a line. */
export function edgeLines(figures: Figures[], unit: string): string[] {
  const lines = new Map<string, Figures[]>()
  for (const one of figures) {
    const line = `${one.words}, ${one.spread} per ${unit}`
    lines.set(line, [...(lines.get(line) ?? []), one])
  }
  return [...lines].map(([line, all]) => {
    const numbers = all.flatMap((one) => (one.on === null ? [] : [one.on]))
    if (numbers.length) return `${line} (${numbers.join(', ')})`
    return all.includes(figures[0] as Figures) ? line : `${line} with full odds`
  })
}
