"""An automaton laid out for walking on one tape: a table of words, and behind it what the walker looks up when
something out of the ordinary happens. It is one array because handing over an array costs a compiled function as much
as several throws.

A row of the table is a situation after betting: two words about it, then one for each throw that can be told apart. The
word of a throw has the place of the row it leads to in its lower bits, and above them what the throw and the next
decision do to the player's worth (rack and stakes up), in slots of money with room below for counting hands. So one
addition keeps the worth and the number of hands, and one comparison with the row's first word tells whether the rack
still covers what the strategy asks for.
"""

from __future__ import annotations

from math import gcd
from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from trueodds.chain.automaton import Automaton, Numbers
from trueodds.chain.errors import ChainTooLargeError
from trueodds.chain.group import UNKNOWN, Ints
from trueodds.chain.rollout import cash_out, enter
from trueodds.dice import ROLLS

PLACE_BITS: Final = 26
HAND_BITS: Final = 16
MONEY_BITS: Final = 64 - PLACE_BITS - HAND_BITS
HEAD: Final = 2
"""Words at the head of a row: the least worth that can go on, and the stakes up."""

PARKED: Final = 0
"""The row a finished session waits in: every throw leads back to it and nothing stops there."""

SPECIAL: Final = 2
"""Rows before the first situation: the parked one, and one that stands for situations where nothing is decided yet."""

FAR: Final = np.iinfo(np.int64).max

Words = npt.NDArray[np.int64]


ASKS: Final = ("short", "end", "decision")
SHORT, END, DECISION = range(3)
"""What a walk can ask for in a situation before betting: letting run, the end of a session, the decision itself."""


class Places(NamedTuple):
    """Where things begin on the tape, which begins with the table itself. Amounts are in slots.

    `column` is the place of each of the 36 rolls in a row, `before` the situation before betting that each word of a
    throw leads to. By situation before betting: `cost`, `up`, `empty`, the rows `after` and `short` (-1 where not
    built), and the row `end` and the money `refund` when a session is over there (-1: not built; PARKED: nothing left
    to decide).
    """

    column: int
    before: int
    cost: int
    up: int
    empty: int
    after: int
    short: int
    end: int
    refund: int


