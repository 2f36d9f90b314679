// SHA-256 and HMAC in plain TypeScript. Browsers offer their own only to pages served over HTTPS, but rolls must be
// verifiable at any table. For messages this short it is also faster.

const PRIMES: number[] = []
for (let n = 2; PRIMES.length < 64; n++) if (PRIMES.every((prime) => n % prime)) PRIMES.push(n)

/** Return the first 32 bits of the fractional part. */
const fraction = (x: number): number => ((x - Math.floor(x)) * 2 ** 32) | 0
const START = Int32Array.from(PRIMES.slice(0, 8), (prime) => fraction(Math.sqrt(prime)))
const ROUNDS = Int32Array.from(PRIMES, (prime) => fraction(Math.cbrt(prime)))
const BLOCK = 64

const words = new Int32Array(64)

/** Process one block of 64 bytes. */
function compress(state: Int32Array, view: DataView, at: number): void {
  for (let i = 0; i < 16; i++) words[i] = view.getInt32(at + 4 * i)
  for (let i = 16; i < 64; i++) {
    const x = words[i - 15]!
    const y = words[i - 2]!
    const s0 = ((x >>> 7) | (x << 25)) ^ ((x >>> 18) | (x << 14)) ^ (x >>> 3)
    const s1 = ((y >>> 17) | (y << 15)) ^ ((y >>> 19) | (y << 13)) ^ (y >>> 10)
    words[i] = (words[i - 16]! + s0 + words[i - 7]! + s1) | 0
  }
  let a = state[0]!
  let b = state[1]!
  let c = state[2]!
  let d = state[3]!
  let e = state[4]!
  let f = state[5]!
  let g = state[6]!
  let h = state[7]!
  for (let i = 0; i < 64; i++) {
    const s1 = ((e >>> 6) | (e << 26)) ^ ((e >>> 11) | (e << 21)) ^ ((e >>> 25) | (e << 7))
    const t1 = (h + s1 + ((e & f) ^ (~e & g)) + ROUNDS[i]! + words[i]!) | 0
    const s0 = ((a >>> 2) | (a << 30)) ^ ((a >>> 13) | (a << 19)) ^ ((a >>> 22) | (a << 10))
    const t2 = (s0 + ((a & b) ^ (a & c) ^ (b & c))) | 0
    h = g
    g = f
    f = e
    e = (d + t1) | 0
    d = c
    c = b
    b = a
    a = (t1 + t2) | 0
  }
  state[0]! += a
  state[1]! += b
  state[2]! += c
  state[3]! += d
  state[4]! += e
  state[5]! += f
  state[6]! += g
  state[7]! += h
}

export function sha256(bytes: Uint8Array): Uint8Array {
  const padded = new Uint8Array(Math.ceil((bytes.length + 9) / BLOCK) * BLOCK)
  padded.set(bytes)
  padded[bytes.length] = 0x80
  const view = new DataView(padded.buffer)
  view.setUint32(padded.length - 8, Math.floor(bytes.length / 2 ** 29))
  view.setUint32(padded.length - 4, (bytes.length << 3) >>> 0)
  const state = START.slice()
  for (let at = 0; at < padded.length; at += BLOCK) compress(state, view, at)
  const digest = new DataView(new ArrayBuffer(32))
  state.forEach((word, i) => digest.setInt32(4 * i, word))
  return new Uint8Array(digest.buffer)
}

export function hmac(key: Uint8Array, bytes: Uint8Array): Uint8Array {
  const short = key.length > BLOCK ? sha256(key) : key
  const keyed = (mask: number, rest: Uint8Array) => {
    const all = new Uint8Array(BLOCK + rest.length).fill(mask, 0, BLOCK)
    short.forEach((byte, i) => (all[i] = byte ^ mask))
    all.set(rest, BLOCK)
    return sha256(all)
  }
  return keyed(0x5c, keyed(0x36, bytes))
}
