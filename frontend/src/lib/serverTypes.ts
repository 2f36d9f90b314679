// What the server says. The page draws it and knows nothing of craps by itself.

export interface Stakes {
  least: number
  most: number | null
  step: number
  /** The step of stakes that are paid without breakage. */
  even: number
}

export interface Refusal {
  code: string
  sentence: string
  cite: string[]
}

/** A spot as it stays while a table plays: where it is, what it is called and pays. */
export interface Spot {
  spot: string
  area: string
  title: string
  name: string
  pays: [string, string][]
  stakes: Stakes | null
  cite: string[]
  silences: string[]
  /** The dice it is drawn with: the one pair it wins on. */
  dice: [number, number][]
  /** The dice that are barred. */
  bar: [number, number][]
  /** Whether the dealer splits it among other spots. */
  splits: boolean
  /** The spot that one bets on to stand here: "come" for "come:6", mostly the spot itself. */
  home: string
  /** The numbers it gathers one by one, if it does. */
  collects: number[]
}

export interface Chip {
  spot: string
  player: string
  tag: string
  stake: number
  call: '' | 'on' | 'off'
  working: boolean
  /** The tag of the wager these odds are behind. */
  on: string | null
  marks: number[]
  /** The spot it was bet on: "come" for what travelled to "come:6". */
  home: string
}

export interface Choice {
  do: string
  name: string
  spot: string | null
  tag: string | null
  on: string | null
  stakes: Stakes | null
}

export interface Seat {
  player: string
  name: string
  rack: number
  up: number
  seated: boolean
  leaving: boolean
  is_bot: boolean
}

/** How a table stands now, for whoever looks. */
export interface View {
  sequence: number
  point: number | null
  markers: { fire: number[]; bonus: number[] }
  shooter: string | null
  offer_to: string | null
  /** The round that only decides come bets. */
  come_only: boolean
  seats: Seat[]
  locked: boolean
  you: string | null
  is_seated: boolean
  may_roll: boolean
  /** Why one may not, in few words. */
  no_roll: Refusal | null
  chips: Chip[]
  off: string[]
  closed: (Refusal & { spots: string[] })[]
  choices: Choice[]
  /** The server's clock; other times are of it, too. */
  now_ms: number
  window_until_ms: number | null
  waits_for: { what: 'openings' | 'offer' | 'shooter'; whom: string[] } | null
  due_ms: number | null
  standing: Standing | null
}

/** How somebody stands, at a table or over all. */
export interface Standing {
  bought_cents: number
  cashed_cents: number
  rack_cents: number
  up_cents: number
  net_cents: number
  since_ms: number | null
  seated_ms: number
}

/** What a table is. */
export interface Felt {
  id: string
  book: { id: string; code: string; title: string }
  house: { name: string; digest: string; options: Record<string, unknown> }
  currency: string
  min_bet: number | null
  max_bet: number | null
  open: boolean
  invitation: string | null
  sequence: number
  roll: { number: number }
  layout: { spots: Spot[] }
}

export interface Ruling {
  name: string
  spot: string
  stake: number
  total: number
  result: 'win' | 'lose' | 'push' | 'returned' | 'moved' | 'off' | 'no_action'
  cite: string[]
  net?: number
  vig?: number
  cash?: number
  odds?: string
  to?: number
  stays?: boolean
}

export interface Settled {
  player: string
  tag: string
  ruling: Ruling
}

/** One row of a table's log. */
export interface TableEvent {
  number: number
  at_ms: number
  kind: string
  body: Record<string, any>
  sentences: string[]
  /** The end of each sentence that says where that is written, or nothing. */
  clauses: string[]
  names: Record<string, string>
  hash: string
  /** How the stick calls a throw. */
  call: string | null
  /** What a throw did to the puck; nothing is said of other rows. */
  mark: 'point' | 'made' | 'out' | '' | null
  /** Whether the next throw begins a hand. */
  new_hand: boolean
}

export interface ApiError {
  code: string
  sentence: string
  cite?: string[]
  where?: string
  wait_ms?: number
}

export interface Me {
  id: string
  name: string
  kind: 'guest' | 'registered'
  limits: Record<string, unknown>
}
