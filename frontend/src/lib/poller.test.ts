import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { Poll } from './poll'

class Page {
  hidden = false
  private heard = new Set<() => void>()
  addEventListener(_type: 'visibilitychange', heard: () => void) {
    this.heard.add(heard)
  }
  removeEventListener(_type: 'visibilitychange', heard: () => void) {
    this.heard.delete(heard)
  }
  show(visible: boolean) {
    this.hidden = !visible
    for (const heard of this.heard) heard()
  }
}

describe('a poll', () => {
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => void vi.useRealTimers())

  it('asks at once and then every so often', async () => {
    const what = vi.fn(async () => {})
    const poll = new Poll(what, 1000, new Page())
    poll.start()
    expect(what).toHaveBeenCalledTimes(1)
    await vi.advanceTimersByTimeAsync(3000)
    expect(what).toHaveBeenCalledTimes(4)
    poll.stop()
    await vi.advanceTimersByTimeAsync(5000)
    expect(what).toHaveBeenCalledTimes(4)
  })

  it('asks nothing while the page is hidden, and at once when it is seen again', async () => {
    const page = new Page()
    const what = vi.fn(async () => {})
    const poll = new Poll(what, 1000, page)
    poll.start()
    await vi.advanceTimersByTimeAsync(0)
    page.show(false)
    await vi.advanceTimersByTimeAsync(60_000)
    expect(what).toHaveBeenCalledTimes(1)
    page.show(true)
    expect(what).toHaveBeenCalledTimes(2)
    poll.stop()
  })

  it('asks more seldom after failures, and as before once it is answered', async () => {
    let answers = false
    const what = vi.fn(async () => {
      if (!answers) throw new Error('away')
    })
    const poll = new Poll(what, 1000, new Page())
    poll.start()
    await vi.advanceTimersByTimeAsync(1999)
    expect(what).toHaveBeenCalledTimes(1)
    await vi.advanceTimersByTimeAsync(1)
    expect(what).toHaveBeenCalledTimes(2)
    await vi.advanceTimersByTimeAsync(200_000)
    const before = what.mock.calls.length
    await vi.advanceTimersByTimeAsync(30_000)
    expect(what.mock.calls.length).toBe(before + 1)
    answers = true
    await vi.advanceTimersByTimeAsync(30_000)
    const healed = what.mock.calls.length
    await vi.advanceTimersByTimeAsync(3000)
    expect(what.mock.calls.length).toBe(healed + 3)
    poll.stop()
  })

  it('asks one question at a time', async () => {
    const page = new Page()
    let answer = () => {}
    const what = vi.fn(() => new Promise<void>((done) => (answer = done)))
    const poll = new Poll(what, 1000, page)
    poll.start()
    page.show(false)
    page.show(true)
    await vi.advanceTimersByTimeAsync(5000)
    expect(what).toHaveBeenCalledTimes(1)
    answer()
    await vi.advanceTimersByTimeAsync(1000)
    expect(what).toHaveBeenCalledTimes(2)
    poll.stop()
  })
})
