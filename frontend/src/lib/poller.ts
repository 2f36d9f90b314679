// Asking again and again while somebody looks.

const LONGEST_MS = 30_000

interface Visible {
  readonly hidden: boolean
  addEventListener(type: 'visibilitychange', heard: () => void): void
  removeEventListener(type: 'visibilitychange', heard: () => void): void
}

/** Asks at once, then every `everyMs`; more seldom after failures, and never while the page is hidden. */
export class Poll {
  private timer: ReturnType<typeof setTimeout> | undefined
  private asking = false
  private failures = 0
  private over = true

  constructor(
    private readonly what: () => Promise<unknown>,
    private readonly everyMs: number,
    private readonly page: Visible = document,
  ) {}

  start(): void {
    this.over = false
    this.page.addEventListener('visibilitychange', this.seen)
    void this.now()
  }

  stop(): void {
    this.over = true
    clearTimeout(this.timer)
    this.page.removeEventListener('visibilitychange', this.seen)
  }

  /** Ask now; one question at a time. */
  async now(): Promise<void> {
    if (this.over || this.asking || this.page.hidden) return
    clearTimeout(this.timer)
    this.asking = true
    try {
      await this.what()
      this.failures = 0
    } catch {
      this.failures++
    } finally {
      this.asking = false
    }
    if (!this.over) this.timer = setTimeout(() => void this.now(), Math.min(this.everyMs * 2 ** this.failures, LONGEST_MS))
  }

  private seen = (): void => {
    if (this.page.hidden) clearTimeout(this.timer)
    else void this.now()
  }
}
