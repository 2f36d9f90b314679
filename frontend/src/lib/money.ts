// Money is counted in cents. These functions format and parse it.

import constants from './server-constants.json'

const SYMBOLS: Record<string, string> = constants.currency_symbols

export const currencySymbol = (currency: string) => SYMBOLS[currency] ?? `${currency} `

/** 1250 is $12.50, 1200 is $12, -500 is −$5. */
export function formatMoney(cents: number, currency = 'USD'): string {
  const whole = Math.floor(Math.abs(cents) / 100).toLocaleString('en-US')
  const rest = Math.abs(cents) % 100
  return `${cents < 0 ? '−' : ''}${currencySymbol(currency)}${whole}${rest ? `.${String(rest).padStart(2, '0')}` : ''}`
}

/** Return the short text that is printed on a chip: 5, 12.50, 1.5k. */
export function chipLabel(cents: number): string {
  const whole = cents / 100
  if (whole >= 10_000) return `${Math.floor(whole / 1000)}k`
  if (whole >= 1000) return `${Math.floor(whole / 100) / 10}k`
  return Number.isInteger(whole) ? String(whole) : whole.toFixed(2)
}

/** Parse an amount such as 12.5 or $1,000 and return cents, or null if it is not one. 12,50 is not an amount. */
export function parseMoney(text: string): number | null {
  const [, whole, rest] = /^[A-Z]{0,3}\p{Sc}?\s*(\d{1,3}(?:,\d{3})+|\d{1,13})(?:\.(\d{1,2}))?$/u.exec(text.trim()) ?? []
  if (whole === undefined) return null
  return Number(whole.replaceAll(',', '')) * 100 + Number((rest ?? '').padEnd(2, '0'))
}

/** Format cents for an input field, without a symbol: 1250 is 12.50, 1200 is 12. */
export function formatAmount(cents: number): string {
  return cents % 100 ? (cents / 100).toFixed(2) : String(cents / 100)
}
