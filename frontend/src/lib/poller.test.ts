import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { Poller } from './poller'

class Page {
  hidden = false
  private listeners = new Set<() => void>()
  addEventListener(_type: 'visibilitychange', listener: () => void) {
    this.listeners.add(listener)
  }
  removeEventListener(_type: 'visibilitychange', listener: () => void) {
    this.listeners.delete(listener)
  }
  show(visible: boolean) {
    this.hidden = !visible
    for (const listener of this.listeners) listener()
  }
}

describe('a poller', () => {
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => void vi.useRealTimers())

  it('runs at once and then at intervals', async () => {
    const task = vi.fn(async () => {})
    const poller = new Poller(task, 1000, new Page())
    poller.start()
    expect(task).toHaveBeenCalledTimes(1)
    await vi.advanceTimersByTimeAsync(3000)
    expect(task).toHaveBeenCalledTimes(4)
    poller.stop()
    await vi.advanceTimersByTimeAsync(5000)
    expect(task).toHaveBeenCalledTimes(4)
  })

  it('pauses while the page is hidden', async () => {
    const page = new Page()
    const task = vi.fn(async () => {})
    const poller = new Poller(task, 1000, page)
    poller.start()
    await vi.advanceTimersByTimeAsync(0)
    page.show(false)
    await vi.advanceTimersByTimeAsync(60_000)
    expect(task).toHaveBeenCalledTimes(1)
    page.show(true)
    expect(task).toHaveBeenCalledTimes(2)
    poller.stop()
  })

  it('runs less often after failures, until one run succeeds', async () => {
    let answers = false
    const task = vi.fn(async () => {
      if (!answers) throw new Error('away')
    })
    const poller = new Poller(task, 1000, new Page())
    poller.start()
    await vi.advanceTimersByTimeAsync(1999)
    expect(task).toHaveBeenCalledTimes(1)
    await vi.advanceTimersByTimeAsync(1)
    expect(task).toHaveBeenCalledTimes(2)
    await vi.advanceTimersByTimeAsync(200_000)
    const before = task.mock.calls.length
    await vi.advanceTimersByTimeAsync(30_000)
    expect(task.mock.calls.length).toBe(before + 1)
    answers = true
    await vi.advanceTimersByTimeAsync(30_000)
    const healed = task.mock.calls.length
    await vi.advanceTimersByTimeAsync(3000)
    expect(task.mock.calls.length).toBe(healed + 3)
    poller.stop()
  })

  it('runs once at a time', async () => {
    const page = new Page()
    let answer = () => {}
    const task = vi.fn(() => new Promise<void>((done) => (answer = done)))
    const poller = new Poller(task, 1000, page)
    poller.start()
    page.show(false)
    page.show(true)
    await vi.advanceTimersByTimeAsync(5000)
    expect(task).toHaveBeenCalledTimes(1)
    answer()
    await vi.advanceTimersByTimeAsync(1000)
    expect(task).toHaveBeenCalledTimes(2)
    poller.stop()
  })
})
