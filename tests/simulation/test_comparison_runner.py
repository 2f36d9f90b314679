"""Strategies on the same dice, sessions along a recording, and what can be seen of sessions on their way."""

from __future__ import annotations

import json
import subprocess
import sys
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from trueodds.chain import SessionError, biased
from trueodds.chain.by_engine import EnginePlayer
from trueodds.chain.simulate import Comparison, compare, simulate
from trueodds.chain.stream import session_rolls
from trueodds.chain.terms import Terms
from trueodds.dice import Roll
from trueodds.money import Cents
from trueodds.rulebook import House, Spot, load_book
from trueodds.strategy import Put, Strategy, function, named_strategy

TERMS: dict[str, Any] = {"bankroll": 200, "sessions": 3000, "seed": 8, "rolls": 60}


def counter() -> Strategy:
    """A pass bet by a player whose memory never ends, so that no automaton holds it."""

    def decide(view: Any, _memory: int) -> list[Put]:
        return [] if view.wagers or view.point else [Put(Spot("pass"), Cents(1000))]

    return function(decide, lambda memory, _outcome: memory + 1, 0, name="Counter")


def test_each_strategy_plays_as_if_alone() -> None:
    found = compare(["pass", "molly", "dont_pass"], "new_jersey", **TERMS)
    for name, one in zip(("pass", "molly", "dont_pass"), found.simulations, strict=True):
        assert one.summary() == simulate(name, "new_jersey", **TERMS).summary()


def test_differences_are_those_of_the_same_sessions() -> None:
    found = compare(["pass", "dont_pass"], "new_jersey", **TERMS)
    house, terms = House(load_book("new_jersey")), Terms(20_000, 60)
    for_it, against = (EnginePlayer(named_strategy(name), house, terms) for name in ("pass", "dont_pass"))
    count = 150
    apart = [against.play(session_rolls(8, one))[0] - for_it.play(session_rolls(8, one))[0] for one in range(count)]
    few = compare(["pass", "dont_pass"], "new_jersey", **(TERMS | {"sessions": count}))
    assert few.apart[0].sum == sum(apart)
    assert few.better(1) == sum(one > 0 for one in apart) / count
    mean, low, high = found.ahead(1)
    assert mean == pytest.approx(found.simulations[1].mean - found.simulations[0].mean)
    assert low < mean < high


def test_common_dice_tell_small_differences() -> None:
    """The spread of a difference is less than that of two results on dice of their own."""
    found = compare(["pass", "pass", "pass_2_come"], "new_jersey", **TERMS)
    assert found.ahead(1) == (0, 0, 0)
    assert found.better(1) == 0
    _, low, high = found.ahead(2)
    apart = found.simulations[0].variance + found.simulations[2].variance
    assert high - low < 2 * 1.96 * (apart / found.sessions) ** 0.5
    for index in (0, 3, -1):
        with pytest.raises(SessionError, match="held against the first"):
            found.ahead(index)


def test_threads_change_nothing_in_a_comparison() -> None:
    one, two = (compare(["horn", "molly"], "maryland", **TERMS, threads=count) for count in (1, 2))
    assert one.summary() == two.summary()


def test_interrupted_a_comparison_gives_what_was_played() -> None:
    def stop(so_far: Comparison) -> None:
        if so_far.sessions > 5000:
            raise KeyboardInterrupt

    found = compare(["pass", "horn"], "nj", **(TERMS | {"sessions": 10**7}), progress=stop)
    assert 5000 < found.sessions < 10**7
    assert found.apart[0].times.sum() == found.sessions


def rolls(seed: int, count: int) -> tuple[Roll, ...]:
    return tuple(islice(session_rolls(seed, 0), count))


@pytest.mark.parametrize("name", ["pass_345", "dolly", "hardways"])
def test_sessions_along_a_recording(name: str) -> None:
    """One after the other, each beginning with the roll after the last of the one before; the engine agrees."""
    recording = rolls(3, 2000)
    found = simulate(name, "maryland", bankroll=300, rolls=25, recording=recording)
    engine, left = EnginePlayer(named_strategy(name), House(load_book("maryland")), Terms(30_000, 25)), iter(recording)
    worths = []
    while True:
        try:
            worths.append(engine.play(left)[0])
        except StopIteration:
            break
    assert found.sessions == len(worths) > 40
    assert sorted(worths) == np.repeat(found.counted("worth").values, found.counted("worth").times).tolist()
    few = simulate(name, "maryland", bankroll=300, rolls=25, recording=recording, sessions=7)
    assert few.sessions == 7


def test_a_comparison_along_a_recording_is_on_the_same_dice() -> None:
    """Sessions begin together: with the roll after the last that either threw in the one before."""
    recording, house, terms = rolls(6, 900), House(load_book("maryland")), Terms(30_000, 20)
    found = compare(["molly", "horn"], "maryland", bankroll=300, rolls=20, recording=recording)
    engines = [EnginePlayer(named_strategy(name), house, terms) for name in ("molly", "horn")]
    place, apart = 0, []
    while True:
        left = [iter(recording[place:]) for _ in engines]
        try:
            worths = [engine.play(dice)[0] for engine, dice in zip(engines, left, strict=True)]
        except StopIteration:
            break
        apart.append(worths[1] - worths[0])
        place = len(recording) - min(sum(1 for _ in dice) for dice in left)
    assert [one.sessions for one in found.simulations] == [len(apart)] * 2
    assert (len(apart) > 20, found.apart[0].sum) == (True, sum(apart))


