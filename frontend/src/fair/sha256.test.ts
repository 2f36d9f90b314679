import { describe, expect, it } from 'vitest'
import { toHex, utf8Bytes } from './encoding'
import { hmac, sha256 } from './sha256'

const some = (length: number) => Uint8Array.from({ length }, (_, i) => (i * 151 + length * 7) % 256)

describe('SHA-256', () => {
  it('matches the examples of the standard', () => {
    expect(toHex(sha256(utf8Bytes('')))).toBe('e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855')
    expect(toHex(sha256(utf8Bytes('abc')))).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad')
  })

  it('agrees with Web Crypto at every length around the block size', async () => {
    for (let length = 0; length < 300; length++) {
      const octets = some(length)
      expect(toHex(sha256(octets))).toBe(toHex(new Uint8Array(await crypto.subtle.digest('SHA-256', octets))))
    }
  })

  it('agrees with Web Crypto on HMAC, with short and long keys', async () => {
    for (const length of [1, 32, 63, 64, 65, 200]) {
      const key = some(length)
      const own = await crypto.subtle.importKey('raw', key, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign'])
      const signed = new Uint8Array(await crypto.subtle.sign('HMAC', own, some(100)))
      expect(toHex(hmac(key, some(100)))).toBe(toHex(signed))
    }
  })
})
