// The dealer's drill: reading what somebody answers, and keeping score.

import { money, readMoney } from './money'
import terms from './terms.json'
import type { Chip, Spot } from './types'

export interface Exercise {
  book: { id: string; code: string; title: string }
  house: string
  currency: string
  level: number
  levels: { level: number; title: string }[]
  number: number
  point: number | null
  markers: { fire: number[]; bonus: number[] }
  spots: Spot[]
  chips: (Chip & { name: string })[]
  roll: string
  call: string
}

export type Due = number | string

export interface MarkedWager {
  tag: string
  name: string
  right: boolean
  given: Due | null
  due: Due
  result: string
  sentence: string
  cite: string[]
}

export interface Marks {
  right: number
  of: number
  wagers: MarkedWager[]
}

export type Fate = 'paid' | 'loses' | 'stays' | 'moves' | 'returned'

export const FATES: { fate: Fate; label: string; key: string }[] = [
  { fate: 'paid', label: 'Paid', key: 'p' },
  { fate: 'loses', label: 'Loses', key: 'l' },
  { fate: 'stays', label: 'Stays', key: 's' },
  { fate: 'moves', label: 'Moves', key: 'm' },
  { fate: 'returned', label: 'Returned', key: 'r' },
]

/** What is written down for one wager so far. */
export interface Answer {
  fate: Fate | ''
  amount: string
}

/** The answer of a line, or null where there is none that can be read. */
function answerOf(line: Answer): Due | null {
  if (line.fate === 'paid') return readMoney(line.amount)
  return line.fate || null
}

export interface Sheet {
  answers: Record<string, Due>
  /** The tags that have no answer yet. */
  missing: string[]
  /** The tags whose amount cannot be read. */
  unread: string[]
}

export function readSheet(lines: Record<string, Answer>): Sheet {
  const sheet: Sheet = { answers: {}, missing: [], unread: [] }
  for (const [tag, line] of Object.entries(lines)) {
    const answer = answerOf(line)
    if (answer !== null) sheet.answers[tag] = answer
    else if (line.fate === 'paid' && line.amount.trim()) sheet.unread.push(tag)
    else sheet.missing.push(tag)
  }
  return sheet
}

/** The fate that a letter stands for. */
export function fateOf(key: string): Fate | null {
  return FATES.find((one) => one.key === key.toLowerCase())?.fate ?? null
}

export function dueInWords(due: Due, currency: string): string {
  if (typeof due === 'number') return `paid ${money(due, currency)}`
  return due
}

export interface Score {
  right: number
  of: number
  streak: number
  best: number
}

export const NO_SCORE: Score = { right: 0, of: 0, streak: 0, best: 0 }

/** Count a sheet; the streak is of sheets without a mistake. */
export function counted(score: Score, marks: Marks): Score {
  const streak = marks.right === marks.of ? score.streak + 1 : 0
  return { right: score.right + marks.right, of: score.of + marks.of, streak, best: Math.max(score.best, streak) }
}

/** Read a score that was kept; whatever is not one is a new one. */
export function readScore(text: string | null): Score {
  try {
    const kept = JSON.parse(text ?? 'null') as Record<string, unknown> | null
    const whole = (key: keyof Score) => {
      const value = kept?.[key]
      if (!Number.isSafeInteger(value) || (value as number) < 0) throw new Error(key)
      return value as number
    }
    return { right: whole('right'), of: whole('of'), streak: whole('streak'), best: whole('best') }
  } catch {
    return NO_SCORE
  }
}

/** What an address asks for; what is missing or wrong is left out. */
export function readQuery(search: string): { book: string | null; level: number | null; number: number | null } {
  const given = new URLSearchParams(search)
  const whole = (key: string, least: number, most: number) => {
    const text = given.get(key) ?? ''
    const value = /^\d{1,10}$/.test(text) ? Number(text) : NaN
    return value >= least && value <= most ? value : null
  }
  return { book: given.get('book'), level: whole('level', 1, terms.drill_levels), number: whole('number', 0, terms.drill_numbers - 1) }
}

export function someNumber(random: () => number = Math.random): number {
  return Math.floor(random() * terms.drill_numbers)
}
