"""Histograms of session results. They take the same memory for any number of sessions, and add up in any order."""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from typing import Final, Self

import numpy as np

from trueodds.automaton.array_types import Int64Array
from trueodds.simulation.kernel import CAUSE, CAUSE_NAMES, DRAWDOWN, FINAL_WORTH, HAND_COUNT, PEAK, ROLL_COUNT, TROUGH

MONEY_COLUMNS_BY_NAME: Final = {"final_worth": FINAL_WORTH, "peak": PEAK, "trough": TROUGH, "drawdown": DRAWDOWN}
COUNT_COLUMNS_BY_NAME: Final = {"rolls": ROLL_COUNT, "hands": HAND_COUNT}
MAX_BINCOUNT_RANGE: Final = 1 << 22
"""Counting with one bin for each integer is faster than sorting, up to about this range of values."""


@dataclass(frozen=True)
class Histogram:
    """Distinct values in increasing order, and how often each occurred.

    Everything is an integer, so that the order of additions does not matter.
    """

    values: Int64Array
    counts: Int64Array

    @classmethod
    def from_values(cls, observed: Int64Array, unit: int = 1) -> Self:
        """Count observed values, and multiply them by a unit."""
        if not len(observed):
            return cls(np.zeros(0, dtype=np.int64), np.zeros(0, dtype=np.int64))
        low = int(observed.min())
        if int(observed.max()) - low < MAX_BINCOUNT_RANGE:
            counts = np.bincount(observed - low)
            occurring = np.flatnonzero(counts)
            return cls((occurring + low) * unit, counts[occurring])
        values, counts = np.unique(observed, return_counts=True)
        return cls(values * unit, counts)

    def __add__(self, other: Self) -> Self:
        values, inverse = np.unique(np.concatenate((self.values, other.values)), return_inverse=True)
        counts = np.zeros(len(values), dtype=np.int64)
        np.add.at(counts, inverse, np.concatenate((self.counts, other.counts)))
        return type(self)(values, counts)

    @property
    def total(self) -> int:
        """The exact sum of all observed values."""
        return sum(value * count for value, count in zip(self.values.tolist(), self.counts.tolist(), strict=True))

    @property
    def sum_of_squares(self) -> int:
        """The exact sum of their squares."""
        return sum(value**2 * count for value, count in zip(self.values.tolist(), self.counts.tolist(), strict=True))

    @property
    def mean(self) -> float:
        """The mean."""
        return float(Fraction(self.total, int(self.counts.sum())))

    @property
    def variance(self) -> float:
        """The unbiased estimate of the variance."""
        count = int(self.counts.sum())
        return float(Fraction(self.sum_of_squares * count - self.total**2, count * max(1, count - 1)))

    def quantile(self, share: float) -> int:
        """Return the smallest value that at least this share of the observed values does not exceed."""
        index = int(np.searchsorted(np.cumsum(self.counts), share * int(self.counts.sum()) - 1e-9))
        return int(self.values[min(index, len(self.values) - 1)])


@dataclass(frozen=True)
class SessionHistograms:
    """The histograms of a number of sessions.

    `by_name` has "final_worth", "peak", "trough" and "drawdown" in cents, "rolls" and "hands". `ended_by` counts the
    sessions by the cause of their end. `engine_sessions` is the number of sessions that the engine played.
    """

    sessions: int = 0
    engine_sessions: int = 0
    by_name: dict[str, Histogram] = field(default_factory=dict)
    ended_by: dict[str, int] = field(default_factory=dict)

    @classmethod
    def from_rows(cls, rows: Int64Array, unit_cents: int, engine_sessions: int = 0) -> Self:
        """Count rows of results with money in units."""
        columns = np.ascontiguousarray(rows.T)
        by_name = {
            name: Histogram.from_values(columns[column], unit_cents) for name, column in MONEY_COLUMNS_BY_NAME.items()
        }
        by_name |= {name: Histogram.from_values(columns[column]) for name, column in COUNT_COLUMNS_BY_NAME.items()}
        causes = np.bincount(columns[CAUSE], minlength=len(CAUSE_NAMES))
        ended_by = {CAUSE_NAMES[cause]: int(causes[cause]) for cause in np.flatnonzero(causes)}
        return cls(len(rows), engine_sessions, by_name, ended_by)

    def __add__(self, other: Self) -> Self:
        if not self.sessions or not other.sessions:
            return other if not self.sessions else self
        causes = [name for name in CAUSE_NAMES if name in self.ended_by or name in other.ended_by]
        return type(self)(
            self.sessions + other.sessions,
            self.engine_sessions + other.engine_sessions,
            {name: histogram + other.by_name[name] for name, histogram in self.by_name.items()},
            {name: self.ended_by.get(name, 0) + other.ended_by.get(name, 0) for name in causes},
        )
