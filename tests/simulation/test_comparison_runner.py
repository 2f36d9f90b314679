"""Strategies on the same dice, sessions along a recording, and the NumPy backend in place of Numba."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from itertools import islice
from typing import Any

import numpy as np
import pytest

from support.strategies import pass_that_counts_rolls
from trueodds.automaton import SessionError
from trueodds.dice import Roll
from trueodds.rulebook import House, load_book
from trueodds.sessions.reference import ReferencePlayer
from trueodds.sessions.session_limits import SessionLimits
from trueodds.simulation.results import Comparison
from trueodds.simulation.rng import session_rolls
from trueodds.simulation.simulate import compare, simulate
from trueodds.strategy import builtin_strategy
from trueodds.wager_odds import biased_dice

OPTIONS: dict[str, Any] = {"bankroll": 200, "sessions": 3000, "seed": 8, "rolls": 60}


def final_worth(player: ReferencePlayer, dice: Iterator[Roll]) -> int:
    return player.play(dice).worths_cents[-1]


def test_a_comparison_does_not_change_the_simulations() -> None:
    found = compare(["pass", "molly", "dont_pass"], "new_jersey", **OPTIONS)
    for name, one in zip(("pass", "molly", "dont_pass"), found.simulations, strict=True):
        assert one.summary() == simulate(name, "new_jersey", **OPTIONS).summary()


def test_differences_are_those_of_the_same_sessions() -> None:
    found = compare(["pass", "dont_pass"], "new_jersey", **OPTIONS)
    house, limits = House(load_book("new_jersey")), SessionLimits(20_000, 60)
    right, wrong = (ReferencePlayer(builtin_strategy(name), house, limits) for name in ("pass", "dont_pass"))
    count = 150
    differences = [
        final_worth(wrong, session_rolls(8, session)) - final_worth(right, session_rolls(8, session))
        for session in range(count)
    ]
    few = compare(["pass", "dont_pass"], "new_jersey", **(OPTIONS | {"sessions": count}))
    assert few.differences[0].total == sum(differences)
    assert few.better_than_first(1) == sum(difference > 0 for difference in differences) / count
    mean, low, high = found.ahead_of_first_cents(1)
    assert mean == pytest.approx(found.simulations[1].mean_cents - found.simulations[0].mean_cents)
    assert low < mean < high


def test_common_dice_narrow_the_interval_of_a_difference() -> None:
    """On the same dice a difference varies less than on separate dice."""
    found = compare(["pass", "pass", "pass_2_come"], "new_jersey", **OPTIONS)
    assert found.ahead_of_first_cents(1) == (0, 0, 0)
    assert found.better_than_first(1) == 0
    _, low, high = found.ahead_of_first_cents(2)
    variance = found.simulations[0].variance_cents2 + found.simulations[2].variance_cents2
    assert high - low < 2 * 1.96 * (variance / found.sessions) ** 0.5
    for index in (0, 3, -1):
        with pytest.raises(SessionError, match=rf"index must be from 1 to 2 .*, got {index}"):
            found.ahead_of_first_cents(index)


def test_threads_do_not_affect_a_comparison() -> None:
    one, two = (compare(["horn", "molly"], "maryland", **OPTIONS, threads=count) for count in (1, 2))
    assert one.summary() == two.summary()


def test_an_interrupted_comparison_returns_the_sessions_so_far() -> None:
    def stop(so_far: Comparison) -> None:
        if so_far.sessions > 5000:
            raise KeyboardInterrupt

    found = compare(["pass", "horn"], "nj", **(OPTIONS | {"sessions": 10**7}), progress=stop)
    assert 5000 < found.sessions < 10**7
    assert found.differences[0].counts.sum() == found.sessions


def rolls(seed: int, count: int) -> tuple[Roll, ...]:
    return tuple(islice(session_rolls(seed, 0), count))


@pytest.mark.parametrize("name", ["pass_345", "dolly", "hardways"])
def test_sessions_along_a_recording(name: str) -> None:
    """Each session starts with the roll after the last one of the session before. The reference agrees."""
    recording = rolls(3, 2000)
    found = simulate(name, "maryland", bankroll=300, rolls=25, recording=recording)
    player = ReferencePlayer(builtin_strategy(name), House(load_book("maryland")), SessionLimits(30_000, 25))
    remaining = iter(recording)
    worths = []
    while True:
        try:
            worths.append(final_worth(player, remaining))
        except StopIteration:
            break
    assert found.sessions == len(worths) > 40
    histogram = found.histogram("final_worth")
    assert sorted(worths) == np.repeat(histogram.values, histogram.counts).tolist()
    few = simulate(name, "maryland", bankroll=300, rolls=25, recording=recording, sessions=7)
    assert few.sessions == 7


def test_a_comparison_along_a_recording_is_on_the_same_dice() -> None:
    """Sessions start together, with the roll after the last one that either strategy used before."""
    recording, house, limits = rolls(6, 900), House(load_book("maryland")), SessionLimits(30_000, 20)
    found = compare(["molly", "horn"], "maryland", bankroll=300, rolls=20, recording=recording)
    players = [ReferencePlayer(builtin_strategy(name), house, limits) for name in ("molly", "horn")]
    first_roll, differences = 0, []
    while True:
        remaining = [iter(recording[first_roll:]) for _ in players]
        try:
            worths = [final_worth(player, dice) for player, dice in zip(players, remaining, strict=True)]
        except StopIteration:
            break
        differences.append(worths[1] - worths[0])
        first_roll = len(recording) - min(sum(1 for _ in dice) for dice in remaining)
    assert [one.sessions for one in found.simulations] == [len(differences)] * 2
    assert (len(differences) > 20, found.differences[0].total) == (True, sum(differences))


def test_a_recording_that_the_engine_plays() -> None:
    options: dict[str, Any] = {"bankroll": 100, "rolls": 20, "recording": rolls(4, 400)}
    by_engine = simulate(pass_that_counts_rolls(), "nj", budget_bytes=300_000, **options)
    by_kernel = simulate("pass", "nj", **options)
    assert by_engine.engine_share > 0
    assert {**by_engine.summary(), "strategy": "Pass line", "engine_share": 0} == by_kernel.summary()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"recording": rolls(1, 5)}, "rolls ends before the first session does"),
        ({"recording": ()}, "rolls ends before the first session does"),
        ({"recording": rolls(1, 500), "seed": 3}, "a recording determines the rolls"),
        (
            {"recording": rolls(1, 500), "dice": biased_dice([2, 1, 1, 1, 1, 1], [1] * 6)},
            "a recording determines the rolls",
        ),
        ({"recording": rolls(1, 500), "sessions": 0}, "sessions must be an integer from 1"),
        ({"recording": ["3-4"]}, "recording must contain rolls such as .*, got '3-4'"),
    ],
)
def test_invalid_sources_of_rolls(options: dict[str, Any], message: str) -> None:
    with pytest.raises(SessionError, match=message):
        simulate("pass", "nj", bankroll=100, rolls=30, **options)


def test_no_strategy_to_compare() -> None:
    with pytest.raises(SessionError, match="strategies must not be empty"):
        compare([], "nj", **OPTIONS)


WITHOUT_NUMBA = """
import json, sys
sys.modules["numba"] = None
from trueodds.automaton.jit import numba
assert numba is None
from trueodds.wager_odds import biased_dice
from trueodds.simulation.simulate import compare, simulate
from trueodds.simulation.rng import session_rolls
from itertools import islice
terms = dict(bankroll=200, sessions=3000, seed=8, rolls=60)
summaries = [one.summary() for one in compare(["pass", "molly", "dolly"], "new_jersey", **terms).simulations]
loaded = biased_dice([2, 1, 1, 1, 1, 1], [1] * 6)
summaries.append(simulate("horn", "maryland", **terms, dice=loaded, shooters=3, stop_win=40, stop_loss=60).summary())
recording = tuple(islice(session_rolls(3, 0), 400))
summaries.append(simulate("pass_345", "maryland", bankroll=300, rolls=25, recording=recording).summary())
print(json.dumps(summaries))
"""


def test_without_numba_the_results_are_the_same() -> None:
    done = subprocess.run([sys.executable, "-c", WITHOUT_NUMBA], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    summaries = [one.summary() for one in compare(["pass", "molly", "dolly"], "new_jersey", **OPTIONS).simulations]
    loaded = biased_dice([2, 1, 1, 1, 1, 1], [1] * 6)
    terms = OPTIONS | {"dice": loaded, "shooters": 3, "stop_win": 40, "stop_loss": 60}
    summaries.append(simulate("horn", "maryland", **terms).summary())
    summaries.append(simulate("pass_345", "maryland", bankroll=300, rolls=25, recording=rolls(3, 400)).summary())
    assert json.loads(done.stdout) == json.loads(json.dumps(summaries))
