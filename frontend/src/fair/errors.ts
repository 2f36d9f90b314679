// What can be wrong with a fair roll: the codes of docs/fairness.md, and a sentence that says what.

export type Code =
  | 'malformed'
  | 'wrong_link'
  | 'lock_altered'
  | 'broken_link'
  | 'wrong_anchor'
  | 'wrong_seats'
  | 'wrong_seed'
  | 'wrong_roll'
  | 'wrong_seal'
  | 'other_table'
  | 'repeated'
  | 'skipped'
  | 'unannounced'
  | 'broken_past'
  | 'lock_changed'
  | 'unfinished'
  | 'left_out'

/** Something that is wrong with a roll. */
export interface Finding {
  roll: number
  code: Code
  what: string
}

/** Something that is no proof or no lock at all. */
export class FairError extends Error {
  readonly code = 'malformed'
}
