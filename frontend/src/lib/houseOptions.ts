// The options of a house as fields of a form. What may be asked for comes from the server, which also judges.

import { money, readMoney, written } from './money'
import terms from './terms.json'
import type { ApiError } from './types'

export type Plain = boolean | number | string
export type Value = Plain | Plain[] | { [key: string]: Plain }

export interface FormChoice {
  value: Plain
  title: string
  lawful: boolean
  needed: boolean
}

export interface Form {
  kind: 'flag' | 'number' | 'choice' | 'wagers' | 'odds' | 'table'
  unit: string
  least: number | null
  most: number | null
  step: number
  or_none: boolean
  least_odds: string
  choices: FormChoice[]
  fields: FormField[]
}

export interface FormField {
  key: string
  title: string
  default: number | string | null
  form: Form
}

export interface Option {
  name: string
  group: string
  title: string
  meaning: string
  book_default: Value
  house_default: Value
  lawful: string[]
  cite: string
  law: string
  settled: boolean
  form: Form
}

export interface BookCard {
  id: string
  code: string
  title: string
  text: string
  special: string
  currency: string
  games: string[]
  wagers: string[]
  min_bet: number | null
  max_bet: number | null
}

export interface Book extends BookCard {
  most_bots: number
  groups: { id: string; title: string; common: boolean }[]
  options: Option[]
}

export interface Group {
  id: string
  title: string
  options: Option[]
  /** What the book leaves no choice in. */
  settled: Option[]
}

/** Groups in the server's order, the common ones apart; a group with nothing in it is left out. */
export function grouped(book: Book): { common: Group[]; rest: Group[] } {
  const groups = book.groups.map(({ id, title, common }) => {
    const own = book.options.filter((option) => option.group === id)
    return { id, title, common, options: own.filter((one) => !one.settled), settled: own.filter((one) => one.settled) }
  })
  const there = groups.filter((group) => group.options.length + group.settled.length)
  return { common: there.filter((group) => group.common), rest: there.filter((group) => !group.common) }
}

// What a number is divided by where people read and write it, and what stands behind it.
const UNITS: Record<string, { per: number; after: string }> = {
  basis_points: { per: 100, after: ' %' },
  times: { per: 1, after: ' times' },
  total: { per: 1, after: '' },
}

/** A value of a number in words: $10, 5 %, 3 times. */
export function numberInWords(form: Form, value: number, currency: string): string {
  if (form.unit === 'cents') return money(value, currency)
  const { per, after } = UNITS[form.unit] ?? { per: 1, after: '' }
  return `${value / per}${after}`
}

/** The bounds of a number in words; a bound that nobody meets is not told. */
export function range(form: Form, currency: string): string {
  const least = form.least ?? 0
  const most = form.most !== null && form.most < terms.stake_most_cents ? form.most : null
  const none = form.or_none ? ', or none' : ''
  if (most === null) return `${numberInWords(form, least, currency)} or more${none}`
  const from = form.unit === 'cents' ? numberInWords(form, least, currency) : toText(form, least)
  return `${from} to ${numberInWords(form, most, currency)}${none}`
}

/** What stands in the field for a value. */
export function toText(form: Form, value: unknown): string {
  if (value === 'none' || value === null || value === undefined) return ''
  if (form.kind !== 'number') return String(value)
  return form.unit === 'cents' ? written(Number(value)) : String(Number(value) / (UNITS[form.unit]?.per ?? 1))
}

/** The value of what was written; null when it cannot be read. Whether it is lawful is for the server to say. */
export function fromText(form: Form, text: string): Plain | null {
  const given = text.trim()
  if (form.kind === 'odds') return given || null
  if (!given) return form.or_none ? 'none' : null
  if (form.unit === 'cents') return readMoney(given)
  const number = Number(given.replace(/\s*%$/, '')) * (UNITS[form.unit]?.per ?? 1)
  const whole = Math.round(number)
  return Number.isFinite(number) && Math.abs(number - whole) < 1e-6 ? whole : null
}

/** What is shown for a value that cannot be changed. */
export function shown(form: Form, value: unknown, currency: string): string {
  if (Array.isArray(value)) return value.map((one) => titleOf(form, one as Plain)).join(', ') || 'none'
  if (typeof value === 'object' && value !== null) {
    const given = value as Record<string, unknown>
    const own = form.fields.filter((field) => given[field.key] !== undefined)
    return own.map((field) => `${field.title}: ${shown(field.form, given[field.key], currency)}`).join(', ') || 'as the book says'
  }
  if (typeof value === 'number' && form.unit) return numberInWords(form, value, currency)
  return titleOf(form, value as Plain)
}

function titleOf(form: Form, value: Plain): string {
  return form.choices.find((choice) => choice.value === value)?.title ?? String(value)
}

/** What to show before anything was changed: the house's value, or what stands at a key by the book. */
export function atFirst(option: Option, key?: string): unknown {
  if (key === undefined) return option.house_default
  const own = (option.house_default as Record<string, Plain>)[key]
  return own ?? option.form.fields.find((field) => field.key === key)?.default ?? null
}

export type Changes = Record<string, Value>

/** Changes with one more; what is as it was at first is no change. */
export function changed(changes: Changes, option: Option, value: Plain | Plain[] | null, key?: string): Changes {
  const { [option.name]: before, ...others } = changes
  if (key === undefined) return same(value, atFirst(option)) || value === null ? others : { ...others, [option.name]: value }
  const { [key]: _, ...rest } = (before ?? {}) as Record<string, Plain>
  const now = same(value, atFirst(option, key)) || value === null ? rest : { ...rest, [key]: value as Plain }
  return Object.keys(now).length ? { ...others, [option.name]: now } : others
}

/** Lists of wagers are the same whatever their order. */
function same(one: unknown, other: unknown): boolean {
  if (Array.isArray(one) && Array.isArray(other)) return one.length === other.length && one.every((item) => other.includes(item))
  return one === other
}

/** The option that a no is about, and the key in it. */
export function blamed(where: string | undefined, book: Book): { name: string; key: string | null } | null {
  const [name, ...rest] = (where ?? '').split('.')
  if (!book.options.some((option) => option.name === name)) return null
  return { name: name ?? '', key: rest.join('.') || null }
}

/** A no at its option: without the name of the option and the clauses, which stand beside it; amounts as people write them. */
export function saidAt(option: Option, changes: Changes, error: ApiError, currency: string): string {
  const { form } = option
  const value = changes[option.name]
  const isOutside = typeof value === 'number' && (value < (form.least ?? value) || value > (form.most ?? value))
  if (form.kind === 'number' && isOutside) return `${numberInWords(form, value as number, currency)} is not allowed: ${range(form, currency)}.`
  const told = error.sentence.startsWith(`${error.where}: `) ? error.sentence.slice((error.where ?? '').length + 2) : error.sentence
  const because = ` (${(error.cite ?? []).join('; ')})`
  return told.endsWith(because) ? told.slice(0, -because.length) : told
}
