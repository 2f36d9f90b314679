// Who one is here.

import { get, post, Refused } from './api'
import type { Me } from './types'

const FIRST = ['Lucky', 'Steady', 'Sunny', 'Quick', 'Brave', 'Merry', 'Clever', 'Gentle', 'Bold', 'Bright']
const SECOND = ['Ace', 'Deuce', 'Shooter', 'Puck', 'Boxcar', 'Roller', 'Stick', 'Field', 'Yo', 'Nina']

/** A name to begin with, which can be changed by registering. */
export function someName(random: () => number = Math.random): string {
  const pick = (from: string[]) => from[Math.floor(random() * from.length)]
  return `${pick(FIRST)} ${pick(SECOND)} ${Math.floor(random() * 900 + 100)}`
}

class Person {
  me = $state<Me | null>(null)
  known = $state(false)

  private finding: Promise<Me | null> | null = null

  /** Find out who one is; a page and what stands on it ask once. */
  find(): Promise<Me | null> {
    return (this.finding ??= this.ask().finally(() => (this.finding = null)))
  }

  private async ask(): Promise<Me | null> {
    this.me = await get<Me | null>('/api/me?or_nobody=true')
    this.known = true
    return this.me
  }

  /** Be somebody: who one was, or a guest under a name. */
  async come(name?: string): Promise<Me> {
    const me = this.known ? this.me : await this.find()
    if (me) return me
    for (let tries = 0; ; tries++) {
      try {
        return (this.me = await post<Me>('/api/guests', { name: name ?? someName() }))
      } catch (error) {
        if (!(error instanceof Refused) || error.code !== 'name_taken' || name || tries > 4) throw error
      }
    }
  }
}

export const person = new Person()
