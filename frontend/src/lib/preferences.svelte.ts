// What somebody likes here: room, speed, sound. Kept in this browser.

const KEY = 'trueodds'

interface Kept {
  room: 'dark' | 'bright'
  fast: boolean
  sound: boolean
  chip: number | null
  guided: boolean
}

function stored(): Partial<Kept> {
  try {
    return JSON.parse(localStorage.getItem(KEY) ?? '{}') as Partial<Kept>
  } catch {
    return {}
  }
}

class Prefs {
  room = $state<'dark' | 'bright'>('dark')
  fast = $state(false)
  sound = $state(false)
  /** The chip in hand; nothing until one was chosen. */
  chip = $state<number | null>(null)
  guided = $state(false)
  calm = $state(false)

  start(): void {
    const kept = stored()
    const bright = matchMedia('(prefers-color-scheme: light)').matches
    this.room = kept.room ?? (bright ? 'bright' : 'dark')
    this.fast = kept.fast ?? false
    this.sound = kept.sound ?? false
    this.chip = kept.chip ?? null
    this.guided = kept.guided ?? false
    const motion = matchMedia('(prefers-reduced-motion: reduce)')
    this.calm = motion.matches
    motion.addEventListener('change', () => (this.calm = motion.matches))
    $effect.root(() => {
      $effect(() => {
        document.documentElement.dataset.room = this.room
        const { room, fast, sound, chip, guided } = this
        try {
          localStorage.setItem(KEY, JSON.stringify({ room, fast, sound, chip, guided }))
        } catch {
          // A browser that keeps nothing still plays.
        }
      })
    })
  }
}

export const prefs = new Prefs()
