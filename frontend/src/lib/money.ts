// Cents as people read them.

import terms from './terms.json'

const SIGNS: Record<string, string> = terms.signs

/** What stands before an amount. */
export const sign = (currency: string) => SIGNS[currency] ?? `${currency} `

/** 1250 is $12.50, 1200 is $12, -500 is −$5. */
export function money(cents: number, currency = 'USD'): string {
  const whole = Math.floor(Math.abs(cents) / 100).toLocaleString('en-US')
  const rest = Math.abs(cents) % 100
  return `${cents < 0 ? '−' : ''}${sign(currency)}${whole}${rest ? `.${String(rest).padStart(2, '0')}` : ''}`
}

/** What is printed on a chip: 5, 12.50, 1.5k. */
export function onChip(cents: number): string {
  const whole = cents / 100
  if (whole >= 10_000) return `${Math.floor(whole / 1000)}k`
  if (whole >= 1000) return `${Math.floor(whole / 100) / 10}k`
  return Number.isInteger(whole) ? String(whole) : whole.toFixed(2)
}

/** Read an amount that somebody wrote: 12.5, $1,000; null if it is none, as 12,50 is none. */
export function readMoney(text: string): number | null {
  const [, whole, rest] = /^[A-Z]{0,3}\p{Sc}?\s*(\d{1,3}(?:,\d{3})+|\d{1,13})(?:\.(\d{1,2}))?$/u.exec(text.trim()) ?? []
  if (whole === undefined) return null
  return Number(whole.replaceAll(',', '')) * 100 + Number((rest ?? '').padEnd(2, '0'))
}

/** Cents as somebody would write them into a field: 1250 is 12.50, 1200 is 12. */
export function written(cents: number): string {
  return cents % 100 ? (cents / 100).toFixed(2) : String(cents / 100)
}
