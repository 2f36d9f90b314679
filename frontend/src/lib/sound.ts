// Small sounds, made here: dice, a chip, a soft win. Never one for losing.

import { prefs } from './prefs.svelte'

let audio: AudioContext | null = null

export function sound(what: 'dice' | 'chip' | 'win'): void {
  // Before the first gesture browsers are silent: what was thrown until then would all be heard at once.
  if (!prefs.sound || navigator.userActivation?.hasBeenActive === false) return
  audio ??= new AudioContext()
  // One that was made outside of a gesture stays suspended until it is told to go on within one.
  if (audio.state === 'suspended') void audio.resume()
  const now = audio.currentTime
  if (what === 'chip') click(audio, now, 2400, 0.05)
  if (what === 'dice') [0, 0.09, 0.2, 0.34, 0.5, 0.62].forEach((at, index) => click(audio!, now + at, 700 + index * 90, 0.09))
  if (what === 'win') [523, 659, 784].forEach((pitch, index) => tone(audio!, now + index * 0.09, pitch))
}

function click(context: AudioContext, at: number, pitch: number, long: number): void {
  const length = Math.floor(context.sampleRate * long)
  const buffer = context.createBuffer(1, length, context.sampleRate)
  const data = buffer.getChannelData(0)
  for (let index = 0; index < length; index++) data[index] = (Math.random() * 2 - 1) * (1 - index / length) ** 4
  const source = context.createBufferSource()
  const filter = context.createBiquadFilter()
  filter.type = 'bandpass'
  filter.frequency.value = pitch
  source.buffer = buffer
  source.connect(filter).connect(gain(context, at, 0.4, long))
  source.start(at)
}

function tone(context: AudioContext, at: number, pitch: number): void {
  const oscillator = context.createOscillator()
  oscillator.frequency.value = pitch
  oscillator.connect(gain(context, at, 0.08, 0.3))
  oscillator.start(at)
  oscillator.stop(at + 0.35)
}

function gain(context: AudioContext, at: number, loud: number, long: number): GainNode {
  const node = context.createGain()
  node.gain.setValueAtTime(loud, at)
  node.gain.exponentialRampToValueAtTime(0.001, at + long + 0.05)
  node.connect(context.destination)
  return node
}
