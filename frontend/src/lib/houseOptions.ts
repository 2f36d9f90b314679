// The options of a house as form fields. The server says what may be chosen, and checks it.

import { formatAmount, formatMoney, parseMoney } from './money'
import constants from './server-constants.json'
import type { ErrorBody } from './serverTypes'

export type ScalarValue = boolean | number | string
export type OptionValue = ScalarValue | ScalarValue[] | { [key: string]: ScalarValue }

export interface InputChoice {
  value: ScalarValue
  title: string
  allowed: boolean
  required: boolean
}

export interface InputType {
  kind: 'flag' | 'number' | 'choice' | 'wagers' | 'odds' | 'table'
  unit: string
  minimum: number | null
  maximum: number | null
  step: number
  allows_none: boolean
  minimum_odds: string
  choices: InputChoice[]
  fields: InputField[]
}

export interface InputField {
  key: string
  title: string
  default: number | string | null
  form: InputType
}

export interface HouseOption {
  name: string
  group: string
  title: string
  description: string
  book_default: OptionValue
  house_default: OptionValue
  allowed: string[]
  cite: string
  bounds_cite: string
  is_fixed: boolean
  form: InputType
}

export interface BookSummary {
  id: string
  code: string
  title: string
  source: string
  summary: string
  currency: string
  games: string[]
  wagers: string[]
  min_bet: number | null
  max_bet: number | null
}

export interface BookDetails extends BookSummary {
  max_bots: number
  groups: { id: string; title: string; common: boolean }[]
  options: HouseOption[]
}

export interface OptionGroup {
  id: string
  title: string
  options: HouseOption[]
  /** Options for which the book leaves no choice. */
  fixed: HouseOption[]
}

/** Group the options in the server's order, common groups first. Empty groups are left out. */
export function groupOptions(book: BookDetails): { common: OptionGroup[]; rest: OptionGroup[] } {
  const groups = book.groups.map(({ id, title, common }) => {
    const members = book.options.filter((option) => option.group === id)
    return {
      id,
      title,
      common,
      options: members.filter((option) => !option.is_fixed),
      fixed: members.filter((option) => option.is_fixed),
    }
  })
  const nonEmpty = groups.filter((group) => group.options.length + group.fixed.length)
  return { common: nonEmpty.filter((group) => group.common), rest: nonEmpty.filter((group) => !group.common) }
}

/** For each unit, the divisor and the suffix of the numbers shown. */
const UNITS: Record<string, { divisor: number; suffix: string }> = {
  basis_points: { divisor: 100, suffix: ' %' },
  times: { divisor: 1, suffix: ' times' },
  total: { divisor: 1, suffix: '' },
}

/** Format a number with its unit: $10, 5 %, 3 times. */
export function formatNumber(form: InputType, value: number, currency: string): string {
  if (form.unit === 'cents') return formatMoney(value, currency)
  const { divisor, suffix } = UNITS[form.unit] ?? { divisor: 1, suffix: '' }
  return `${value / divisor}${suffix}`
}

/** Format the bounds of a number. A maximum that no stake can reach is left out. */
export function formatRange(form: InputType, currency: string): string {
  const minimum = form.minimum ?? 0
  const maximum = form.maximum !== null && form.maximum < constants.max_stake_cents ? form.maximum : null
  const none = form.allows_none ? ', or none' : ''
  if (maximum === null) return `${formatNumber(form, minimum, currency)} or more${none}`
  const from = form.unit === 'cents' ? formatNumber(form, minimum, currency) : formatInput(form, minimum)
  return `${from} to ${formatNumber(form, maximum, currency)}${none}`
}

/** Format a value for an input field. */
export function formatInput(form: InputType, value: unknown): string {
  if (value === 'none' || value === null || value === undefined) return ''
  if (form.kind !== 'number') return typeof value === 'string' ? value : JSON.stringify(value)
  return form.unit === 'cents' ? formatAmount(Number(value)) : String(Number(value) / (UNITS[form.unit]?.divisor ?? 1))
}

