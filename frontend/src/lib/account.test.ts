import { describe, expect, it } from 'vitest'
import { duration, errorField, errorSentence, nameProblem, parseLimits, passwordProblem } from './account'
import { RequestError } from './api'

describe('names and passwords', () => {
  it('are checked', () => {
    expect(nameProblem('  ')).not.toBe('')
    expect(nameProblem('Ann')).toBe('')
    expect(nameProblem('x'.repeat(41))).not.toBe('')
    expect(passwordProblem('1234567')).not.toBe('')
    expect(passwordProblem('12345678')).toBe('')
    expect(passwordProblem('x'.repeat(201))).not.toBe('')
  })

  it('show the errors that belong to them', () => {
    const fieldFor = (code: string, field?: string) =>
      errorField(field ? { code, message: '', field } : { code, message: '' })
    expect(fieldFor('name_taken')).toBe('name')
    expect(fieldFor('wrong_password')).toBe('password')
    expect(fieldFor('invalid_request', 'password')).toBe('password')
    expect(fieldFor('locked_out')).toBe('form')
  })
})

describe('texts', () => {
  it('of errors are sentences', () => {
    expect(errorSentence(new RequestError({ code: 'x', message: 'this name is taken' }, 409))).toBe(
      'This name is taken.',
    )
    const wait = new RequestError(
      { code: 'locked_out', message: 'too many wrong passwords', retry_after_ms: 840_000 },
      429,
    )
    expect(errorSentence(wait)).toBe('Too many wrong passwords. Try again in 14 min.')
    expect(errorSentence(new Error('Odd.'))).toBe('Odd.')
  })

  it('of durations have hours and minutes', () => {
    expect(duration(0)).toBe('0 min')
    expect(duration(20_000)).toBe('1 min')
    expect(duration(5_400_000)).toBe('1 h 30 min')
    expect(duration(7_200_000)).toBe('2 h')
  })
})

describe('limits', () => {
  it('are parsed, and an empty field is no limit', () => {
    expect(parseLimits('', '', '')).toEqual({ loss_cents: null, time_ms: null })
    expect(parseLimits('200', '1', '30')).toEqual({ loss_cents: 20_000, time_ms: 5_400_000 })
    expect(parseLimits('0', '', '45')).toEqual({ loss_cents: 0, time_ms: 2_700_000 })
  })

  it('give an error message if they are invalid', () => {
    expect(parseLimits('much', '', '')).toEqual(expect.any(String))
    expect(parseLimits('', '1.5', '')).toEqual(expect.any(String))
    expect(parseLimits('', '24', '1')).toEqual(expect.any(String))
  })
})
