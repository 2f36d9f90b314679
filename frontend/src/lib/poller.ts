// Repeats a task while the page is visible.

const MAX_INTERVAL_MS = 30_000

interface VisibilitySource {
  readonly hidden: boolean
  addEventListener(type: 'visibilitychange', listener: () => void): void
  removeEventListener(type: 'visibilitychange', listener: () => void): void
}

/** Runs a task at once and then every `intervalMs`: less often after failures, and not while the page is hidden. */
export class Poller {
  private timer: ReturnType<typeof setTimeout> | undefined
  private isRunning = false
  private failures = 0
  private isStopped = true

  constructor(
    private readonly task: () => Promise<unknown>,
    private readonly intervalMs: number,
    private readonly page: VisibilitySource = document,
  ) {}

  start(): void {
    this.isStopped = false
    this.page.addEventListener('visibilitychange', this.onVisibilityChange)
    void this.runNow()
  }

  stop(): void {
    this.isStopped = true
    clearTimeout(this.timer)
    this.page.removeEventListener('visibilitychange', this.onVisibilityChange)
  }

  /** Run the task now, unless it is already running. */
  async runNow(): Promise<void> {
    if (this.isStopped || this.isRunning || this.page.hidden) return
    clearTimeout(this.timer)
    this.isRunning = true
    try {
      await this.task()
      this.failures = 0
    } catch {
      this.failures++
    } finally {
      this.isRunning = false
    }
    if (!this.isStopped)
      this.timer = setTimeout(() => void this.runNow(), Math.min(this.intervalMs * 2 ** this.failures, MAX_INTERVAL_MS))
  }

  private onVisibilityChange = (): void => {
    if (this.page.hidden) clearTimeout(this.timer)
    else void this.runNow()
  }
}