/** Parse the text of an input field, or return null if it is invalid. The server checks whether the value is allowed. */
export function parseInput(form: InputType, text: string): ScalarValue | null {
  const trimmed = text.trim()
  if (form.kind === 'odds') return trimmed || null
  if (!trimmed) return form.allows_none ? 'none' : null
  if (form.unit === 'cents') return parseMoney(trimmed)
  const number = Number(trimmed.replace(/\s*%$/, '')) * (UNITS[form.unit]?.divisor ?? 1)
  const whole = Math.round(number)
  return Number.isFinite(number) && Math.abs(number - whole) < 1e-6 ? whole : null
}

/** Format a value as text, with the server's titles. */
export function formatValue(form: InputType, value: unknown, currency: string): string {
  if (Array.isArray(value)) return value.map((item) => titleOf(form, item as ScalarValue)).join(', ') || 'none'
  if (typeof value === 'object' && value !== null) {
    const values = value as Record<string, unknown>
    const fields = form.fields.filter((field) => values[field.key] !== undefined)
    return (
      fields.map((field) => `${field.title}: ${formatValue(field.form, values[field.key], currency)}`).join(', ') ||
      'as in the book'
    )
  }
  if (typeof value === 'number' && form.unit) return formatNumber(form, value, currency)
  return titleOf(form, value as ScalarValue)
}

function titleOf(form: InputType, value: ScalarValue): string {
  return form.choices.find((choice) => choice.value === value)?.title ?? String(value)
}

/** Return the value of an option, or of one key of it, before any change: the house's value or the book's default. */
export function initialValue(option: HouseOption, key?: string): unknown {
  if (key === undefined) return option.house_default
  const houseValue = (option.house_default as Record<string, ScalarValue>)[key]
  return houseValue ?? option.form.fields.find((field) => field.key === key)?.default ?? null
}

export type OptionChanges = Record<string, OptionValue>

/** Return the changes with one more. Setting the initial value removes the change. */
export function withChange(
  changes: OptionChanges,
  option: HouseOption,
  value: ScalarValue | ScalarValue[] | null,
  key?: string,
): OptionChanges {
  const { [option.name]: previous, ...others } = changes
  if (key === undefined)
    return isEqual(value, initialValue(option)) || value === null ? others : { ...others, [option.name]: value }
  const { [key]: _old, ...rest } = (previous ?? {}) as Record<string, ScalarValue>
  const keys =
    isEqual(value, initialValue(option, key)) || value === null ? rest : { ...rest, [key]: value as ScalarValue }
  return Object.keys(keys).length ? { ...others, [option.name]: keys } : others
}

/** Compare two values. The order of a list of wagers does not matter. */
function isEqual(a: unknown, b: unknown): boolean {
  if (Array.isArray(a) && Array.isArray(b)) return a.length === b.length && a.every((item) => b.includes(item))
  return a === b
}

/** Return the option, and its key, that an error belongs to. */
export function optionAtFault(
  errorPath: string | undefined,
  book: BookDetails,
): { name: string; key: string | null } | null {
  const [name, ...rest] = (errorPath ?? '').split('.')
  if (!book.options.some((option) => option.name === name)) return null
  return { name: name ?? '', key: rest.join('.') || null }
}

/** Return an error for display beside its option: without the option's name and clauses, which are shown there already. */
export function optionError(option: HouseOption, changes: OptionChanges, error: ErrorBody, currency: string): string {
  const { form } = option
  const value = changes[option.name]
  const isOutside = typeof value === 'number' && (value < (form.minimum ?? value) || value > (form.maximum ?? value))
  if (form.kind === 'number' && isOutside)
    return `${formatNumber(form, value, currency)} is not allowed. Allowed: ${formatRange(form, currency)}.`
  const message = error.message.startsWith(`${error.field}: `)
    ? error.message.slice((error.field ?? '').length + 2)
    : error.message
  const citation = ` (${(error.cite ?? []).join('; ')})`
  return message.endsWith(citation) ? message.slice(0, -citation.length) : message
}
