"""Counting sessions: what is kept of them however many there are, put together in any order with the same result."""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from typing import Final, Self

import numpy as np

from trueodds.chain.group import Ints
from trueodds.chain.walker import CAUSE, CAUSES, FALL, HANDS_SEEN, PEAK, ROLLS, TROUGH, WORTH

MONEY: Final = {"worth": WORTH, "peak": PEAK, "trough": TROUGH, "fall": FALL}
NUMBERS: Final = {"rolls": ROLLS, "hands": HANDS_SEEN}
WIDE: Final = 1 << 22


@dataclass(frozen=True)
class Counts:
    """Different values in order, and how often each was seen. Whole numbers, so that no order of adding matters."""

    values: Ints
    times: Ints

    @classmethod
    def of(cls, seen: Ints, unit: int = 1) -> Self:
        """Count values; each stands for so many units."""
        if not len(seen):
            return cls(np.zeros(0, dtype=np.int64), np.zeros(0, dtype=np.int64))
        low = int(seen.min())
        if int(seen.max()) - low < WIDE:
            times = np.bincount(seen - low)
            there = np.flatnonzero(times)
            return cls((there + low) * unit, times[there])
        values, times = np.unique(seen, return_counts=True)
        return cls(values * unit, times)

    def __add__(self, other: Self) -> Self:
        values, places = np.unique(np.concatenate((self.values, other.values)), return_inverse=True)
        times = np.zeros(len(values), dtype=np.int64)
        np.add.at(times, places, np.concatenate((self.times, other.times)))
        return type(self)(values, times)

    @property
    def sum(self) -> int:
        """All values together, exactly."""
        return sum(value * count for value, count in zip(self.values.tolist(), self.times.tolist(), strict=True))

    @property
    def squares(self) -> int:
        """Their squares together, exactly."""
        return sum(value**2 * count for value, count in zip(self.values.tolist(), self.times.tolist(), strict=True))

    @property
    def mean(self) -> float:
        """Their mean."""
        return float(Fraction(self.sum, int(self.times.sum())))

    @property
    def variance(self) -> float:
        """The variance that they let one expect of the next."""
        count = int(self.times.sum())
        return float(Fraction(self.squares * count - self.sum**2, count * max(1, count - 1)))

    def quantile(self, share: float) -> int:
        """Give the least value that at least this share does not exceed."""
        place = int(np.searchsorted(np.cumsum(self.times), share * int(self.times.sum()) - 1e-9))
        return int(self.values[min(place, len(self.values) - 1)])


@dataclass(frozen=True)
class Tally:
    """What a number of sessions came to: counts of worth, peak, trough, fall (cents), throws and hands; causes."""

    sessions: int = 0
    by_engine: int = 0
    counts: dict[str, Counts] = field(default_factory=dict)
    causes: dict[str, int] = field(default_factory=dict)

    @classmethod
    def of(cls, out: Ints, slot: int, by_engine: int = 0) -> Self:
        """Count the lines of results, amounts in slots of so many cents."""
        columns = np.ascontiguousarray(out.T)
        counts = {name: Counts.of(columns[column], slot) for name, column in MONEY.items()}
        counts |= {name: Counts.of(columns[column]) for name, column in NUMBERS.items()}
        causes = np.bincount(columns[CAUSE], minlength=len(CAUSES))
        return cls(len(out), by_engine, counts, {CAUSES[cause]: int(causes[cause]) for cause in np.flatnonzero(causes)})

    def __add__(self, other: Self) -> Self:
        if not self.sessions or not other.sessions:
            return other if not self.sessions else self
        return type(self)(
            self.sessions + other.sessions,
            self.by_engine + other.by_engine,
            {name: self.counts[name] + other.counts[name] for name in self.counts},
            {
                name: self.causes.get(name, 0) + other.causes.get(name, 0)
                for name in CAUSES
                if name in self.causes or name in other.causes
            },
        )
