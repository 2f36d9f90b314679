"""Simulation against exact sessions, and the same for any number of threads."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from library_pairs import PAIRS
from trueodds.chain import FAIR, SessionError, biased
from trueodds.chain.by_engine import EnginePlayer
from trueodds.chain.match import CHUNK
from trueodds.chain.player import Game, Player
from trueodds.chain.session import Session
from trueodds.chain.simulate import Simulation, simulate
from trueodds.chain.stream import session_rolls
from trueodds.chain.tally import Counts, Tally
from trueodds.chain.terms import Terms
from trueodds.money import Cents
from trueodds.rulebook import House, Spot, load_book
from trueodds.strategy import Outcome, Put, function, named_strategy


def near(simulated: Simulation, exact: Session, sigmas: float = 5) -> None:
    """The mean within five sigma of the exact one, by the exact variance; so the chances of ruin and profit."""
    count = simulated.sessions
    assert abs(simulated.mean - float(exact.mean)) <= sigmas * exact.deviation / count**0.5 + 1e-9
    for figure in ("ruin", "profit", "doubling"):
        chance = float(getattr(exact, figure))
        assert abs(getattr(simulated, figure) - chance) <= sigmas * (chance * (1 - chance) / count) ** 0.5 + 1e-9


@pytest.mark.parametrize(("book", "name"), [pair for pair in PAIRS if pair[1] != "ats_molly"])
def test_simulated_and_exact(book: str, name: str) -> None:
    """Seed 11. The bonus bets with a molly have too many situations for the exact session of a test."""
    terms: dict[str, Any] = {"bankroll": 300, "rolls": 40}
    near(simulate(name, book, sessions=40_000, seed=11, **terms), Session(name, book, **terms))


@pytest.mark.parametrize(
    "terms",
    [
        {"stop_win": 50, "stop_loss": 80},
        {"shooters": 3},
        {"shooters": 2, "stop_win": 20},
        {"dice": biased([2, 1, 1, 1, 1, 1], [1, 1, 1, 1, 1, Fraction(1, 2)])},
    ],
)
@pytest.mark.parametrize("name", ["pass_345", "place_6_8", "dolly"])
def test_stops_shooters_and_loaded_dice(name: str, terms: dict[str, Any]) -> None:
    terms = {"bankroll": 200, "rolls": 30} | terms
    near(simulate(name, "maryland", sessions=40_000, seed=12, **terms), Session(name, "maryland", **terms))


def test_vigorish_paid_in_front_does_not_hide_a_stop() -> None:
    """A buy bet costs a fee when it is made; the stop is tested before that."""
    strategy = function(
        lambda view, _memory: [Put(Spot("buy", (4,)), Cents(2000))] if view.point and not view.wagers else [],
        name="Buy",
    )
    terms: dict[str, Any] = {"bankroll": 100, "rolls": 40, "stop_win": 35}
    near(simulate(strategy, "maryland", sessions=40_000, seed=3, **terms), Session(strategy, "maryland", **terms))


@pytest.mark.parametrize("name", ["pass_345", "dolly", "iron_cross"])
@pytest.mark.parametrize(
    ("shooters", "at_most", "at_least"), [(None, 12_000, 25_000), (2, None, 23_000), (3, 15_000, None)]
)
def test_stops_and_shooters_against_the_engine(
    name: str, shooters: int | None, at_most: int | None, at_least: int | None
) -> None:
    """Line for line, on the same dice."""
    terms = Terms(20_000, 40, shooters, at_least, at_most)
    game = Game(named_strategy(name), House(load_book("maryland")), terms, 4, FAIR, 1 << 30)
    engine = EnginePlayer(game.strategy, game.house, game.terms)
    out, slot, by_engine = Player(game).play(np.arange(60))
    assert by_engine == 0
    for session, line in enumerate(out):
        line[[0, 2, 3, 4]] *= slot
        assert engine.play(session_rolls(4, session)) == line.tolist(), session


def test_threads_change_nothing() -> None:
    terms: dict[str, Any] = {"bankroll": 300, "sessions": CHUNK + 17, "seed": 5, "rolls": 60}
    one = simulate("molly", "new_jersey", **terms)
    two = simulate("molly", "new_jersey", threads=2, **terms)
    assert one.summary() == two.summary()
    for name in one.tally.counts:
        assert np.array_equal(one.counted(name).values, two.counted(name).values)
        assert np.array_equal(one.counted(name).times, two.counted(name).times)


def test_beyond_the_budget_the_engine_plays_and_the_report_says_so() -> None:
    """A memory that never ends has no automaton; the sessions are the same, whoever plays them."""

    def count(memory: int, _outcome: Outcome) -> int:
        return memory + 1

    def pass_and_count(view: Any, _memory: int) -> list[Put]:
        return [] if view.wagers or view.point else [Put(Spot("pass"), Cents(1000))]

    endless = function(pass_and_count, count, 0, name="Counter")
    terms: dict[str, Any] = {"bankroll": 100, "sessions": 60, "seed": 9, "rolls": 30}
    small = simulate(endless, "new_jersey", budget=300_000, **terms)
    plain = simulate("pass", "new_jersey", **terms)
    assert small.by_engine > 0
    assert plain.by_engine == 0
    assert small.summary() | {"strategy": "", "played_by_engine": 0} == plain.summary() | {
        "strategy": "", "played_by_engine": 0,
    }  # fmt: skip


def test_progress_is_told_with_an_estimate() -> None:
    seen: list[Simulation] = []
    simulate("pass", "new_jersey", bankroll=100, sessions=2 * CHUNK, seed=1, rolls=10, progress=seen.append)
    counts = [one.sessions for one in seen]
    assert len(counts) > 3
    assert counts == sorted(set(counts))
    assert counts[-1] == 2 * CHUNK
    low, high = seen[-1].interval
    assert low < seen[-1].mean < high


def test_tallies_add_up_in_any_order() -> None:
    rng = np.random.default_rng(1)
    lines = rng.integers(-50, 50, (300, 8))
    lines[:, 6] = rng.integers(1, 6, 300)
    whole = Tally.of(lines, 7)
    parts = [Tally.of(lines[begin : begin + 100], 7) for begin in (200, 0, 100)]
    added = Tally() + parts[0] + parts[1] + parts[2]
    assert added.sessions == whole.sessions
    assert added.causes == whole.causes
    for name, counts in whole.counts.items():
        assert np.array_equal(counts.values, added.counts[name].values)
        assert np.array_equal(counts.times, added.counts[name].times)


def test_counts_of_far_apart_values() -> None:
    counts = Counts.of(np.array([0, 10**9, 10**9]), 2)
    assert (counts.values.tolist(), counts.times.tolist()) == ([0, 2 * 10**9], [1, 2])
    assert counts.quantile(0.5) == 2 * 10**9
    assert Counts.of(np.zeros(0, dtype=np.int64)).sum == 0


@pytest.mark.parametrize(
    ("terms", "message"),
    [
        ({"sessions": 0}, "sessions go from 1"),
        ({"seed": -1}, "a seed goes from 0"),
        ({"threads": 0}, "threads go from 1"),
        ({"rolls": 10**6}, "rolls go from 1"),
        ({"shooters": 0}, "shooters go from 1"),
    ],
)
def test_what_cannot_be_simulated(terms: dict[str, Any], message: str) -> None:
    with pytest.raises(SessionError, match=message):
        simulate("pass", "new_jersey", **({"bankroll": 100, "sessions": 10, "seed": 1} | terms))
