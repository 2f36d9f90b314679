import { describe, expect, it } from 'vitest'
import { duration, fieldOf, readLimits, saying, wrongName, wrongPassword } from './account'
import { Refused } from './api'

describe('names and passwords', () => {
  it('are told what is wrong with them', () => {
    expect(wrongName('  ')).not.toBe('')
    expect(wrongName('Ann')).toBe('')
    expect(wrongName('x'.repeat(41))).not.toBe('')
    expect(wrongPassword('1234567')).not.toBe('')
    expect(wrongPassword('12345678')).toBe('')
    expect(wrongPassword('x'.repeat(201))).not.toBe('')
  })

  it('get the no that belongs to them', () => {
    const no = (code: string, where?: string) => fieldOf(where ? { code, sentence: '', where } : { code, sentence: '' })
    expect(no('name_taken')).toBe('name')
    expect(no('wrong_password')).toBe('password')
    expect(no('malformed', 'password')).toBe('password')
    expect(no('locked_out')).toBe('form')
  })
})

describe('words', () => {
  it('are sentences', () => {
    expect(saying(new Refused({ code: 'x', sentence: 'somebody has this name already' }, 409))).toBe('Somebody has this name already.')
    const wait = new Refused({ code: 'locked_out', sentence: 'too many wrong passwords: wait a while', wait_ms: 840_000 }, 429)
    expect(saying(wait)).toBe('Too many wrong passwords: wait a while. Try again in 14 min.')
    expect(saying(new Error('Odd.'))).toBe('Odd.')
  })

  it('say how long', () => {
    expect(duration(0)).toBe('0 min')
    expect(duration(20_000)).toBe('1 min')
    expect(duration(5_400_000)).toBe('1 h 30 min')
    expect(duration(7_200_000)).toBe('2 h')
  })
})

describe('limits', () => {
  it('are read, and nothing is no limit', () => {
    expect(readLimits('', '', '')).toEqual({ loss_cents: null, time_ms: null })
    expect(readLimits('200', '1', '30')).toEqual({ loss_cents: 20_000, time_ms: 5_400_000 })
    expect(readLimits('0', '', '45')).toEqual({ loss_cents: 0, time_ms: 2_700_000 })
  })

  it('are refused in words when they cannot be read', () => {
    expect(readLimits('much', '', '')).toEqual(expect.any(String))
    expect(readLimits('', '1.5', '')).toEqual(expect.any(String))
    expect(readLimits('', '24', '1')).toEqual(expect.any(String))
  })
})
