// Cents as people read them.

const SIGNS: Record<string, string> = { USD: '$', SGD: 'S$' }

/** 1250 is $12.50, 1200 is $12, -500 is −$5. */
export function money(cents: number, currency = 'USD'): string {
  const sign = SIGNS[currency] ?? `${currency} `
  const whole = Math.floor(Math.abs(cents) / 100).toLocaleString('en-US')
  const rest = Math.abs(cents) % 100
  return `${cents < 0 ? '−' : ''}${sign}${whole}${rest ? `.${String(rest).padStart(2, '0')}` : ''}`
}

/** What is printed on a chip: 5, 12.50, 1.5k. */
export function onChip(cents: number): string {
  const whole = cents / 100
  if (whole >= 10_000) return `${Math.floor(whole / 1000)}k`
  if (whole >= 1000) return `${Math.floor(whole / 100) / 10}k`
  return Number.isInteger(whole) ? String(whole) : whole.toFixed(2)
}
