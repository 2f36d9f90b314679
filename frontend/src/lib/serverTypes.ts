// The data the server sends. The page draws it and contains no rules of craps.

/** The stakes a spot or an action accepts. */
export interface StakeRange {
  min_cents: number
  max_cents: number | null
  step_cents: number
  /** Multiples of this are paid without breakage. */
  exact_step_cents: number
}

export interface Refusal {
  code: string
  message: string
  cite: string[]
}

/** The part of a spot that does not change during play: its place on the layout, names and payouts. */
export interface Spot {
  spot: string
  area: string
  title: string
  name: string
  pays: [string, string][]
  /** As of the snapshot. Use `acceptedStakes` for the stakes that are accepted now. */
  stake_range: StakeRange | null
  /** The largest stake if the user has nothing up; null if there is no maximum. */
  max_cents: number | null
  cite: string[]
  silences: string[]
  /** The dice drawn on the spot: the one pair it wins on. */
  winning_dice: [number, number][]
  barred_dice: [number, number][]
  /** Whether the dealer splits a bet here among other spots. */
  is_split: boolean
  /** The spot to bet on in order to end up here: "come" for "come:6", usually the spot itself. */
  bet_spot: string
  /** The numbers a fire or bonus bet collects. */
  collects: number[]
}

/** A wager on the layout, drawn as a chip. */
export interface PlacedBet {
  spot: string
  player: string
  tag: string
  stake_cents: number
  call: '' | 'on' | 'off'
  working: boolean
  /** For odds: the tag of the wager they back. */
  base_tag: string | null
  marks: number[]
  /** The spot it was bet on: "come" for a bet that moved to "come:6". */
  bet_spot: string
}

export interface LegalAction {
  verb: string
  name: string
  spot: string | null
  tag: string | null
  base_tag: string | null
  stake_range: StakeRange | null
}

export interface Seat {
  player: string
  name: string
  rack_cents: number
  layout_cents: number
  is_seated: boolean
  is_departing: boolean
  is_bot: boolean
}

/** The current state of a table, as one user may see it. */
export interface TableView {
  sequence: number
  point: number | null
  markers: { fire: number[]; bonus: number[] }
  shooter: string | null
  offered_to: string | null
  /** Whether the next roll only decides come bets. */
  come_bets_only: boolean
  seats: Seat[]
  is_locked: boolean
  you: string | null
  is_seated: boolean
  can_roll: boolean
  /** Why you cannot roll, in a few words. */
  roll_refusal: Refusal | null
  bets: PlacedBet[]
  off_spots: string[]
  closed_spots: (Refusal & { spots: string[] })[]
  /** The largest stake on each spot where the user's bets leave less than its maximum free. */
  free_stakes: Record<string, number>
  legal_actions: LegalAction[]
  /** The server's clock. All other times are on this clock too. */
  now_ms: number
  roll_allowed_at_ms: number | null
  waiting_for: { kind: 'openings' | 'offer' | 'shooter'; players: string[] } | null
  deadline_ms: number | null
  results: PlayerResults | null
}

/** A player's results at one table or at all tables. */
export interface PlayerResults {
  bought_in_cents: number
  cashed_out_cents: number
  rack_cents: number
  layout_cents: number
  net_cents: number
  seated_since_ms: number | null
  seated_ms: number
}

/** The part of a table that does not change during play. */
export interface TableInfo {
  id: string
  book: { id: string; code: string; title: string }
  house: { name: string; digest: string; options: Record<string, unknown> }
  currency: string
  min_bet: number | null
  max_bet: number | null
  is_public: boolean
  invitation: string | null
  sequence: number
  roll: { number: number }
  layout: { spots: Spot[] }
}

/** What a roll did to one wager. */
export interface Settlement {
  name: string
  spot: string
  stake_cents: number
  total: number
  result: 'win' | 'lose' | 'push' | 'returned' | 'moved' | 'off' | 'no_action'
  cite: string[]
  net_cents?: number
  vig_cents?: number
  paid_cents?: number
  odds?: string
  moved_to?: number
  stays_up?: boolean
}

export interface SettledWager {
  player: string
  tag: string
  settlement: Settlement
}

/** What a roll did to the puck; empty if nothing. */
export type PuckChange = 'point_set' | 'point_made' | 'seven_out' | ''

/** One event of a table's journal. */
export interface TableEvent {
  sequence: number
  at_ms: number
  kind: string
  body: EventBody
  sentences: string[]
  /** For each sentence, the citation it ends with, or an empty string. */
  clauses: string[]
  names: Record<string, string>
  hash: string
  /** How the stick calls a roll. */
  stick_call: string | null
  /** Null for events that are not rolls. */
  puck_change: PuckChange | null
  /** Whether the next roll starts a new hand. */
  ends_hand: boolean
}

/** The fields that the page reads from events. Which of them an event has depends on its kind. */
export interface EventBody {
  player?: string
  tag?: string
  split_from?: string | null
  roll?: string | number
  dice?: string
  settled?: SettledWager[]
  anchor?: string
  commitment?: string
  lock?: unknown
  proof?: unknown
}

/** The error object of a refused request or command. */
export interface ErrorBody {
  code: string
  message: string
  cite?: string[]
  field?: string
  retry_after_ms?: number
}

export interface User {
  id: string
  name: string
  kind: 'guest' | 'registered'
  limits: Record<string, unknown>
}
