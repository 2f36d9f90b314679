"""Compiles what a session can meet: the situations within its number of rolls, and the racks in them.

A situation is compiled when it is found, roll by roll, so a short session of a strategy with many situations compiles
only a few of them. For each situation before betting there is an interval that holds every rack that can occur in it.
The interval may be too wide, which costs time and changes no result. It must not be too narrow: it decides where the
rack always covers the decision, and where the situation after skipping the decision is needed.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from trueodds.automaton.array_types import Int64Array, IntArray
from trueodds.automaton.automaton import Automaton
from trueodds.automaton.components import UNKNOWN
from trueodds.sessions.session_limits import SessionLimits

ANY_RACK: Final = 1 << 60
"""More than any player has. As the upper end of an interval it stands for a rack that covers every decision."""

EMPTY_LOW: Final = 1 << 61
"""The lower end of an interval without racks. Its upper end is the negative."""

EXACT_LEVELS: Final = 32
"""After this many rolls, an interval that still grows is taken to hold every rack."""


class ReachableRacks:
    """The lowest and highest rack of each situation, in cents, while situations are found roll by roll."""

    def __init__(self, automaton: Automaton, limits: SessionLimits) -> None:
        self._automaton = automaton
        self._limits = limits
        self.low: Int64Array = np.zeros(0, dtype=np.int64)
        self.high: Int64Array = np.zeros(0, dtype=np.int64)
        self._low_after: Int64Array = np.zeros(0, dtype=np.int64)
        self._high_after: Int64Array = np.zeros(0, dtype=np.int64)
        self._extend()
        self.low[automaton.start] = self.high[automaton.start] = limits.bankroll_cents
        self._changed: Int64Array = np.array([automaton.start])

    def find_all(self) -> None:
        """Find every situation of the session. Raise TooManyStatesError if the memory budget is used up."""
        for level in range(self._limits.rolls or 0):
            if not len(self._changed):
                return
            if level >= EXACT_LEVELS:
                self.low[self._changed], self.high[self._changed] = 0, ANY_RACK
            self._step()

    def _step(self) -> None:
        """Follow the situations whose interval has changed over one decision and one roll."""
        automaton, before = self._automaton, self._changed
        automaton.decide(before)
        cost, stakes = automaton.cost_cents[before], automaton.stakes_cents[before]
        required = np.maximum(cost, 0)
        low, high = self.low[before], self.high[before]
        if self._limits.stop_win_worth_cents is not None:
            high = np.minimum(high, self._limits.stop_win_worth_cents - stakes - 1)
        if self._limits.stop_loss_worth_cents is not None:
            low = np.maximum(low, self._limits.stop_loss_worth_cents - stakes + 1)
        skips = (low < required) & (low <= high) & ~automaton.layout_empty[before]
        automaton.decide_skips(before[skips])
        self._extend()
        low_betting = np.maximum(low, required)
        bets = low_betting <= high
        after_bets, after_skips = automaton.after_betting[before[bets]], automaton.after_skipping[before[skips]]
        low_after = np.concatenate(((low_betting - cost)[bets], low[skips]))
        high_after = np.concatenate(((high - cost)[bets], np.minimum(high, required - 1)[skips]))
        changed = _widen(
            self._low_after,
            self._high_after,
            np.concatenate((after_bets, after_skips)),
            low_after,
            self._saturated(high_after),
        )
        payouts = automaton.payout_cents[changed].astype(np.int64)
        low_rolled = self._low_after[changed, None] + payouts
        high_rolled = self._saturated(self._high_after[changed, None] + payouts)
        targets = automaton.next[changed].ravel()
        self._changed = _widen(self.low, self.high, targets, low_rolled.ravel(), high_rolled.ravel())

    def _saturated(self, high: Int64Array) -> Int64Array:
        """Replace racks that cover every decision and have reached every stop, so that intervals stop growing."""
        limits, costs = self._limits, self._automaton.cost_cents
        enough = 2 * max(limits.bankroll_cents, limits.stop_win_worth_cents or 0, int(np.abs(costs).max()))
        return np.where(high > enough, ANY_RACK, high)

    def _extend(self) -> None:
        """Add empty intervals for situations that were added to the automaton."""
        before = len(self._automaton.after_betting) - len(self.low)
        after = len(self._automaton.next) - len(self._low_after)
        self.low = np.pad(self.low, (0, before), constant_values=EMPTY_LOW)
        self.high = np.pad(self.high, (0, before), constant_values=-EMPTY_LOW)
        self._low_after = np.pad(self._low_after, (0, after), constant_values=EMPTY_LOW)
        self._high_after = np.pad(self._high_after, (0, after), constant_values=-EMPTY_LOW)

    @property
    def needs_skip(self) -> Int64Array:
        """The situations in which a rack may not cover the decision."""
        automaton = self._automaton
        decided = automaton.after_betting != UNKNOWN
        return np.flatnonzero(decided & (self.low < np.maximum(automaton.cost_cents, 0)))


def _widen(
    low: Int64Array, high: Int64Array, situations: IntArray, new_low: Int64Array, new_high: Int64Array
) -> Int64Array:
    """Widen intervals, and return the situations whose interval has changed."""
    touched = np.unique(situations)
    old_low, old_high = low[touched], high[touched]
    np.minimum.at(low, situations, new_low)
    np.maximum.at(high, situations, new_high)
    is_changed = (low[touched] < old_low) | (high[touched] > old_high)
    return touched[is_changed].astype(np.int64)