def test_a_recording_that_no_automaton_can_follow() -> None:
    recording = rolls(4, 400)
    by_engine = simulate(counter(), "nj", bankroll=100, rolls=20, recording=recording, budget=300_000)
    walked = simulate("pass", "nj", bankroll=100, rolls=20, recording=recording)
    assert by_engine.by_engine > 0
    assert by_engine.summary() | {"strategy": "Pass line", "played_by_engine": 0} == walked.summary()


@pytest.mark.parametrize(
    ("terms", "message"),
    [
        ({"recording": rolls(1, 5)}, "ends before the first session does"),
        ({"recording": ()}, "ends before the first session does"),
        ({"recording": rolls(1, 500), "seed": 3}, "its own dice"),
        ({"recording": rolls(1, 500), "dice": biased([2, 1, 1, 1, 1, 1], [1] * 6)}, "its own dice"),
        ({"sessions": 10}, "and a seed"),
        ({"seed": 10}, "how many sessions"),
        ({"recording": rolls(1, 500), "sessions": 0}, "sessions go from 1"),
        ({"recording": ["3-4"]}, "a list of rolls"),
    ],
)
def test_dice_that_cannot_be_played_with(terms: dict[str, Any], message: str) -> None:
    with pytest.raises(SessionError, match=message):
        simulate("pass", "nj", bankroll=100, rolls=30, progress=lambda so_far: print(so_far.mean), **terms)


def test_nobody_to_compare() -> None:
    with pytest.raises(SessionError, match="no strategy"):
        compare([], "nj", **TERMS)


@pytest.mark.parametrize("name", ["pass_345", "molly", "martingale"])
def test_the_fan_is_what_the_engine_sees(name: str) -> None:
    found = simulate(name, "new_jersey", **(TERMS | {"sessions": 120}), stop_win=90)
    fan = found.fan
    engine = EnginePlayer(named_strategy(name), House(load_book("new_jersey")), found.terms)
    paths = np.array([engine.watch(session_rolls(8, one), fan.throws.tolist()) for one in range(120)]) - 20_000
    assert np.array_equal(fan.results, np.quantile(paths, fan.shares, axis=0, method="inverted_cdf"))
    assert (fan.sessions, fan.throws[0], fan.throws[-1]) == (120, 0, 60)
    assert not fan.results[:, 0].any() or name == "martingale"
    assert fan.results[2, -1] == found.quantile(0.5)


def test_the_fan_where_the_engine_plays() -> None:
    small = simulate(counter(), "nj", bankroll=100, sessions=150, seed=2, rolls=25, budget=300_000).fan
    plain = simulate("pass", "nj", bankroll=100, sessions=150, seed=2, rolls=25).fan
    assert np.array_equal(small.results, plain.results)


def test_a_recording_has_no_fan() -> None:
    with pytest.raises(SessionError, match="not watched"):
        _ = simulate("pass", "nj", bankroll=100, rolls=20, recording=rolls(1, 300)).fan


@pytest.mark.parametrize("suffix", ["svg", "png"])
def test_plots(tmp_path: Path, suffix: str) -> None:
    found = compare(["pass", "molly"], "new_jersey", **TERMS)
    path = tmp_path / f"both.{suffix}"
    figure = found.plot(path)
    assert path.stat().st_size > 5000
    left, right = figure.axes
    told = [text.get_text().split(":")[0] for text in left.get_legend().get_texts()]
    assert told == ["Pass line", "Three point molly"]
    assert len(right.lines) == 3  # two medians and break even
    assert len(simulate("pass", "nj", bankroll=100, rolls=20, recording=rolls(1, 300)).plot().axes) == 1


WITHOUT = """
import json, sys
sys.modules["numba"] = None
from trueodds.chain.compiling import numba
assert numba is None
from trueodds.chain import biased
from trueodds.chain.simulate import compare, simulate
from trueodds.chain.stream import session_rolls
from itertools import islice
terms = dict(bankroll=200, sessions=3000, seed=8, rolls=60)
told = [one.summary() for one in compare(["pass", "molly", "dolly"], "new_jersey", **terms).simulations]
loaded = biased([2, 1, 1, 1, 1, 1], [1] * 6)
told.append(simulate("horn", "maryland", **terms, dice=loaded, shooters=3, stop_win=40, stop_loss=60).summary())
recording = tuple(islice(session_rolls(3, 0), 400))
told.append(simulate("pass_345", "maryland", bankroll=300, rolls=25, recording=recording).summary())
print(json.dumps(told))
"""


def test_without_a_compiler_the_same_sessions() -> None:
    done = subprocess.run([sys.executable, "-c", WITHOUT], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    told = [one.summary() for one in compare(["pass", "molly", "dolly"], "new_jersey", **TERMS).simulations]
    loaded = biased([2, 1, 1, 1, 1, 1], [1] * 6)
    terms = TERMS | {"dice": loaded, "shooters": 3, "stop_win": 40, "stop_loss": 60}
    told.append(simulate("horn", "maryland", **terms).summary())
    told.append(simulate("pass_345", "maryland", bankroll=300, rolls=25, recording=rolls(3, 400)).summary())
    assert json.loads(done.stdout) == json.loads(json.dumps(told))