class Machine:
    """A strategy at a table, ready to be walked; grows when a walk meets what is not built."""

    def __init__(self, automaton: Automaton, amounts: tuple[int, ...] = ()) -> None:
        self.automaton = automaton
        self.ends = cash_out(automaton)
        self._amounts = amounts
        self._end: Ints = np.zeros(0, dtype=np.int64)
        self._lay_out()

    def build(self, wanted: Ints) -> None:
        """Build what a walk asked for: situations, each times the number of `ASKS` plus what was asked there."""
        if self.total_bytes > self.automaton.budget:
            raise self.automaton.too_large()
        what, situations = wanted % len(ASKS), wanted // len(ASKS)
        self.automaton.reach(np.unique(situations[what == DECISION]))
        self.automaton.let_run(np.unique(situations[what == SHORT]))
        self._fit()
        wanted = np.unique(situations[what == END])
        wanted = wanted[self._end[wanted] == UNKNOWN]
        if len(wanted):
            self._end[wanted] = enter(self.ends, self.automaton, wanted)
        self._lay_out()

    def stopping_at(self, worth: int) -> Words:
        """Give the tape with every situation looked at closely where the worth is at or below so many slots."""
        tape = self.tape.copy()
        rows = len(self.automaton.next)
        heads = tape[SPECIAL * self.stride : (SPECIAL + rows) * self.stride : self.stride]
        np.maximum(heads, (worth + 1) << HAND_BITS, out=heads)
        return tape

    @property
    def highest_fee(self) -> int:
        """The most that a decision takes from a player's worth, in cents: vigorish paid in front."""
        automaton = self.automaton
        decided = automaton.after != UNKNOWN
        fee = automaton.cost + automaton.up - automaton.up_after[automaton.after]
        return int(np.max(fee, initial=0, where=decided))

    @property
    def total_bytes(self) -> int:
        """What it takes altogether, about."""
        return self.automaton.total_bytes + self.ends.total_bytes + self.tape.nbytes

    def _fit(self) -> None:
        more = len(self.automaton.after) - len(self._end)
        self._end = np.pad(self._end, (0, more), constant_values=UNKNOWN)

    def _lay_out(self) -> None:
        self._fit()
        automaton, ends = self.automaton, self.ends
        known = self._end[self._end != UNKNOWN]
        money = [automaton.cost, automaton.cash.ravel(), automaton.up, ends.cost, ends.cash.ravel(), ends.up]
        self.slot = gcd(*self._amounts, *(int(np.gcd.reduce(np.abs(one))) for one in money if one.size)) or 1
        columns, width = self._columns()
        stride = HEAD + width
        if stride * (SPECIAL + len(automaton.next) + len(ends.next)) >> PLACE_BITS:
            raise ChainTooLargeError(f"{automaton.strategy.name} has too many situations to walk")
        self.stride = stride
        rows = SPECIAL + len(automaton.next) + len(ends.next)
        words: Words = np.zeros((rows, stride), dtype=np.int64)
        before = np.zeros((rows, stride), dtype=np.int64)
        words[:SPECIAL, 0] = (-FAR, FAR)
        first, place = columns
        self._fill(words, before, automaton, SPECIAL, first, place)
        self._fill(words, before, ends, SPECIAL + len(automaton.next), first, place)
        after_end = (ends.after[known].astype(np.int64) + SPECIAL + len(automaton.next)) * stride
        end = np.full(len(automaton.after), UNKNOWN, dtype=np.int64)
        refund = np.zeros(len(automaton.after), dtype=np.int64)
        there = self._end != UNKNOWN
        bare = ends.up_after == 0
        end[there] = np.where(bare[ends.after[known]], PARKED, after_end)
        refund[there] = -ends.cost[known] // self.slot
        parts = [
            words.ravel(),
            place,
            before.ravel(),
            automaton.cost // self.slot,
            automaton.up // self.slot,
            automaton.empty.astype(np.int64),
            self._rows(automaton.after),
            self._rows(automaton.short),
            end,
            refund,
        ]
        self.tape: Words = np.concatenate(parts)
        self.places = Places(*np.cumsum([len(part) for part in parts])[:-1].tolist())

    def _rows(self, situations: Numbers) -> Ints:
        """Give the places of the rows of situations after betting."""
        return np.where(situations == UNKNOWN, UNKNOWN, (situations.astype(np.int64) + SPECIAL) * self.stride)

    def _columns(self) -> tuple[tuple[Ints, Ints], int]:
        """Find throws that no situation tells apart: the first of each kind, and the kind of each of the 36."""
        kinds: dict[bytes, int] = {}
        place, first = np.zeros(36, dtype=np.int64), []
        for index, roll in enumerate(ROLLS):
            looks = b""
            for one in (self.automaton, self.ends):
                column = one.column_of(roll)
                looks += one.next[:, column].tobytes() + one.cash[:, column].tobytes()
            if looks not in kinds:
                kinds[looks] = len(kinds)
                first.append(index)
            place[index] = HEAD + kinds[looks]
        return (np.array(first, dtype=np.int64), place), len(kinds)

    def _fill(self, words: Words, before: Any, one: Automaton, offset: int, first: Ints, place: Ints) -> None:
        """Write the rows of an automaton: for the one after the end, worth is simply the rack."""
        if not len(one.next):
            return
        ending = one is self.ends
        up = np.zeros(len(one.next), dtype=np.int64) if ending else one.up_after
        bare = one.up_after == 0
        mine = words[offset : offset + len(one.next)]
        mine[:, 0] = -FAR if ending else (up // self.slot) << HAND_BITS
        mine[:, 1] = up // self.slot
        for roll in first.tolist():
            column = one.column_of(ROLLS[roll])
            then = one.next[:, column]
            after = one.after[then].astype(np.int64)
            undecided = after == UNKNOWN
            there = np.where(undecided, one.up[then], up[after] - one.cost[then])
            change = (one.cash[:, column] + there - up) // self.slot
            if change.size and int(np.abs(change).max()) >> (MONEY_BITS - 1):
                raise ChainTooLargeError(f"{one.strategy.name} moves too much money at once to be walked")
            row = np.where(undecided, self.stride, (after + offset) * self.stride)
            if ending:
                row = np.where(bare[after], PARKED, row)
            hands = np.zeros(len(then), dtype=np.int64) if ending else one.fresh[then].astype(np.int64)
            mine[:, place[roll]] = (((change << HAND_BITS) + hands) << PLACE_BITS) | row
            before[offset : offset + len(one.next), place[roll]] = then
