// The user's preferences, stored in this browser.

const STORAGE_KEY = 'trueodds'

export type Theme = 'dark' | 'light'

interface StoredPreferences {
  theme: Theme
  fast: boolean
  sound: boolean
  chip: number | null
  guideDone: boolean
}

function readStored(): Partial<StoredPreferences> {
  try {
    return JSON.parse(localStorage.getItem(STORAGE_KEY) ?? '{}') as Partial<StoredPreferences>
  } catch {
    return {}
  }
}

class Preferences {
  theme = $state<Theme>('dark')
  fast = $state(false)
  sound = $state(false)
  /** The chip to bet with, in cents; null until one is chosen. */
  chip = $state<number | null>(null)
  guideDone = $state(false)
  reducedMotion = $state(false)

  start(): void {
    const stored = readStored()
    const prefersLight = matchMedia('(prefers-color-scheme: light)').matches
    this.theme = stored.theme ?? (prefersLight ? 'light' : 'dark')
    this.fast = stored.fast ?? false
    this.sound = stored.sound ?? false
    this.chip = stored.chip ?? null
    this.guideDone = stored.guideDone ?? false
    const motion = matchMedia('(prefers-reduced-motion: reduce)')
    this.reducedMotion = motion.matches
    motion.addEventListener('change', () => (this.reducedMotion = motion.matches))
    $effect.root(() => {
      $effect(() => {
        document.documentElement.dataset.theme = this.theme
        const { theme, fast, sound, chip, guideDone } = this
        try {
          localStorage.setItem(STORAGE_KEY, JSON.stringify({ theme, fast, sound, chip, guideDone }))
        } catch {
          // Storage may be disabled. The preferences then last until the page is closed.
        }
      })
    })
  }

  toggleTheme(): void {
    this.theme = this.theme === 'dark' ? 'light' : 'dark'
  }
}

export const preferences = new Preferences()
