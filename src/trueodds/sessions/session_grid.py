"""A session laid out for computing: an automaton with a bankroll, stops and an end, in whole slots of money.

What a session is, is said here once and for both ways to compute it. Before each throw: the stops are tested, on the
rack and the stakes that are up; then the strategy bets, if the rack covers what it asks for; if not, what is up runs;
with nothing up that is ruin.
"""

from __future__ import annotations

from fractions import Fraction
from math import gcd, lcm
from typing import Final, NamedTuple

import numpy as np

from trueodds.chain.automaton import Automaton, Numbers
from trueodds.chain.errors import ChainTooLargeError
from trueodds.chain.group import Ints
from trueodds.chain.odds import FAIR, Chances, told_apart
from trueodds.chain.terms import Terms

NEVER: Final = 1 << 60
"""A rack nobody has."""

NOWHERE: Final = 1 << 61


class Edges(NamedTuple):
    """Throws that lead to the same place with the same money, as one: from `first[a]` to `first[a + 1]` for each a."""

    first: Ints
    to: Ints
    shift: Ints
    ways: Ints


class Plan(NamedTuple):
    """Everything in slots of `slot` cents.

    By situation before betting: a rack of at least `high` or at most `low` ends the session there, one of at least
    `need` bets and goes to `after` with `cost` less, any other goes to `short`, or is ruined (`short` is UNKNOWN).
    `fresh` begins a new shooter. Racks in situation b lie from `floor[b]` to `ceiling[b]`. Edges have `ways` of
    `whole`.
    """

    slot: int
    whole: int
    after: Ints
    short: Ints
    cost: Ints
    need: Ints
    high: Ints
    low: Ints
    fresh: Ints
    floor: Ints
    ceiling: Ints
    after_floor: Ints
    after_ceiling: Ints
    edges: Edges

    @property
    def cells(self) -> int:
        """How many pairs of a situation before betting and a rack there are."""
        return int(np.maximum(self.ceiling - self.floor + 1, 0).sum())

    @property
    def after_cells(self) -> int:
        """The same after betting."""
        return int(np.maximum(self.after_ceiling - self.after_floor + 1, 0).sum())


def make_plan(
    automaton: Automaton, starts: dict[int, tuple[int, int]], terms: Terms | None, dice: Chances = FAIR, slot: int = 0
) -> Plan:
    """Find which racks are possible where, from the lowest and highest at each start, and lay everything out.

    Situations of a player short of money are added to the automaton where a rack can fall short of what is asked. A
    slot is as large as every amount allows, and divides the one given. Without terms it goes on until nothing is up.
    """
    windows = _Windows(automaton, starts, terms)
    if terms is None:
        while windows.step() and windows.grew:
            windows.low, windows.high = windows.floor.copy(), windows.ceiling.copy()
    else:
        for _ in range(terms.rolls or 0):
            if not windows.step():
                break
    return windows.plan(slot, *column_ways(automaton, dice))


def column_ways(automaton: Automaton, dice: Chances) -> tuple[Ints, int]:
    """Count in how many of how many equally likely ways each throw that is told apart can come."""
    shares = dict(told_apart(dice, by_pair=automaton.by_pair))
    chances = [shares.get(roll, Fraction(0)) for roll in automaton.columns]
    whole = lcm(*(chance.denominator for chance in chances))
    return np.array([int(chance * whole) for chance in chances], dtype=np.int64 if whole < NEVER else object), whole


