// Synthesized sounds for dice, chips and wins. There is none for losing.

import { preferences } from './preferences.svelte'

let audio: AudioContext | null = null

export function playSound(name: 'dice' | 'chip' | 'win'): void {
  // Browsers block audio until the first user gesture, and would then play everything that was queued at once.
  if (!preferences.sound || navigator.userActivation?.hasBeenActive === false) return
  audio ??= new AudioContext()
  // A context created outside of a gesture stays suspended until it is resumed.
  if (audio.state === 'suspended') void audio.resume()
  const now = audio.currentTime
  if (name === 'chip') click(audio, now, 2400, 0.05)
  if (name === 'dice')
    [0, 0.09, 0.2, 0.34, 0.5, 0.62].forEach((at, index) => click(audio!, now + at, 700 + index * 90, 0.09))
  if (name === 'win') [523, 659, 784].forEach((pitch, index) => tone(audio!, now + index * 0.09, pitch))
}

function click(context: AudioContext, at: number, pitch: number, seconds: number): void {
  const length = Math.floor(context.sampleRate * seconds)
  const buffer = context.createBuffer(1, length, context.sampleRate)
  const data = buffer.getChannelData(0)
  for (let index = 0; index < length; index++) data[index] = (Math.random() * 2 - 1) * (1 - index / length) ** 4
  const source = context.createBufferSource()
  const filter = context.createBiquadFilter()
  filter.type = 'bandpass'
  filter.frequency.value = pitch
  source.buffer = buffer
  source.connect(filter).connect(gain(context, at, 0.4, seconds))
  source.start(at)
}

function tone(context: AudioContext, at: number, pitch: number): void {
  const oscillator = context.createOscillator()
  oscillator.frequency.value = pitch
  oscillator.connect(gain(context, at, 0.08, 0.3))
  oscillator.start(at)
  oscillator.stop(at + 0.35)
}

function gain(context: AudioContext, at: number, volume: number, seconds: number): GainNode {
  const node = context.createGain()
  node.gain.setValueAtTime(volume, at)
  node.gain.exponentialRampToValueAtTime(0.001, at + seconds + 0.05)
  node.connect(context.destination)
  return node
}
