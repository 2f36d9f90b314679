"""The grid of a session: every situation with every rack that can occur in it, in whole units of money.

The float and the exact distribution both move probability over this grid. A grid is a translation of the reference
(`reference.py`) into arrays: it holds, for each situation before betting, which racks stop, bet, skip or are ruined.
"""

from __future__ import annotations

from fractions import Fraction
from math import gcd, lcm
from typing import Final, NamedTuple

import numpy as np

from trueodds.automaton.array_types import Int64Array, IntArray
from trueodds.automaton.automaton import Automaton
from trueodds.automaton.calculation_errors import TooManyStatesError
from trueodds.sessions.session_limits import SessionLimits
from trueodds.wager_odds.dice_chances import FAIR_DICE, DiceChances, merge_equivalent_rolls

UNREACHABLE_RACK: Final = 1 << 60
"""A rack no player has: it stands for a stop that is not set."""

EMPTY_RANGE: Final = 1 << 61
"""The lower end of a range without racks. Its upper end is the negative."""


class RollEdges(NamedTuple):
    """Transitions by rolls. Rolls with the same target and the same money are merged.

    The edges of the situation `a` after betting are those from `first[a]` up to `first[a + 1]`.
    """

    first: Int64Array
    target: Int64Array
    rack_change: Int64Array
    ways: Int64Array


class SessionGrid(NamedTuple):
    """The arrays of a grid. Money is in units of `unit_cents` cents.

    For each situation before betting: a rack of at least `stop_win_rack` or at most `stop_loss_rack` ends the session.
    Of the other racks, those of at least `required_rack` bet: they move to the situation `after` and pay `cost`. The
    rest skip and move to `after_skipping`; where that is UNKNOWN they are ruined. `new_shooter` marks situations where
    a new shooter starts. The possible racks lie between `min_rack` and `max_rack`, and between `min_rack_after` and
    `max_rack_after` in situations after betting. Each edge has `ways` chances out of `total_ways`.
    """

    unit_cents: int
    total_ways: int
    after: Int64Array
    after_skipping: Int64Array
    cost: Int64Array
    required_rack: Int64Array
    stop_win_rack: Int64Array
    stop_loss_rack: Int64Array
    new_shooter: Int64Array
    min_rack: Int64Array
    max_rack: Int64Array
    min_rack_after: Int64Array
    max_rack_after: Int64Array
    edges: RollEdges

    @property
    def widths(self) -> Int64Array:
        """The number of possible racks of each situation before betting."""
        widths: Int64Array = np.maximum(self.max_rack - self.min_rack + 1, 0)
        return widths

    @property
    def widths_after(self) -> Int64Array:
        """The number of possible racks of each situation after betting."""
        widths: Int64Array = np.maximum(self.max_rack_after - self.min_rack_after + 1, 0)
        return widths

    @property
    def cell_count(self) -> int:
        """The number of pairs of a situation before betting and a rack."""
        return int(self.widths.sum())

    @property
    def after_cell_count(self) -> int:
        """The number of pairs of a situation after betting and a rack."""
        return int(self.widths_after.sum())


def build_grid(
    automaton: Automaton,
    starts: dict[int, tuple[int, int]],
    limits: SessionLimits | None,
    dice: DiceChances = FAIR_DICE,
    unit_cents: int = 0,
) -> SessionGrid:
    """Return the grid of all racks that can be reached from the lowest and highest rack of each start.

    Situations in which a rack can be too small for the decision get their skips added to the automaton. The unit is the
    largest that divides every amount, and `unit_cents` if that is given. Without limits the session goes on until the
    layout is empty.
    """
    ranges = _RackRanges(automaton, starts, limits)
    if limits is None:
        while ranges.step() and ranges.expanded:
            ranges.low, ranges.high = ranges.min_rack.copy(), ranges.max_rack.copy()
    else:
        for _ in range(limits.rolls or 0):
            if not ranges.step():
                break
    return ranges.grid(unit_cents, *roll_ways(automaton, dice))


