"""Percentile bands against the reference."""

from __future__ import annotations

from itertools import islice

import numpy as np
import pytest

from support.strategies import pass_that_counts_rolls
from trueodds.automaton import SessionError
from trueodds.rulebook import House, load_book
from trueodds.sessions.reference import ReferencePlayer
from trueodds.simulation.rng import session_rolls
from trueodds.simulation.simulate import simulate
from trueodds.strategy import builtin_strategy


@pytest.mark.parametrize("name", ["pass_345", "molly", "martingale"])
def test_bands_match_the_reference(name: str) -> None:
    simulation = simulate(name, "new_jersey", bankroll=200, sessions=120, seed=8, rolls=60, stop_win=90)
    bands = simulation.percentile_bands
    player = ReferencePlayer(builtin_strategy(name), House(load_book("new_jersey")), simulation.limits)
    played = [player.play(session_rolls(8, session)) for session in range(120)]
    worths = [[session.worth_after(rolls) for rolls in bands.roll_counts.tolist()] for session in played]
    expected = np.quantile(worths, bands.quantiles, axis=0, method="inverted_cdf") - 20_000
    assert np.array_equal(bands.results_cents, expected)
    assert (bands.sessions, bands.roll_counts[0], bands.roll_counts[-1]) == (120, 0, 60)
    assert bands.results_cents[2, -1] == simulation.quantile_cents(0.5)


def test_rows_name_the_rolls_and_the_quantiles() -> None:
    simulation = simulate("pass", "new_jersey", bankroll=200, sessions=50, seed=1, rolls=10)
    rows = simulation.percentile_rows()
    assert [row["rolls"] for row in rows] == list(range(11))
    assert rows[-1]["0.5"] == simulation.quantile_cents(0.5)


def test_bands_of_sessions_that_the_engine_plays() -> None:
    options = {"bankroll": 100, "sessions": 150, "seed": 2, "rolls": 25}
    by_engine = simulate(pass_that_counts_rolls(), "nj", budget_bytes=300_000, **options)  # type: ignore[arg-type]
    by_kernel = simulate("pass", "nj", **options)  # type: ignore[arg-type]
    assert np.array_equal(by_engine.percentile_bands.results_cents, by_kernel.percentile_bands.results_cents)


def test_a_recording_has_no_bands() -> None:
    recording = tuple(islice(session_rolls(1, 0), 300))
    with pytest.raises(SessionError, match="used a recording"):
        _ = simulate("pass", "nj", bankroll=100, rolls=20, recording=recording).percentile_bands
