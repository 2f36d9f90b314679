"""The transition table: an automaton laid out in one buffer of 64-bit words for the kernels.

The buffer starts with a table. A row of the table is a situation after betting: a header of words about it, then one
word for each roll that makes a difference. The word of a roll holds the offset of the row it leads to in its lower
bits. The bits above hold what the roll and the next decision do to the player's worth (rack plus stakes), in units of
money, with room below for a count of hands. So one addition updates both the worth and the hands, and one comparison
with the first word of the row's header checks that the rack still covers the strategy's next bets. Two more words of
the header bound the worths for which nothing exceptional can happen within the rolls of a whole random word. Between
them even that comparison is left out.

The table is followed by what a kernel looks up when something exceptional happens. All of it is one array because
passing an array to a compiled function costs as much as several rolls.
"""

from __future__ import annotations

from math import gcd
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from trueodds.automaton.array_types import Int64Array, IntArray
from trueodds.automaton.automaton import Automaton
from trueodds.automaton.calculation_errors import TooManyStatesError
from trueodds.automaton.components import UNKNOWN
from trueodds.dice import ROLLS
from trueodds.sessions.closeout import closeout_automaton, enter_closeout
from trueodds.sessions.session_limits import SessionLimits
from trueodds.simulation.rng import ROLLS_PER_WORD

ROW_BITS: Final = 26
HAND_BITS: Final = 16
MONEY_BITS: Final = 64 - ROW_BITS - HAND_BITS

MIN_WORTH, QUIET_FROM, QUIET_BELOW, STAKES_UP, HEADER_WORDS = range(5)
"""The header of a row: the smallest worth that needs no closer look, the worths from and below which the next random
word is quiet, and the stakes on the layout. The rolls follow. All but the stakes have room for hands below them."""

FINISHED_ROW: Final = 0
"""The row of finished sessions. Every roll leads back to it and nothing happens there."""

SPECIAL_ROWS: Final = 2
"""The rows before the first situation: the finished row, and one for situations whose decision is not built yet."""

NO_LIMIT: Final = 1 << 44
"""More units of money, rolls and shooters than a session can have."""

MAX_ROLLS: Final = 100_000

Words = npt.NDArray[np.int64]

MISSING_KINDS: Final = ("skip", "closeout", "decision")
MISSING_SKIP, MISSING_CLOSEOUT, MISSING_DECISION = range(3)
"""What a kernel can find missing in a situation before betting. It reports situation * len(MISSING_KINDS) + kind."""

DECISION_COST, STAKES_BEFORE, LAYOUT_EMPTY, ROW_AFTER_BET, ROW_AFTER_SKIP, CLOSEOUT_ROW, CLOSEOUT_CASH = range(7)
"""The words about a situation before betting: the cost of the decision, the stakes before it, whether the layout is
empty, the rows after betting and after skipping, the row in which closing out starts (FINISHED_ROW if no bet is left to
decide), and the money that comes down at once. Rows that are not built yet are UNKNOWN."""

SITUATION_WORDS: Final = 8
"""The words of a situation, padded to a power of two."""


class KernelLimits(NamedTuple):
    """The limits of a session in units of money.

    `stop_win_check` is the worth after betting from which the stop win may have been reached before betting, because
    the decision may have paid vigorish in between.
    """

    bankroll: int
    rolls: int
    shooters: int
    stop_loss_worth: int
    stop_win_worth: int
    stop_win_check: int


