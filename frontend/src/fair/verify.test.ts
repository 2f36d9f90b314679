import { describe, expect, it } from 'vitest'
import page from '../../../docs/fairness.md?raw'
import stored from '../../../tests/fair/evening.json?raw'
import { bytesOf, digest, fromHex, message, toHex } from './encoding'
import { chainOf, flip, forged, KEY, proofAfter, proofOf } from './house.fixture'
import { readJson, readLock, readProof, readProofs, type Proof } from './reading'
import { block, commitTo, contributionsOf, lockDigest, pick, placeOf, sealOf, throwDice, walkDown } from './roll'
import { verifyRoll, verifyRolls } from './verify'

const EVENING = readProofs(stored)
const ANCHOR = EVENING[0]!.lock.anchor
const at = (roll: number): Proof => EVENING[roll - 1]!
const copy = (proof: Proof): Proof => structuredClone(proof)
const codes = (proofs: Proof[], known = {}) => verifyRolls(proofs, known).map((one) => one.code)

const vectors = new Map(
  page
    .slice(page.indexOf('## Vectors'))
    .split('\n')
    .flatMap((line) => {
      const parts = /^(\S.*?\S) {2,}(\S+)$|^(roll \d \S+(?: \S+)*) (\S+)$/.exec(line)
      return parts ? [[(parts[1] ?? parts[3])!, (parts[2] ?? parts[4])!] as const] : []
    }),
)
const vector = (name: string): string => {
  const value = vectors.get(name)
  if (value === undefined) throw new Error(`the page has no ${name}`)
  return value
}

describe('the vectors of docs/fairness.md', () => {
  it('has the key and the chain', () => {
    expect(vector('key')).toBe(toHex(KEY))
    expect(vector('message of the top')).toBe(toHex(message('chain', 't1', 1, 4)))
    const chain = chainOf('t1', 1, 4)
    for (const link of [1, 2, 3, 4]) expect(vector(`secret ${link}`)).toBe(chain[link])
    expect(vector('anchor')).toBe(chain[0])
    expect(vector('next anchor')).toBe(chainOf('t1', 2, 4)[0])
  })

  it.each([1, 2, 3])('has roll %i', (roll) => {
    const proof = at(roll)
    const { lock } = proof
    expect(toHex(digest('layout', fromHex(vector(`roll ${roll} layout`))))).toBe(vector(`roll ${roll} layout digest`))
    expect(lock.layout).toBe(vector(`roll ${roll} layout digest`))
    for (const { seat, commitment } of lock.commitments) {
      expect(commitTo('t1', roll, seat, vector(`roll ${roll} seed of ${seat}`))).toBe(commitment)
      expect(commitment).toBe(vector(`roll ${roll} commitment of ${seat}`))
    }
    const locked = lockDigest(lock)
    const contributions = contributionsOf(proof)
    expect(locked).toBe(vector(`roll ${roll} lock digest`))
    expect(toHex(block(proof.secret, locked, contributions, 0))).toBe(vector(`roll ${roll} stream`))
    expect(throwDice(proof.secret, locked, contributions).roll).toBe(vector(`roll ${roll} dice`))
    expect(sealOf(locked, proof.secret, contributions, proof.roll)).toBe(vector(`roll ${roll} seal`))
  })
})

it('writes numbers with all their bytes', () => {
  expect(toHex(message('x', 2 ** 53 - 1))).toMatch(/00000008001fffffffffffff$/)
  expect(toHex(message('x', 2 ** 32 + 7))).toMatch(/000000080000000100000007$/)
})

describe('an honest evening', () => {
  it('has nothing wrong with it, as a whole, in parts and roll by roll', () => {
    expect(verifyRolls(EVENING, { anchor: ANCHOR, seen: EVENING.map((one) => one.lock) })).toEqual([])
    for (let from = 0; from < EVENING.length; from++) expect(verifyRolls(EVENING.slice(from))).toEqual([])
    for (const proof of EVENING) expect(verifyRoll(proof, { seen: EVENING.map((one) => one.lock) })).toEqual([])
  })

  it('goes down a whole chain fast enough to check any roll at once', () => {
    const secrets = chainOf('long', 1, 4096)
    const { lock } = proofAfter(null, { table: 'long', length: 4096 })
    const begin = performance.now()
    expect(walkDown({ ...lock, link: 4096 }, secrets[4096]!)).toBe(secrets[0])
    expect(performance.now() - begin).toBeLessThan(3000)
  })
})

