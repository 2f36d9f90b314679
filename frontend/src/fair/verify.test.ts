import { describe, expect, it } from 'vitest'
import page from '../../../docs/fairness.md?raw'
import stored from '../../../tests/fair/six_rolls.json?raw'
import {
  chainAnchor,
  computeCommitment,
  computeLockDigest,
  computeSeal,
  deriveDice,
  diceFromStream,
  expectedLink,
  listContributions,
  streamBlock,
} from './deriveRoll'
import { encodeMessage, fromHex, hashMessage, toHex, utf8Bytes } from './encoding'
import { STEP_OF_CODE } from './explainRoll'
import { parseLock, parseProof, parseProofs, parseStrictJson, type Proof } from './parseProof'
import { flipBit, forgeProof, KEY, makeChain, makeProof, makeProofFor } from './proofs.fixture'
import { verifyRoll, verifyRolls } from './verify'

const PROOFS = parseProofs(stored)
const ANCHOR = PROOFS[0]!.lock.anchor
const at = (roll: number): Proof => PROOFS[roll - 1]!
const copy = (proof: Proof): Proof => structuredClone(proof)
const codes = (proofs: Proof[], known = {}) => verifyRolls(proofs, known).map(({ code }) => code)

const vectors = new Map(
  page
    .slice(page.search(/^## .*vectors/im))
    .split('\n')
    .flatMap((line) => {
      const parts = /^(\S.*?\S) {2,}(\S+)$|^(roll \d \S+(?: \S+)*) (\S+)$/.exec(line)
      return parts ? [[(parts[1] ?? parts[3])!, (parts[2] ?? parts[4])!] as const] : []
    }),
)
const vector = (name: string): string => {
  const value = vectors.get(name)
  if (value === undefined) throw new Error(`docs/fairness.md has no vector ${name}`)
  return value
}

describe('the vectors of docs/fairness.md', () => {
  it('match the key and the chain', () => {
    expect(vector('key')).toBe(toHex(KEY))
    expect(vector('message of the top')).toBe(toHex(encodeMessage('chain', 't1', 1, 4)))
    const chain = makeChain('t1', 1, 4)
    for (const link of [1, 2, 3, 4]) expect(vector(`secret ${link}`)).toBe(chain[link])
    expect(vector('anchor')).toBe(chain[0])
    expect(vector('next anchor')).toBe(makeChain('t1', 2, 4)[0])
  })

  it.each([1, 2, 3])('match roll %i', (roll) => {
    const proof = at(roll)
    const { lock } = proof
    expect(toHex(hashMessage('layout', fromHex(vector(`roll ${roll} layout`))))).toBe(
      vector(`roll ${roll} layout digest`),
    )
    expect(lock.layout_digest).toBe(vector(`roll ${roll} layout digest`))
    for (const { seat, commitment } of lock.commitments) {
      expect(computeCommitment('t1', roll, seat, vector(`roll ${roll} seed of ${seat}`))).toBe(commitment)
      expect(commitment).toBe(vector(`roll ${roll} commitment of ${seat}`))
    }
    const digest = computeLockDigest(lock)
    const contributions = listContributions(proof)
    expect(digest).toBe(vector(`roll ${roll} lock digest`))
    expect(toHex(streamBlock(proof.secret, digest, contributions, 0))).toBe(vector(`roll ${roll} stream`))
    expect(deriveDice(proof.secret, digest, contributions).dice).toBe(vector(`roll ${roll} dice`))
    expect(computeSeal(digest, proof.secret, contributions, proof.dice)).toBe(vector(`roll ${roll} seal`))
  })
})

it('encodes numbers with 8 bytes', () => {
  expect(toHex(encodeMessage('x', 2 ** 53 - 1))).toMatch(/00000008001fffffffffffff$/)
  expect(toHex(encodeMessage('x', 2 ** 32 + 7))).toMatch(/000000080000000100000007$/)
})

describe('a valid list of proofs', () => {
  it('is verified as a whole, in parts and roll by roll', () => {
    expect(verifyRolls(PROOFS, { anchor: ANCHOR, locks: PROOFS.map(({ lock }) => lock) })).toEqual([])
    for (let from = 0; from < PROOFS.length; from++) expect(verifyRolls(PROOFS.slice(from))).toEqual([])
    for (const proof of PROOFS) expect(verifyRoll(proof, { locks: PROOFS.map(({ lock }) => lock) })).toEqual([])
  })

  it('hashes a whole chain in a moment', () => {
    const secrets = makeChain('long', 1, 4096)
    const { lock } = makeProof(null, { table: 'long', length: 4096 })
    const start = performance.now()
    expect(chainAnchor({ ...lock, link: 4096 }, secrets[4096]!)).toBe(secrets[0])
    expect(performance.now() - start).toBeLessThan(30_000)
  })
})

describe('the dice', () => {
  it('reject bytes of 252 and more, even whole blocks', () => {
    const full = new Uint8Array(32).fill(252)
    const last = Uint8Array.from({ length: 32 }, (_, i) => (i === 3 ? 61 : 255))
    expect(diceFromStream((counter) => (counter < 2 ? full : last))).toMatchObject({
      rejected: 67,
      byte: 61,
      index: 25,
      dice: '5-2',
    })
  })

  it('map seven bytes to each outcome', () => {
    const counts = new Map<string, number>()
    for (let byte = 0; byte < 252; byte++) {
      const { dice } = diceFromStream(() => Uint8Array.of(byte))
      counts.set(dice, (counts.get(dice) ?? 0) + 1)
    }
    expect(counts.size).toBe(36)
    expect(new Set(counts.values())).toEqual(new Set([7]))
  })

  it('use the link of the roll number', () => {
    expect([1, 4096, 4097].map((roll) => expectedLink(roll, 4096))).toEqual([
      { chain: 1, link: 1 },
      { chain: 1, link: 4096 },
      { chain: 2, link: 1 },
    ])
  })
})

/** A forgery for each fault code, and the codes that the verifier reports. */
const CHEATS: Record<string, () => string[]> = {
  wrong_link: () => {
    const secrets = makeChain('t1', 1, 4)
    return codes([forgeProof(at(2), { link: 3, previous_secret: secrets[2]! }, secrets[3])])
  },
  lock_altered: () => codes([{ ...copy(at(2)), lock_digest: flipBit(at(2).lock_digest) }]),
  wrong_previous_seal: () => codes([at(1), forgeProof(at(2), { previous_seal: flipBit(at(1).seal) })]),
  broken_link: () => codes([forgeProof(at(2), {}, flipBit(at(2).secret))]),
  wrong_anchor: () => codes([forgeProof(at(2), { anchor: flipBit(ANCHOR) })]),
  wrong_seats: () => codes([{ ...copy(at(2)), missing: [] }]),
  wrong_seed: () => codes([{ ...copy(at(2)), openings: [{ seat: 'Ann', seed: flipBit(at(2).openings[0]!.seed) }] }]),
  wrong_dice: () => codes([{ ...copy(at(2)), dice: '6-6' }]),
  wrong_seal: () => codes([{ ...copy(at(2)), seal: flipBit(at(2).seal) }]),
  table_mismatch: () => codes([at(1), makeProof(makeProof(null, { table: 't2' }), { table: 't2' })]),
  repeated_roll: () => codes([at(1), at(2), at(2)]),
  skipped_roll: () => codes([at(1), at(3)]),
  unannounced_anchor: () => codes([at(1), forgeProof(at(2), { next_anchor: flipBit(at(2).lock.next_anchor) })]),
  lock_changed: () => codes(PROOFS, { locks: [{ ...at(2).lock, layout_digest: flipBit(at(2).lock.layout_digest) }] }),
  unfinished_roll: () => codes(PROOFS.slice(0, 2), { locks: [at(3).lock] }),
}

describe('cheating', () => {
  it.each(Object.keys(CHEATS))('with %s is reported under this code only', (code) => {
    expect(CHEATS[code]!()).toEqual([code])
  })

  it('covers every code, and docs/fairness.md describes it', () => {
    // Malformed proofs are tested below. Ignored openings can be detected only at the table: see seedManager.test.ts.
    const codes = Object.keys(STEP_OF_CODE).filter((code) => code !== 'malformed' && code !== 'opening_ignored')
    expect(Object.keys(CHEATS).sort()).toEqual(codes.sort())
    for (const code of codes) expect(page).toContain(`\`${code}\``)
  })

  it('is found in every hash and number of a proof', () => {
    const proof = at(2)
    const hashes = ['lock_digest', 'secret', 'seal'] as const
    for (const key of hashes) expect(verifyRoll({ ...proof, [key]: flipBit(proof[key]) })).not.toEqual([])
    for (const key of ['anchor', 'next_anchor', 'previous_secret', 'previous_seal', 'layout_digest'] as const)
      expect(verifyRoll({ ...proof, lock: { ...proof.lock, [key]: flipBit(proof.lock[key]) } })).not.toEqual([])
    for (const key of ['roll', 'chain_length', 'chain', 'link'] as const)
      expect(verifyRoll({ ...proof, lock: { ...proof.lock, [key]: proof.lock[key] + 1 } })).not.toEqual([])
  })

  it('is found in a first roll with a previous seal, and in a made-up chain by its anchor', () => {
    expect(codes([forgeProof(at(1), { previous_seal: at(1).seal })])).toEqual(['wrong_previous_seal'])
    const key = new Uint8Array(32)
    const first = makeProof(null, { key, seeds: { Ann: at(1).openings[0]!.seed } })
    expect(codes([first])).toEqual([])
    expect(codes([first], { anchor: ANCHOR })).toEqual(['wrong_anchor'])
    expect(verifyRoll(forgeProof(first, { anchor: ANCHOR }), { anchor: ANCHOR })).toMatchObject([
      { code: 'wrong_anchor', message: 'the first link of its chain does not hash to the anchor' },
    ])
    expect(codes([at(1), forgeProof(at(3), { anchor: flipBit(ANCHOR) })])).toEqual(['skipped_roll', 'wrong_anchor'])
  })

  it('is found in a chain that was not announced', () => {
    const other = makeProof(at(4), { key: new Uint8Array(32) })
    expect(codes([at(4), other])).toEqual(['unannounced_anchor'])
    expect(codes([at(1), makeProof(at(1), { length: 8 })])).toContain('wrong_link')
  })

  it('is found when an opening is removed or added', () => {
    const omitted = forgeProof(at(1), {}, at(1).secret, [at(1).openings[1]!])
    expect(codes([omitted])).toEqual([])
    expect(codes([omitted, at(2)])).toEqual(['wrong_previous_seal'])
    const more = [...at(1).openings, { seat: 'Eve', seed: ANCHOR }]
    expect(verifyRoll({ ...at(1), openings: more, client_seeds: 3 })).toMatchObject([
      { code: 'wrong_seats', message: 'Eve is listed as opened or missing, but did not commit' },
    ])
    expect(verifyRoll({ ...at(1), missing: ['Ann'] })[0]?.message).toBe('Ann committed and is both opened and missing')
  })
})

describe('parsing', () => {
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- the changes break the type on purpose
  const parseChanged = (change: (data: any) => void) => {
    const data = copy(at(2))
    change(data)
    return () => parseProof(data)
  }

  it('rejects invalid data with its location', () => {
    expect(parseChanged((data) => delete data.seal)).toThrow('proof: seal is missing')
    expect(parseChanged((data) => (data.more = 1))).toThrow("proof: unknown key 'more'")
    expect(parseChanged((data) => (data.format = 'x'))).toThrow('proof: format')
    expect(parseChanged((data) => (data.secret = data.secret.toUpperCase()))).toThrow(
      'proof: secret must be 64 lowercase hexadecimal digits',
    )
    expect(parseChanged((data) => (data.seal += '\n'))).toThrow('proof: seal must be 64')
    expect(parseChanged((data) => (data.dice = '7-1'))).toThrow('dice must be written like 3-4')
    expect(parseChanged((data) => (data.client_seeds = 2))).toThrow('client_seeds must be the number of openings')
    expect(parseChanged((data) => (data.lock.roll = 0))).toThrow('proof: lock: roll must be an integer')
    expect(parseChanged((data) => (data.lock.roll = 2 ** 53))).toThrow('proof: lock: roll must be an integer')
    expect(parseChanged((data) => (data.lock.chain_length = 65537))).toThrow('at most 65536')
    expect(parseChanged((data) => data.lock.commitments.reverse())).toThrow('must be sorted by seat')
    expect(parseChanged((data) => (data.lock.table = 'a\u0085'))).toThrow('without control characters')
    expect(parseChanged((data) => (data.lock.table = 'a\ud800'))).toThrow('without control characters')
    expect(parseChanged((data) => (data.lock.table = 'é'.repeat(128)))).toThrow('1 to 255 bytes')
    expect(() => parseProofs('[]')).toThrow('there is no roll')
    expect(() => parseProofs('[1]')).toThrow('proof 1 must be an object')
    expect(() => parseProofs('{')).toThrow('not valid JSON')
  })

  it('rejects duplicate keys, even escaped ones, and numbers that are not integers', () => {
    expect(() => parseStrictJson('{"a":1,"\\u0061":2}')).toThrow("duplicate key 'a'")
    expect(() => parseStrictJson('[{"a":{"a":1}},{"a":"}{\\"a\\":"}]')).not.toThrow()
    expect(() => parseStrictJson('{"a":[{"b":1}],"b":{"c":1,"c":1}}')).toThrow("duplicate key 'c'")
    expect(() => parseStrictJson('{"a":1.0}')).toThrow('1.0 is not an integer')
    expect(() => parseStrictJson('{"a":1e2}')).toThrow('1e2 is not an integer')
    expect(parseStrictJson('{"a":[true,null,"1.5e3",-12]}')).toEqual({ a: [true, null, '1.5e3', -12] })
  })

  it('compares seats by their bytes', () => {
    const lock = { ...at(1).lock, commitments: ['\uff5e', '\u{1f3b2}'].map((seat) => ({ seat, commitment: ANCHOR })) }
    expect(parseLock(lock).commitments).toHaveLength(2)
    expect(() => parseLock({ ...lock, commitments: lock.commitments.toReversed() })).toThrow('must be sorted by seat')
    expect(utf8Bytes('\uff5e')[0]).toBeLessThan(utf8Bytes('\u{1f3b2}')[0]!)
  })

  it('accepts names with a special meaning in JavaScript', () => {
    const lock = {
      ...at(1).lock,
      commitments: [{ seat: '__proto__', commitment: computeCommitment('t1', 1, '__proto__', ANCHOR) }],
    }
    const proof = makeProofFor(lock, at(1).secret, [{ seat: '__proto__', seed: ANCHOR }])
    expect(verifyRoll(parseProofs(JSON.stringify(proof))[0]!)).toEqual([])
  })
})
