// Fault codes of fair rolls, as docs/fairness.md lists them, and the error for malformed proofs.

export type FaultCode =
  | 'malformed'
  | 'wrong_link'
  | 'lock_altered'
  | 'broken_link'
  | 'wrong_anchor'
  | 'wrong_seats'
  | 'wrong_seed'
  | 'wrong_dice'
  | 'wrong_seal'
  | 'table_mismatch'
  | 'repeated_roll'
  | 'skipped_roll'
  | 'unannounced_anchor'
  | 'wrong_previous_seal'
  | 'lock_changed'
  | 'unfinished_roll'
  | 'opening_ignored'

/** Something that is wrong with a roll. */
export interface Fault {
  roll: number
  code: FaultCode
  message: string
}

/** Thrown for data that is not a proof or a lock. */
export class MalformedProofError extends Error {
  readonly code = 'malformed'
}