describe('the dice', () => {
  it('skip bytes of 252 and more, through whole blocks if need be', () => {
    const full = new Uint8Array(32).fill(252)
    const last = Uint8Array.from({ length: 32 }, (_, i) => (i === 3 ? 61 : 255))
    expect(pick((counter) => (counter < 2 ? full : last))).toMatchObject({ skipped: 67, octet: 61, index: 25, roll: '5-2' })
  })

  it('give each outcome to exactly seven bytes', () => {
    const counts = new Map<string, number>()
    for (let octet = 0; octet < 252; octet++) {
      const { roll } = pick(() => Uint8Array.of(octet))
      counts.set(roll, (counts.get(roll) ?? 0) + 1)
    }
    expect(counts.size).toBe(36)
    expect(new Set(counts.values())).toEqual(new Set([7]))
  })

  it('take the link of their number', () => {
    expect([1, 4096, 4097].map((roll) => placeOf(roll, 4096))).toEqual([
      { chain: 1, link: 1 }, { chain: 1, link: 4096 }, { chain: 2, link: 1 },
    ])
  })
})

/** One way to cheat for every code, and what a verifier says to it. */
const CHEATS: Record<string, () => string[]> = {
  wrong_link: () => {
    const secrets = chainOf('t1', 1, 4)
    return codes([forged(at(2), { link: 3, down_to: secrets[2]! }, secrets[3]!)])
  },
  lock_altered: () => codes([{ ...copy(at(2)), lock_digest: flip(at(2).lock_digest) }]),
  broken_past: () => codes([at(1), forged(at(2), { past: flip(at(1).seal) })]),
  broken_link: () => codes([forged(at(2), {}, flip(at(2).secret))]),
  wrong_anchor: () => codes([forged(at(2), { anchor: flip(ANCHOR) })]),
  wrong_seats: () => codes([{ ...copy(at(2)), missing: [] }]),
  wrong_seed: () => codes([{ ...copy(at(2)), openings: [{ seat: 'Ann', seed: flip(at(2).openings[0]!.seed) }] }]),
  wrong_roll: () => codes([{ ...copy(at(2)), roll: '6-6' }]),
  wrong_seal: () => codes([{ ...copy(at(2)), seal: flip(at(2).seal) }]),
  other_table: () => codes([at(1), proofAfter(proofAfter(null, { table: 't2' }), { table: 't2' })]),
  repeated: () => codes([at(1), at(2), at(2)]),
  skipped: () => codes([at(1), at(3)]),
  unannounced: () => codes([at(1), forged(at(2), { next_anchor: flip(at(2).lock.next_anchor) })]),
  lock_changed: () => codes(EVENING, { seen: [{ ...at(2).lock, layout: flip(at(2).lock.layout) }] }),
  unfinished: () => codes(EVENING.slice(0, 2), { seen: [at(3).lock] }),
}

describe('cheating', () => {
  it.each(Object.keys(CHEATS))('is named: %s, and nothing else', (code) => {
    expect(CHEATS[code]!()).toEqual([code])
  })

  it('covers every code that the page lists', () => {
    const chapter = page.slice(page.indexOf('## To verify'), page.indexOf('## What can be tried'))
    const listed = new Set([...chapter.matchAll(/`([a-z]+_?[a-z]+)`:|`(other_table|repeated)`[;,]/g)].map((one) => one[1] ?? one[2]!))
    // What only somebody at the table can see is tried in keeper.test.ts.
    listed.delete('left_out')
    expect(Object.keys(CHEATS).sort()).toEqual([...listed].sort())
  })

  it('is found in every hash and every number of a proof', () => {
    const proof = at(2)
    const hashes = ['lock_digest', 'secret', 'seal'] as const
    for (const key of hashes) expect(verifyRoll({ ...proof, [key]: flip(proof[key]) })).not.toEqual([])
    for (const key of ['anchor', 'next_anchor', 'down_to', 'past', 'layout'] as const)
      expect(verifyRoll({ ...proof, lock: { ...proof.lock, [key]: flip(proof.lock[key]) } })).not.toEqual([])
    for (const key of ['roll', 'length', 'chain', 'link'] as const)
      expect(verifyRoll({ ...proof, lock: { ...proof.lock, [key]: proof.lock[key] + 1 } })).not.toEqual([])
  })

  it('is found at a first roll with a past, and at a made-up chain only by the anchor', () => {
    expect(codes([forged(at(1), { past: at(1).seal })])).toEqual(['broken_past'])
    const key = new Uint8Array(32)
    const first = proofAfter(null, { key, seeds: { Ann: at(1).openings[0]!.seed } })
    expect(codes([first])).toEqual([])
    expect(codes([first], { anchor: ANCHOR })).toEqual(['wrong_anchor'])
    expect(verifyRoll(forged(first, { anchor: ANCHOR }), { anchor: ANCHOR })).toMatchObject([
      { code: 'wrong_anchor', what: 'the first link of its chain leads down to something else than its anchor' },
    ])
    expect(codes([at(1), forged(at(3), { anchor: flip(ANCHOR) })])).toEqual(['skipped', 'wrong_anchor'])
  })

  it('is found when a chain begins that was not announced', () => {
    const other = proofAfter(at(4), { key: new Uint8Array(32) })
    expect(codes([at(4), other])).toEqual(['unannounced'])
    expect(codes([at(1), proofAfter(at(1), { length: 8 })])).toContain('wrong_link')
  })

  it('is found when an opening is left out or put in', () => {
    const omitted = forged(at(1), {}, at(1).secret, [at(1).openings[1]!])
    expect(codes([omitted])).toEqual([])
    expect(codes([omitted, at(2)])).toEqual(['broken_past'])
    const more = [...at(1).openings, { seat: 'Eve', seed: ANCHOR }]
    expect(verifyRoll({ ...at(1), openings: more, outside_seeds: 3 })).toMatchObject([
      { code: 'wrong_seats', what: 'Eve stands among the openings, and the lock has no commitment of Eve' },
    ])
    expect(verifyRoll({ ...at(1), missing: ['Ann'] })[0]?.what).toBe('Ann committed and is both opened and missing')
  })
})

