// The dealer's drill: parsing answers and keeping score.

import { formatMoney, parseMoney } from './money'
import constants from './server-constants.json'
import type { PlacedBet, Spot } from './serverTypes'

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
  bets: (PlacedBet & { name: string })[]
  roll: string
  stick_call: string
}

/** The cents that a wager is paid, or what else happens to it. */
export type ExpectedAnswer = number | string

export interface GradedWager {
  tag: string
  name: string
  is_correct: boolean
  answer: ExpectedAnswer | null
  correct_answer: ExpectedAnswer
  result: string
  sentence: string
  cite: string[]
}

export interface GradedSheet {
  correct: number
  total: number
  wagers: GradedWager[]
}

export type Outcome = 'paid' | 'loses' | 'stays' | 'moves' | 'returned'

export const OUTCOMES: { outcome: Outcome; label: string; key: string }[] = [
  { outcome: 'paid', label: 'Paid', key: 'p' },
  { outcome: 'loses', label: 'Loses', key: 'l' },
  { outcome: 'stays', label: 'Stays', key: 's' },
  { outcome: 'moves', label: 'Moves', key: 'm' },
  { outcome: 'returned', label: 'Returned', key: 'r' },
]

/** The form fields for one wager. */
export interface AnswerDraft {
  outcome: Outcome | ''
  amount: string
}

/** Return the answer for a wager, or null if it is missing or invalid. */
function parseAnswer(draft: AnswerDraft): ExpectedAnswer | null {
  if (draft.outcome === 'paid') return parseMoney(draft.amount)
  return draft.outcome || null
}

export interface AnswerSheet {
  answers: Record<string, ExpectedAnswer>
  /** Tags of wagers without an answer. */
  missing: string[]
  /** Tags of wagers with an invalid amount. */
  invalid: string[]
}

export function parseSheet(drafts: Record<string, AnswerDraft>): AnswerSheet {
  const sheet: AnswerSheet = { answers: {}, missing: [], invalid: [] }
  for (const [tag, draft] of Object.entries(drafts)) {
    const answer = parseAnswer(draft)
    if (answer !== null) sheet.answers[tag] = answer
    else if (draft.outcome === 'paid' && draft.amount.trim()) sheet.invalid.push(tag)
    else sheet.missing.push(tag)
  }
  return sheet
}

/** Return the outcome for a letter key, or null. */
export function outcomeForKey(key: string): Outcome | null {
  return OUTCOMES.find((entry) => entry.key === key.toLowerCase())?.outcome ?? null
}

export function formatExpected(answer: ExpectedAnswer, currency: string): string {
  return typeof answer === 'number' ? `paid ${formatMoney(answer, currency)}` : answer
}

export interface Score {
  correct: number
  total: number
  streak: number
  best: number
}

export const NO_SCORE: Score = { correct: 0, total: 0, streak: 0, best: 0 }

/** Add a graded sheet to the score. The streak counts sheets without a mistake. */
export function addToScore(score: Score, sheet: GradedSheet): Score {
  const streak = sheet.correct === sheet.total ? score.streak + 1 : 0
  return {
    correct: score.correct + sheet.correct,
    total: score.total + sheet.total,
    streak,
    best: Math.max(score.best, streak),
  }
}

/** Parse a stored score. Return an empty score if it is missing or invalid. */
export function parseScore(text: string | null): Score {
  try {
    const stored = JSON.parse(text ?? 'null') as Record<string, unknown> | null
    const count = (key: keyof Score) => {
      const value = stored?.[key]
      if (!Number.isSafeInteger(value) || (value as number) < 0) throw new Error(key)
      return value as number
    }
    return { correct: count('correct'), total: count('total'), streak: count('streak'), best: count('best') }
  } catch {
    return NO_SCORE
  }
}

/** Parse the query of the drill's URL. Missing and invalid values are null. */
export function parseDrillQuery(search: string): { book: string | null; level: number | null; number: number | null } {
  const parameters = new URLSearchParams(search)
  const integer = (key: string, min: number, max: number) => {
    const text = parameters.get(key) ?? ''
    const value = /^\d{1,10}$/.test(text) ? Number(text) : NaN
    return value >= min && value <= max ? value : null
  }
  return {
    book: parameters.get('book'),
    level: integer('level', 1, constants.drill_levels),
    number: integer('number', 0, constants.drill_exercises - 1),
  }
}

/** Return the number of a random exercise. */
export function randomExercise(random: () => number = Math.random): number {
  return Math.floor(random() * constants.drill_exercises)
}
