"""An automaton laid out for walking on one tape: a table of words, and behind it what the walker looks up when
something out of the ordinary happens. It is one array because handing over an array costs a compiled function as much
as several throws.

A row of the table is a situation after betting: a head of words about it, then one for each throw that can be told
apart. The word of a throw has the place of the row it leads to in its lower bits, and above them what the throw and the
next decision do to the player's worth (rack and stakes up), in slots of money with room below for counting hands. So
one addition keeps the worth and the number of hands, and one comparison with the first word of the row's head tells
whether the rack still covers what the strategy asks for. Two more words of the head say between which worths nothing
out of the ordinary can happen for a whole word of dice: then even that comparison is left out.
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
from trueodds.chain.stream import ELEVEN
from trueodds.chain.terms import Terms
from trueodds.dice import ROLLS

PLACE_BITS: Final = 26
HAND_BITS: Final = 16
MONEY_BITS: Final = 64 - PLACE_BITS - HAND_BITS

LEAST, CALM_FROM, CALM_BELOW, UP, HEAD = range(5)
"""The head of a row: the least worth that can go on, the worths from and below which the next word of dice is calm, and
the stakes up; then come the throws. All but the stakes have room for hands below them."""

PARKED: Final = 0
"""The row a finished session waits in: every throw leads back to it and nothing stops there."""

SPECIAL: Final = 2
"""Rows before the first situation: the parked one, and one that stands for situations where nothing is decided yet."""

FAR: Final = 1 << 44
"""More slots than anybody has, and more throws and shooters than anybody sees."""

MOST_ROLLS: Final = 100_000

Words = npt.NDArray[np.int64]


ASKS: Final = ("short", "end", "decision")
SHORT, END, DECISION = range(3)
"""What a walk can ask for in a situation before betting: letting run, the end of a session, the decision itself."""


class Limits(NamedTuple):
    """What a player comes with and what ends a session, in slots.

    `nearly` is a worth after betting from which the upper stop may have been reached before it: a decision may have
    paid vigorish in between.
    """

    bankroll: int
    rolls: int
    shooters: int
    at_most: int
    at_least: int
    nearly: int


def limits_of(terms: Terms, slot: int = 1, fee: int = 0) -> Limits:
    """Say the terms of a session in slots of so many cents, where no decision costs more vigorish than a fee.

    >>> limits_of(Terms(50_000, 200), 1000).bankroll
    50
    """
    at_least = FAR if terms.at_least is None else -(-terms.at_least // slot)
    return Limits(
        terms.bankroll // slot,
        terms.rolls or MOST_ROLLS,
        terms.shooters or FAR,
        -FAR if terms.at_most is None else terms.at_most // slot,
        at_least,
        at_least + -fee // slot,
    )


COST, STAKES, EMPTY, AFTER, LET_RUN, ENDING, REFUND, FACTS = 0, 1, 2, 3, 4, 5, 6, 8
"""What is known of a situation before betting, in a line of words of its own: what the decision costs and the stakes up
before it, whether nothing is up, the rows after the decision and when what is up is let run, the row that the end of a
session there leads to (PARKED: nothing is left to decide), and the money that comes back then. A row that is not built
is UNKNOWN."""


class Places(NamedTuple):
    """Where things begin on the tape, which begins with the table itself. Amounts are in slots.

    `column` is the place of each of the 36 rolls in a row, `before` the situation before betting that each word of a
    throw leads to, `facts` what is known of those, `dice` the words about the dice.
    """

    column: int
    before: int
    facts: int
    dice: int


class Machine:
    """A strategy under the terms of a session, ready to be walked; grows when a walk meets what is not built."""

    def __init__(self, automaton: Automaton, terms: Terms, dice: Words | None = None) -> None:
        """Lay a strategy out; words about the dice, weights or a recording, are put at the end of the tape."""
        self.automaton = automaton
        self._dice = np.zeros(0, dtype=np.int64) if dice is None else dice
        self.terms = terms
        self.ends = cash_out(automaton)
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
        self.slot = gcd(self.terms.bankroll, *(int(np.gcd.reduce(np.abs(one))) for one in money if one.size)) or 1
        fee, refund = self._swings()
        self.limits = limits_of(self.terms, self.slot, fee)
        self._look_at = -FAR if self.terms.at_most is None else self.limits.at_most - -refund // self.slot
        columns, width = self._columns()
        stride = HEAD + width
        if stride * (SPECIAL + len(automaton.next) + len(ends.next)) >> PLACE_BITS:
            raise ChainTooLargeError(f"{automaton.strategy.name} has too many situations to walk")
        self.stride = stride
        rows = SPECIAL + len(automaton.next) + len(ends.next)
        words: Words = np.zeros((rows, stride), dtype=np.int64)
        before = np.zeros((rows, stride), dtype=np.int64)
        words[:SPECIAL, LEAST] = (-FAR << HAND_BITS, FAR << HAND_BITS)
        first, place = columns
        self._fill(words, before, automaton, SPECIAL, first, place)
        self._fill(words, before, ends, SPECIAL + len(automaton.next), first, place)
        _find_calm(words[: SPECIAL + len(automaton.next)], self.limits.nearly << HAND_BITS)
        after_end = (ends.after[known].astype(np.int64) + SPECIAL + len(automaton.next)) * stride
        there = self._end != UNKNOWN
        facts = np.zeros((len(automaton.after), FACTS), dtype=np.int64)
        facts[:, COST], facts[:, STAKES] = automaton.cost // self.slot, automaton.up // self.slot
        facts[:, EMPTY] = automaton.empty
        facts[:, AFTER], facts[:, LET_RUN] = self._rows(automaton.after), self._rows(automaton.short)
        facts[:, ENDING] = UNKNOWN
        facts[there, ENDING] = np.where(ends.up_after[ends.after[known]] == 0, PARKED, after_end)
        facts[there, REFUND] = -ends.cost[known] // self.slot
        parts = [words.ravel(), place, before.ravel(), facts.ravel(), self._dice]
        self.tape: Words = np.concatenate(parts)
        self.places = Places(*np.cumsum([len(part) for part in parts])[:-1].tolist())

    def _swings(self) -> tuple[int, int]:
        """Give the most that a decision takes from a player's worth, and the most that it gives back, in cents.

        That is vigorish: paid in front, and refunded for a bet that comes down. Stops are tested before a decision, but
        a walk keeps the worth after it.
        """
        automaton = self.automaton
        decided = automaton.after != UNKNOWN
        fee = automaton.cost + automaton.up - automaton.up_after[automaton.after]
        return int(np.max(fee, initial=0, where=decided)), int(np.max(-fee, initial=0, where=decided))

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
        least = np.full(len(up), -FAR) if ending else np.maximum(up // self.slot, self._look_at + 1)
        mine[:, LEAST] = least << HAND_BITS
        mine[:, UP] = up // self.slot
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


def _find_calm(words: Words, nearly: int) -> None:
    """Write into the heads of rows between which worths a whole word of dice leads to nothing out of the ordinary."""
    least, throws = words[:, LEAST], words[:, HEAD:]
    row, change = (throws & ((1 << PLACE_BITS) - 1)) // words.shape[1], throws >> PLACE_BITS >> HAND_BITS << HAND_BITS
    calm_from, calm_below = least.copy(), np.full(len(words), nearly)
    for _ in range(ELEVEN):
        calm_from = np.maximum(least, (calm_from[row] - change).max(axis=1))
        calm_below = np.minimum(nearly, (calm_below[row] - change).min(axis=1))
    words[:, CALM_FROM], words[:, CALM_BELOW] = calm_from, calm_below