describe('reading', () => {
  const refuse = (change: (data: any) => void) => {
    const data = copy(at(2))
    change(data)
    return () => readProof(data)
  }

  it('refuses what is no proof and says where', () => {
    expect(refuse((data) => delete data.seal)).toThrow('proof: seal is missing')
    expect(refuse((data) => (data.more = 1))).toThrow("proof: nothing is called 'more'")
    expect(refuse((data) => (data.format = 'x'))).toThrow('proof: format')
    expect(refuse((data) => (data.secret = data.secret.toUpperCase()))).toThrow('proof: secret is 64 hexadecimal digits')
    expect(refuse((data) => (data.seal += '\n'))).toThrow('proof: seal is 64')
    expect(refuse((data) => (data.roll = '7-1'))).toThrow('a roll is written like 3-4')
    expect(refuse((data) => (data.outside_seeds = 2))).toThrow('outside_seeds counts the openings')
    expect(refuse((data) => (data.lock.roll = 0))).toThrow('proof: lock: roll is a whole number')
    expect(refuse((data) => (data.lock.roll = 2 ** 53))).toThrow('proof: lock: roll is a whole number')
    expect(refuse((data) => (data.lock.length = 65537))).toThrow('at most 65536')
    expect(refuse((data) => data.lock.commitments.reverse())).toThrow('in the order of their seats')
    expect(refuse((data) => (data.lock.table = 'a\u0085'))).toThrow('without control characters')
    expect(refuse((data) => (data.lock.table = 'a\ud800'))).toThrow('without control characters')
    expect(refuse((data) => (data.lock.table = 'é'.repeat(128)))).toThrow('1 to 255 bytes')
    expect(() => readProofs('[]')).toThrow('there is no roll')
    expect(() => readProofs('[1]')).toThrow('proof 1 is an object')
    expect(() => readProofs('{')).toThrow('this is not JSON')
  })

  it('refuses a key that stands twice, however it is written, and numbers that are not whole', () => {
    expect(() => readJson('{"a":1,"\\u0061":2}')).toThrow("'a' stands twice")
    expect(() => readJson('[{"a":{"a":1}},{"a":"}{\\"a\\":"}]')).not.toThrow()
    expect(() => readJson('{"a":[{"b":1}],"b":{"c":1,"c":1}}')).toThrow("'c' stands twice")
    expect(() => readJson('{"a":1.0}')).toThrow('1.0 is not a whole number')
    expect(() => readJson('{"a":1e2}')).toThrow('1e2 is not a whole number')
    expect(readJson('{"a":[true,null,"1.5e3",-12]}')).toEqual({ a: [true, null, '1.5e3', -12] })
  })

  it('sorts seats by their bytes, not as the language does', () => {
    const lock = { ...at(1).lock, commitments: ['\uff5e', '\u{1f3b2}'].map((seat) => ({ seat, commitment: ANCHOR })) }
    expect(readLock(lock).commitments).toHaveLength(2)
    expect(() => readLock({ ...lock, commitments: lock.commitments.toReversed() })).toThrow('in the order')
    expect(bytesOf('\uff5e')[0]).toBeLessThan(bytesOf('\u{1f3b2}')[0]!)
  })

  it('takes names that a language may treat in its own way', () => {
    const lock = { ...at(1).lock, commitments: [{ seat: '__proto__', commitment: commitTo('t1', 1, '__proto__', ANCHOR) }] }
    const proof = proofOf(lock, at(1).secret, [{ seat: '__proto__', seed: ANCHOR }])
    expect(verifyRoll(readProofs(JSON.stringify(proof))[0]!)).toEqual([])
  })
})