def kernel_limits(limits: SessionLimits, unit_cents: int = 1, max_vig_cents: int = 0) -> KernelLimits:
    """Return the limits of a session in units of money, for decisions that pay at most this much vigorish.

    >>> kernel_limits(SessionLimits(50_000, 200), 1000).bankroll
    50
    """
    stop_loss, stop_win = limits.stop_loss_worth_cents, limits.stop_win_worth_cents
    stop_win_worth = NO_LIMIT if stop_win is None else -(-stop_win // unit_cents)
    return KernelLimits(
        bankroll=limits.bankroll_cents // unit_cents,
        rolls=limits.rolls or MAX_ROLLS,
        shooters=limits.shooters or NO_LIMIT,
        stop_loss_worth=-NO_LIMIT if stop_loss is None else stop_loss // unit_cents,
        stop_win_worth=stop_win_worth,
        stop_win_check=stop_win_worth + -max_vig_cents // unit_cents,
    )


class Offsets(NamedTuple):
    """Where the parts of the buffer start after the table.

    `roll_columns` holds the column of each of the 36 rolls. `before` holds the situation before betting that each word
    of the table leads to. `situations` holds the words about those situations. `dice` holds the weights of the dice or
    a recording of rolls.
    """

    roll_columns: int
    before: int
    situations: int
    dice: int


class _Columns(NamedTuple):
    """The rolls merged into columns: the column of each of the 36 rolls, and one roll of each column."""

    by_roll: Int64Array
    examples: list[int]


class TransitionTable:
    """A strategy with the limits of a session, laid out for the kernels. It grows when kernels report missing parts."""

    def __init__(self, automaton: Automaton, limits: SessionLimits, dice: Words | None = None) -> None:
        """Lay out an automaton. `dice` holds the weights of the dice or a recording."""
        self.automaton = automaton
        self._dice = np.zeros(0, dtype=np.int64) if dice is None else dice
        self.session_limits = limits
        self.closeout = closeout_automaton(automaton)
        self._closeout_entry: Int64Array = np.zeros(0, dtype=np.int64)
        self._lay_out()

    def build(self, missing: Int64Array) -> None:
        """Add what kernels reported as missing. Raise TooManyStatesError if it does not fit into the budget."""
        if self.total_bytes > self.automaton.budget_bytes:
            raise self.automaton.too_large_error()
        situations, kinds = np.divmod(missing, len(MISSING_KINDS))
        self.automaton.explore_from(np.unique(situations[kinds == MISSING_DECISION]))
        self.automaton.add_skips(np.unique(situations[kinds == MISSING_SKIP]))
        self._extend()
        ending = np.unique(situations[kinds == MISSING_CLOSEOUT])
        ending = ending[self._closeout_entry[ending] == UNKNOWN]
        if len(ending):
            self._closeout_entry[ending] = enter_closeout(self.closeout, self.automaton, ending)
        self._lay_out()

    @property
    def total_bytes(self) -> int:
        """The approximate memory of the table and its automata."""
        return self.automaton.total_bytes + self.closeout.total_bytes + self.buffer.nbytes

    def _extend(self) -> None:
        added = len(self.automaton.after_betting) - len(self._closeout_entry)
        self._closeout_entry = np.pad(self._closeout_entry, (0, added), constant_values=UNKNOWN)

    def _lay_out(self) -> None:
        """Write the whole buffer."""
        self._extend()
        self.unit_cents = self._common_unit()
        max_vig, max_refund = self._max_vig_and_refund()
        self.limits = kernel_limits(self.session_limits, self.unit_cents, max_vig)
        self._stop_loss_check = -NO_LIMIT
        if self.session_limits.stop_loss_worth_cents is not None:
            self._stop_loss_check = self.limits.stop_loss_worth - -max_refund // self.unit_cents
        columns = self._merge_equivalent_rolls()
        self._first_closeout_row = SPECIAL_ROWS + len(self.automaton.next)
        rows = self._first_closeout_row + len(self.closeout.next)
        self.stride = HEADER_WORDS + len(columns.examples)
        if self.stride * rows >> ROW_BITS:
            raise TooManyStatesError(f"{self.automaton.strategy.name} has too many situations for a transition table")
        table: Words = np.zeros((rows, self.stride), dtype=np.int64)
        before: Words = np.zeros((rows, self.stride), dtype=np.int64)
        table[:SPECIAL_ROWS, MIN_WORTH] = (-NO_LIMIT << HAND_BITS, NO_LIMIT << HAND_BITS)
        self._fill(table, before, self.automaton, SPECIAL_ROWS, columns)
        self._fill(table, before, self.closeout, self._first_closeout_row, columns)
        _find_quiet_ranges(table[: self._first_closeout_row], self.limits.stop_win_check << HAND_BITS)
        parts = [table.ravel(), columns.by_roll, before.ravel(), self._situation_words().ravel(), self._dice]
        self.buffer: Words = np.concatenate(parts)
        self.offsets = Offsets(*np.cumsum([len(part) for part in parts])[:-1].tolist())

    def _common_unit(self) -> int:
        """Return the largest number of cents that divides every amount."""
        automata = (self.automaton, self.closeout)
        arrays = [
            array for one in automata for array in (one.cost_cents, one.payout_cents.ravel(), one.stakes_cents)
        ]  # fmt: skip
        divisors = (int(np.gcd.reduce(np.abs(array))) for array in arrays if array.size)
        return gcd(self.session_limits.bankroll_cents, *divisors) or 1

    def _situation_words(self) -> Words:
        """Return the words about each situation before betting."""
        automaton, closeout = self.automaton, self.closeout
        words: Words = np.zeros((len(automaton.after_betting), SITUATION_WORDS), dtype=np.int64)
        words[:, DECISION_COST] = automaton.cost_cents // self.unit_cents
        words[:, STAKES_BEFORE] = automaton.stakes_cents // self.unit_cents
        words[:, LAYOUT_EMPTY] = automaton.layout_empty
        words[:, ROW_AFTER_BET] = self._rows(automaton.after_betting)
        words[:, ROW_AFTER_SKIP] = self._rows(automaton.after_skipping)
        words[:, CLOSEOUT_ROW] = UNKNOWN
        is_known = self._closeout_entry != UNKNOWN
        entries = self._closeout_entry[is_known]
        after = closeout.after_betting[entries].astype(np.int64)
        rows = (after + self._first_closeout_row) * self.stride
        words[is_known, CLOSEOUT_ROW] = np.where(closeout.stakes_after_cents[after] == 0, FINISHED_ROW, rows)
        words[is_known, CLOSEOUT_CASH] = -closeout.cost_cents[entries] // self.unit_cents
        return words

    def _max_vig_and_refund(self) -> tuple[int, int]:
        """Return the most cents that a decision takes from the player's worth, and the most that it gives back.

        The difference is vigorish: paid with a bet, or refunded with a bet that comes down. The stops are checked
        before a decision, but a kernel holds the worth after it.
        """
        automaton = self.automaton
        decided = automaton.after_betting != UNKNOWN
        vig = automaton.cost_cents + automaton.stakes_cents - automaton.stakes_after_cents[automaton.after_betting]
        return int(np.max(vig, initial=0, where=decided)), int(np.max(-vig, initial=0, where=decided))

    def _rows(self, situations: IntArray) -> Int64Array:
        """Return the offsets of the rows of situations after betting."""
        return np.where(situations == UNKNOWN, UNKNOWN, (situations.astype(np.int64) + SPECIAL_ROWS) * self.stride)

    def _merge_equivalent_rolls(self) -> _Columns:
        """Merge rolls that have the same effect in every situation."""
        column_by_effect: dict[bytes, int] = {}
        by_roll, examples = np.zeros(36, dtype=np.int64), []
        for number, roll in enumerate(ROLLS):
            effect = b""
            for automaton in (self.automaton, self.closeout):
                column = automaton.column_of(roll)
                effect += automaton.next[:, column].tobytes() + automaton.payout_cents[:, column].tobytes()
            if effect not in column_by_effect:
                column_by_effect[effect] = HEADER_WORDS + len(column_by_effect)
                examples.append(number)
            by_roll[number] = column_by_effect[effect]
        return _Columns(by_roll, examples)

    def _fill(self, table: Words, before: Words, automaton: Automaton, first_row: int, columns: _Columns) -> None:
        """Write the rows of an automaton. During closing out the worth is just the rack."""
        count = len(automaton.next)
        if not count:
            return
        closing_out = automaton is self.closeout
        stakes = np.zeros(count, dtype=np.int64) if closing_out else automaton.stakes_after_cents
        is_empty = automaton.stakes_after_cents == 0
        rows, rows_before = table[first_row : first_row + count], before[first_row : first_row + count]
        min_worth = np.full(count, -NO_LIMIT)
        if not closing_out:
            min_worth = np.maximum(stakes // self.unit_cents, self._stop_loss_check + 1)
        rows[:, MIN_WORTH] = min_worth << HAND_BITS
        rows[:, STAKES_UP] = stakes // self.unit_cents
        for roll in columns.examples:
            column = automaton.column_of(ROLLS[roll])
            rolled = automaton.next[:, column]
            after = automaton.after_betting[rolled].astype(np.int64)
            undecided = after == UNKNOWN
            stakes_then = np.where(
                undecided, automaton.stakes_cents[rolled], stakes[after] - automaton.cost_cents[rolled]
            )
            change = (automaton.payout_cents[:, column] + stakes_then - stakes) // self.unit_cents
            if change.size and int(np.abs(change).max()) >> (MONEY_BITS - 1):
                raise TooManyStatesError(
                    f"{automaton.strategy.name} moves too much money in one roll for a transition table"
                )
            target = np.where(undecided, self.stride, (after + first_row) * self.stride)
            if closing_out:
                target = np.where(is_empty[after], FINISHED_ROW, target)
            hands = np.zeros(count, dtype=np.int64) if closing_out else automaton.new_shooter[rolled].astype(np.int64)
            rows[:, columns.by_roll[roll]] = (((change << HAND_BITS) + hands) << ROW_BITS) | target
            rows_before[:, columns.by_roll[roll]] = rolled


def _find_quiet_ranges(table: Words, stop_win_check: int) -> None:
    """Write the quiet range of each row: the worths for which a whole random word needs no closer look."""
    min_worth, rolls = table[:, MIN_WORTH], table[:, HEADER_WORDS:]
    target = (rolls & ((1 << ROW_BITS) - 1)) // table.shape[1]
    change = rolls >> ROW_BITS >> HAND_BITS << HAND_BITS
    quiet_from, quiet_below = min_worth.copy(), np.full(len(table), stop_win_check)
    for _ in range(ROLLS_PER_WORD):
        quiet_from = np.maximum(min_worth, (quiet_from[target] - change).max(axis=1))
        quiet_below = np.minimum(stop_win_check, (quiet_below[target] - change).min(axis=1))
    table[:, QUIET_FROM], table[:, QUIET_BELOW] = quiet_from, quiet_below
