"""Histograms add up in any order."""

from __future__ import annotations

import numpy as np

from trueodds.simulation.histograms import Histogram, SessionHistograms
from trueodds.simulation.kernel import CAUSE, COLUMN_COUNT


def test_histograms_add_up_in_any_order() -> None:
    rng = np.random.default_rng(1)
    rows = rng.integers(-50, 50, (300, COLUMN_COUNT))
    rows[:, CAUSE] = rng.integers(1, 6, 300)
    complete = SessionHistograms.from_rows(rows, 7)
    parts = [SessionHistograms.from_rows(rows[begin : begin + 100], 7) for begin in (200, 0, 100)]
    added = SessionHistograms() + parts[0] + parts[1] + parts[2]
    assert added.sessions == complete.sessions
    assert added.ended_by == complete.ended_by
    for name, histogram in complete.by_name.items():
        assert np.array_equal(histogram.values, added.by_name[name].values)
        assert np.array_equal(histogram.counts, added.by_name[name].counts)


def test_values_that_are_far_apart() -> None:
    histogram = Histogram.from_values(np.array([0, 10**9, 10**9]), 2)
    assert (histogram.values.tolist(), histogram.counts.tolist()) == ([0, 2 * 10**9], [1, 2])
    assert histogram.quantile(0.5) == 2 * 10**9


def test_no_values() -> None:
    assert Histogram.from_values(np.zeros(0, dtype=np.int64)).total == 0
