// The user of this browser.

import { get, post, RequestError } from './api'
import type { User } from './serverTypes'

const FIRST = ['Lucky', 'Steady', 'Sunny', 'Quick', 'Brave', 'Merry', 'Clever', 'Gentle', 'Bold', 'Bright']
const SECOND = ['Ace', 'Deuce', 'Shooter', 'Puck', 'Boxcar', 'Roller', 'Stick', 'Field', 'Yo', 'Nina']

/** Return a random name for a guest. */
export function randomName(random: () => number = Math.random): string {
  const pick = (names: string[]) => names[Math.floor(random() * names.length)]
  return `${pick(FIRST)} ${pick(SECOND)} ${Math.floor(random() * 900 + 100)}`
}

class CurrentUser {
  user = $state<User | null>(null)
  isLoaded = $state(false)

  private loading: Promise<User | null> | null = null

  /** Fetch the current user, or null if nobody is logged in. Concurrent calls share one request. */
  load(): Promise<User | null> {
    return (this.loading ??= this.fetch().finally(() => (this.loading = null)))
  }

  private async fetch(): Promise<User | null> {
    this.user = await get<User | null>('/api/me?optional=true')
    this.isLoaded = true
    return this.user
  }

  /** Return the current user, or sign in as a guest. Without a name, try random ones until one is free. */
  async signInAsGuest(name?: string): Promise<User> {
    const user = this.isLoaded ? this.user : await this.load()
    if (user) return user
    for (let attempt = 0; ; attempt++) {
      try {
        return (this.user = await post<User>('/api/guests', { name: name ?? randomName() }))
      } catch (error) {
        if (!(error instanceof RequestError) || error.code !== 'name_taken' || name || attempt > 4) throw error
      }
    }
  }
}

export const currentUser = new CurrentUser()