class _Windows:
    """Lowest and highest rack, in cents, by situation: of the present throw, and of all so far."""

    def __init__(self, automaton: Automaton, starts: dict[int, tuple[int, int]], terms: Terms | None) -> None:
        self._automaton = automaton
        self._until_empty = terms is None
        self._at_least = terms.at_least if terms else None
        self._at_most = terms.at_most if terms else None
        count = len(automaton.after)
        self.low: Ints = np.full(count, NOWHERE)
        self.high: Ints = np.full(count, -NOWHERE)
        for start, (low, high) in starts.items():
            self.low[start], self.high[start] = low, high
        self.floor, self.ceiling = self.low.copy(), self.high.copy()
        self.after_floor: Ints = np.full(len(automaton.next), NOWHERE)
        self.after_ceiling: Ints = np.full(len(automaton.next), -NOWHERE)
        self.grew = True
        self._slot = gcd(*(rack for window in starts.values() for rack in window))

    def step(self) -> bool:
        """Follow every window over a decision and a throw; say whether anything is left to follow."""
        automaton = self._automaton
        going_on = self.low <= self.high
        if self._until_empty:
            going_on &= ~automaton.empty
        here = np.flatnonzero(going_on)
        low, high, up = self.low[here], self.high[here], automaton.up[here]
        if self._at_least is not None:
            high = np.minimum(high, self._at_least - up - 1)
        if self._at_most is not None:
            low = np.maximum(low, self._at_most - up + 1)
        cost = automaton.cost[here]
        need = np.maximum(cost, 0)
        runs = (low < need) & (low <= high) & ~automaton.empty[here]
        automaton.let_run(here[runs])
        self._fit()
        after_low: Ints = np.full(len(automaton.next), NOWHERE)
        after_high: Ints = np.full(len(automaton.next), -NOWHERE)
        least = np.maximum(low, need)
        bets = least <= high
        betting = automaton.after[here[bets]]
        self._widen(after_low, after_high, betting, (least - cost)[bets], (high - cost)[bets])
        self._widen(after_low, after_high, automaton.short[here[runs]], low[runs], np.minimum(high, need - 1)[runs])
        self.after_floor = np.minimum(self.after_floor, after_low)
        self.after_ceiling = np.maximum(self.after_ceiling, after_high)
        there = np.flatnonzero(after_low <= after_high)
        cash = automaton.cash[there].astype(np.int64)
        self.low = np.full(len(automaton.after), NOWHERE)
        self.high = np.full(len(automaton.after), -NOWHERE)
        to, lowest, highest = automaton.next[there], after_low[there, None] + cash, after_high[there, None] + cash
        self._widen(self.low, self.high, to.ravel(), lowest.ravel(), highest.ravel())
        self.grew = bool((self.low < self.floor).any() or (self.high > self.ceiling).any())
        self.floor = np.minimum(self.floor, self.low)
        self.ceiling = np.maximum(self.ceiling, self.high)
        return bool(len(there))

    def _fit(self) -> None:
        """Make room for situations that were added."""
        before = len(self._automaton.after) - len(self.floor)
        after = len(self._automaton.next) - len(self.after_floor)
        self.floor = np.pad(self.floor, (0, before), constant_values=NOWHERE)
        self.ceiling = np.pad(self.ceiling, (0, before), constant_values=-NOWHERE)
        self.after_floor = np.pad(self.after_floor, (0, after), constant_values=NOWHERE)
        self.after_ceiling = np.pad(self.after_ceiling, (0, after), constant_values=-NOWHERE)

    @staticmethod
    def _widen(low: Ints, high: Ints, where: Numbers, new_low: Ints, new_high: Ints) -> None:
        np.minimum.at(low, where, new_low)
        np.maximum.at(high, where, new_high)

    def plan(self, slot: int, ways: Ints, whole: int) -> Plan:
        """Lay it out in slots."""
        automaton = self._automaton
        amounts = np.concatenate((automaton.cost, automaton.cash.ravel()))
        slot = gcd(slot, self._slot, int(np.gcd.reduce(np.abs(amounts)))) or 1
        need = np.maximum(automaton.cost, 0)
        nobody: Ints = np.full(len(automaton.after), NEVER)
        high = nobody if self._at_least is None else -(-(self._at_least - automaton.up) // slot)
        if self._until_empty:
            high = np.where(automaton.empty, -nobody, high)
        low = -nobody if self._at_most is None else (self._at_most - automaton.up) // slot
        return Plan(
            slot,
            whole,
            automaton.after.astype(np.int64),
            automaton.short.astype(np.int64),
            automaton.cost // slot,
            need // slot,
            high,
            low,
            automaton.fresh.astype(np.int64),
            _slots(self.floor, slot),
            _slots(self.ceiling, slot),
            _slots(self.after_floor, slot),
            _slots(self.after_ceiling, slot),
            _edges(automaton, slot, ways),
        )


def _slots(racks: Ints, slot: int) -> Ints:
    return np.where(np.abs(racks) >= NEVER, racks, racks // slot)


def _edges(automaton: Automaton, slot: int, ways: Ints) -> Edges:
    """Put throws together that lead to the same place with the same money."""
    count, width = automaton.next.shape
    source = np.repeat(np.arange(count), width)
    rows = np.stack((source, automaton.next.ravel().astype(np.int64), automaton.cash.ravel().astype(np.int64) // slot))
    order = np.lexsort(rows[::-1])
    rows = rows[:, order]
    begins = np.flatnonzero(np.concatenate(([True], (rows[:, 1:] != rows[:, :-1]).any(axis=0))))
    together = np.add.reduceat(np.tile(ways, count)[order], begins)
    merged, together = rows[:, begins[together > 0]], together[together > 0]
    first = np.searchsorted(merged[0], np.arange(count + 1))
    return Edges(first.astype(np.int64), merged[1], merged[2], together)


def check_size(plan: Plan, layers: int, budget: int, name: str, cell_bytes: int = 8) -> None:
    """Refuse a distribution that does not fit into the memory allowed."""
    bytes_needed = cell_bytes * (plan.cells * (2 * layers + 1) + plan.after_cells) + 16 * plan.cells
    if bytes_needed > budget:
        msg = (
            f"the exact distribution for {name} is too large: {len(plan.after):,} situations with racks in steps of "
            f"{plan.slot / 100:g} make {plan.cells:,} pairs, which take {bytes_needed / 1e6:,.0f} MB where "
            f"{budget / 1e6:,.0f} MB are allowed; allow more memory, shorten the session, or simulate"
        )
        raise ChainTooLargeError(msg)