def roll_ways(automaton: Automaton, dice: DiceChances) -> tuple[Int64Array, int]:
    """Return the ways of each column of the automaton, and the total number of equally likely ways."""
    chance_by_roll = dict(merge_equivalent_rolls(dice, reads_faces=automaton.reads_faces))
    chances = [chance_by_roll.get(roll, Fraction(0)) for roll in automaton.columns]
    total_ways = lcm(*(chance.denominator for chance in chances))
    dtype = np.int64 if total_ways < UNREACHABLE_RACK else object
    return np.array([int(chance * total_ways) for chance in chances], dtype=dtype), total_ways


class _RackRanges:
    """The lowest and highest rack of each situation in cents: before the current roll, and before all rolls so far."""

    def __init__(self, automaton: Automaton, starts: dict[int, tuple[int, int]], limits: SessionLimits | None) -> None:
        self._automaton = automaton
        self._until_empty = limits is None
        self._stop_win_worth = limits.stop_win_worth_cents if limits else None
        self._stop_loss_worth = limits.stop_loss_worth_cents if limits else None
        count = len(automaton.after_betting)
        self.low: Int64Array = np.full(count, EMPTY_RANGE)
        self.high: Int64Array = np.full(count, -EMPTY_RANGE)
        for start, (low, high) in starts.items():
            self.low[start], self.high[start] = low, high
        self.min_rack, self.max_rack = self.low.copy(), self.high.copy()
        self.min_rack_after: Int64Array = np.full(len(automaton.next), EMPTY_RANGE)
        self.max_rack_after: Int64Array = np.full(len(automaton.next), -EMPTY_RANGE)
        self.expanded = True
        self._unit_cents = gcd(*(rack for rack_range in starts.values() for rack in rack_range))

    def step(self) -> bool:
        """Move every range over one decision and one roll. Return False if no session continues."""
        automaton = self._automaton
        continues = self.low <= self.high
        if self._until_empty:
            continues &= ~automaton.layout_empty
        before = np.flatnonzero(continues)
        low, high, stakes = self.low[before], self.high[before], automaton.stakes_cents[before]
        if self._stop_win_worth is not None:
            high = np.minimum(high, self._stop_win_worth - stakes - 1)
        if self._stop_loss_worth is not None:
            low = np.maximum(low, self._stop_loss_worth - stakes + 1)
        cost = automaton.cost_cents[before]
        required = np.maximum(cost, 0)
        skips = (low < required) & (low <= high) & ~automaton.layout_empty[before]
        automaton.add_skips(before[skips])
        self._extend()
        low_after: Int64Array = np.full(len(automaton.next), EMPTY_RANGE)
        high_after: Int64Array = np.full(len(automaton.next), -EMPTY_RANGE)
        low_betting = np.maximum(low, required)
        bets = low_betting <= high
        after_betting = automaton.after_betting[before[bets]]
        _widen(low_after, high_after, after_betting, (low_betting - cost)[bets], (high - cost)[bets])
        after_skipping = automaton.after_skipping[before[skips]]
        _widen(low_after, high_after, after_skipping, low[skips], np.minimum(high, required - 1)[skips])
        self.min_rack_after = np.minimum(self.min_rack_after, low_after)
        self.max_rack_after = np.maximum(self.max_rack_after, high_after)
        after = np.flatnonzero(low_after <= high_after)
        payout = automaton.payout_cents[after].astype(np.int64)
        self.low = np.full(len(automaton.after_betting), EMPTY_RANGE)
        self.high = np.full(len(automaton.after_betting), -EMPTY_RANGE)
        low_rolled, high_rolled = low_after[after, None] + payout, high_after[after, None] + payout
        _widen(self.low, self.high, automaton.next[after].ravel(), low_rolled.ravel(), high_rolled.ravel())
        self.expanded = bool((self.low < self.min_rack).any() or (self.high > self.max_rack).any())
        self.min_rack = np.minimum(self.min_rack, self.low)
        self.max_rack = np.maximum(self.max_rack, self.high)
        return bool(len(after))

    def _extend(self) -> None:
        """Add empty ranges for situations that were added to the automaton."""
        before = len(self._automaton.after_betting) - len(self.min_rack)
        after = len(self._automaton.next) - len(self.min_rack_after)
        self.min_rack = np.pad(self.min_rack, (0, before), constant_values=EMPTY_RANGE)
        self.max_rack = np.pad(self.max_rack, (0, before), constant_values=-EMPTY_RANGE)
        self.min_rack_after = np.pad(self.min_rack_after, (0, after), constant_values=EMPTY_RANGE)
        self.max_rack_after = np.pad(self.max_rack_after, (0, after), constant_values=-EMPTY_RANGE)

    def grid(self, unit_cents: int, ways: Int64Array, total_ways: int) -> SessionGrid:
        """Return the grid of the ranges found so far, converted to units."""
        automaton = self._automaton
        amounts = np.concatenate((automaton.cost_cents, automaton.payout_cents.ravel()))
        unit_cents = gcd(unit_cents, self._unit_cents, int(np.gcd.reduce(np.abs(amounts)))) or 1
        stop_win: Int64Array = np.full(len(automaton.after_betting), UNREACHABLE_RACK)
        stop_loss = -stop_win
        if self._stop_win_worth is not None:
            stop_win = -(-(self._stop_win_worth - automaton.stakes_cents) // unit_cents)
        if self._stop_loss_worth is not None:
            stop_loss = (self._stop_loss_worth - automaton.stakes_cents) // unit_cents
        if self._until_empty:
            stop_win = np.where(automaton.layout_empty, -UNREACHABLE_RACK, stop_win)
        return SessionGrid(
            unit_cents=unit_cents,
            total_ways=total_ways,
            after=automaton.after_betting.astype(np.int64),
            after_skipping=automaton.after_skipping.astype(np.int64),
            cost=automaton.cost_cents // unit_cents,
            required_rack=np.maximum(automaton.cost_cents, 0) // unit_cents,
            stop_win_rack=stop_win,
            stop_loss_rack=stop_loss,
            new_shooter=automaton.new_shooter.astype(np.int64),
            min_rack=_in_units(self.min_rack, unit_cents),
            max_rack=_in_units(self.max_rack, unit_cents),
            min_rack_after=_in_units(self.min_rack_after, unit_cents),
            max_rack_after=_in_units(self.max_rack_after, unit_cents),
            edges=_merge_edges(automaton, unit_cents, ways),
        )


def _widen(low: Int64Array, high: Int64Array, situations: IntArray, new_low: Int64Array, new_high: Int64Array) -> None:
    np.minimum.at(low, situations, new_low)
    np.maximum.at(high, situations, new_high)


def _in_units(racks: Int64Array, unit_cents: int) -> Int64Array:
    return np.where(np.abs(racks) >= UNREACHABLE_RACK, racks, racks // unit_cents)


def _merge_edges(automaton: Automaton, unit_cents: int, ways: Int64Array) -> RollEdges:
    """Return the edges of all rolls, with rolls merged that have the same source, target and money."""
    count, width = automaton.next.shape
    source = np.repeat(np.arange(count), width)
    targets, payouts = automaton.next.ravel().astype(np.int64), automaton.payout_cents.ravel().astype(np.int64)
    columns = np.stack((source, targets, payouts // unit_cents))
    order = np.lexsort(columns[::-1])
    columns = columns[:, order]
    begins = np.flatnonzero(np.concatenate(([True], (columns[:, 1:] != columns[:, :-1]).any(axis=0))))
    merged_ways = np.add.reduceat(np.tile(ways, count)[order], begins)
    merged, merged_ways = columns[:, begins[merged_ways > 0]], merged_ways[merged_ways > 0]
    first = np.searchsorted(merged[0], np.arange(count + 1))
    return RollEdges(first.astype(np.int64), merged[1], merged[2], merged_ways)


def check_memory(grid: SessionGrid, layers: int, budget_bytes: int, strategy_name: str, cell_bytes: int = 8) -> None:
    """Raise TooManyStatesError if the distribution over a grid does not fit into the memory budget."""
    bytes_needed = cell_bytes * (grid.cell_count * (2 * layers + 1) + grid.after_cell_count) + 16 * grid.cell_count
    if bytes_needed > budget_bytes:
        raise TooManyStatesError(
            f"the exact distribution of {strategy_name} is too large: {len(grid.after):,} situations with racks in "
            f"steps of {grid.unit_cents / 100:g} make {grid.cell_count:,} pairs, which need "
            f"{bytes_needed / 1e6:,.0f} MB of the {budget_bytes / 1e6:,.0f} MB allowed; allow more memory, shorten "
            "the session, or simulate"
        )
