import { beforeEach, describe, expect, it, vi } from 'vitest'

const node = () => ({
  connect: (next: unknown) => next,
  start: () => {},
  frequency: {},
  gain: { setValueAtTime: () => {}, exponentialRampToValueAtTime: () => {} },
})
let contexts: FakeAudio[] = []

class FakeAudio {
  state = 'suspended'
  currentTime = 0
  sampleRate = 100
  played = 0
  resumed = 0
  constructor() {
    contexts.push(this)
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

/** Load the module as on a new page. */
async function load(isEnabled: boolean, hasGesture: boolean) {
  vi.resetModules()
  vi.stubGlobal('AudioContext', FakeAudio)
  vi.stubGlobal('navigator', { userActivation: { hasBeenActive: hasGesture } })
  const { preferences } = await import('./preferences.svelte')
  preferences.sound = isEnabled
  return (await import('./sound')).playSound
}

describe('sounds', () => {
  beforeEach(() => (contexts = []))

  it('resume a suspended context', async () => {
    const playSound = await load(true, true)
    playSound('chip')
    playSound('chip')
    expect(contexts.map(({ resumed, played }) => [resumed, played])).toEqual([[1, 2]])
  })

  it('are dropped before the first gesture', async () => {
    const playSound = await load(true, false)
    playSound('dice')
    expect(contexts).toEqual([])
  })

  it('can be disabled', async () => {
    const playSound = await load(false, true)
    playSound('chip')
    expect(contexts).toEqual([])
  })
})
