// The odds of spots and the silences of books, each requested once and cached.

import { get, withQuery } from './api'

/** A fraction, exact and as a percentage. */
export interface Share {
  exact: string
  percent: string
}

export interface WagerFigures {
  name: string
  /** For odds bets: the number they are on. */
  number: number | null
  stake_cents: number
  edge: Share
  edge_text: string
  edge_per_resolved: Share
  edge_per_roll: Share
  standard_deviation: string
  win: Share
  lose: Share
  push: Share
  mean_rolls: string
}

export interface SpotOdds {
  spot: string
  odds: WagerFigures[]
}

/** A point that a rulebook leaves open, and how this program decides it. */
export interface Silence {
  id: string
  about: string
  says: string
  we_do: string
  why: string
  options: string[]
}

const MAX_ENTRIES = 300

/** Caches promises by key. Drops promises that fail, and the oldest entry when full. */
export class PromiseCache<T> {
  private entries = new Map<string, Promise<T>>()

  constructor(private readonly maxEntries = MAX_ENTRIES) {}

  get(key: string, load: () => Promise<T>): Promise<T> {
    const cached = this.entries.get(key)
    if (cached) return cached
    const loading = load()
    this.entries.set(key, loading)
    loading.catch(() => this.entries.delete(key))
    const [oldest] = this.entries.keys()
    if (this.entries.size > this.maxEntries && oldest !== undefined) this.entries.delete(oldest)
    return loading
  }
}

const oddsCache = new PromiseCache<SpotOdds>()
const silenceCache = new PromiseCache<Silence[]>()

/** Return the odds of a spot. Tables with the same house digest share them. */
export function fetchSpotOdds(
  table: string,
  houseDigest: string,
  spot: string,
  invitation: string | null,
): Promise<SpotOdds> {
  return oddsCache.get(`${houseDigest} ${spot}`, () =>
    get<SpotOdds>(withQuery(`/api/tables/${table}/odds`, { spot, invitation })),
  )
}

export function fetchSilences(book: string): Promise<Silence[]> {
  return silenceCache.get(book, () => get<Silence[]>(`/api/books/${book}/silences`))
}

/** Return a line with edge and standard deviation for each bet. Numbers with equal figures share a line. */
export function edgeLines(figures: WagerFigures[], unit: string): string[] {
  const byText = new Map<string, WagerFigures[]>()
  for (const wager of figures) {
    const text = `${wager.edge_text}, ${wager.standard_deviation} per ${unit}`
    byText.set(text, [...(byText.get(text) ?? []), wager])
  }
  return [...byText].map(([text, wagers]) => {
    const numbers = wagers.flatMap(({ number }) => (number === null ? [] : [number]))
    if (numbers.length) return `${text} (${numbers.join(', ')})`
    return wagers.includes(figures[0] as WagerFigures) ? text : `${text} with full odds`
  })
}
