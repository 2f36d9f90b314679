import { beforeEach, describe, expect, it, vi } from 'vitest'

const node = () => ({
  connect: (next: unknown) => next,
  start: () => {},
  frequency: {},
  gain: { setValueAtTime: () => {}, exponentialRampToValueAtTime: () => {} },
})
let made: FakeAudio[] = []

class FakeAudio {
  state = 'suspended'
  currentTime = 0
  sampleRate = 100
  played = 0
  resumed = 0
  constructor() {
    made.push(this)
  }
  async resume() {
    this.resumed++
    this.state = 'running'
  }
  createBuffer = (_channels: number, length: number) => ({ getChannelData: () => new Float32Array(length) })
  createBufferSource = () => (this.played++, node())
  createBiquadFilter = node
  createGain = node
}

/** The sounds of a page that was just opened. */
async function fresh(wanted: boolean, touched: boolean) {
  vi.resetModules()
  vi.stubGlobal('AudioContext', FakeAudio)
  vi.stubGlobal('navigator', { userActivation: { hasBeenActive: touched } })
  const { prefs } = await import('./prefs.svelte')
  prefs.sound = wanted
  return (await import('./sound')).sound
}

describe('sounds', () => {
  beforeEach(() => (made = []))

  it('go on where the browser held them back', async () => {
    const sound = await fresh(true, true)
    sound('chip')
    sound('chip')
    expect(made.map(({ resumed, played }) => [resumed, played])).toEqual([[1, 2]])
  })

  it('are not kept for the first gesture', async () => {
    const sound = await fresh(true, false)
    sound('dice')
    expect(made).toEqual([])
  })

  it('are made for those who want them', async () => {
    const sound = await fresh(false, true)
    sound('chip')
    expect(made).toEqual([])
  })
})
