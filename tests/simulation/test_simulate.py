"""Simulation against exact sessions, and the same for any number of threads."""

from __future__ import annotations

from fractions import Fraction
from itertools import repeat
from typing import Any

import numpy as np
import pytest

from library_pairs import PAIRS
from trueodds.chain import FAIR, DiceWeightsError, EndlessError, SessionError, biased
from trueodds.chain.by_engine import EnginePlayer
from trueodds.chain.match import CHUNK
from trueodds.chain.player import Game, Player
from trueodds.chain.session import Session
from trueodds.chain.simulate import Simulation, simulate
from trueodds.chain.stream import session_rolls
from trueodds.chain.tally import Counts, Tally
from trueodds.chain.terms import Terms
from trueodds.dice import Roll
from trueodds.money import Cents
from trueodds.rulebook import House, Spot, load_book
from trueodds.strategy import Outcome, Put, bet, function, keep, named_strategy


def near(simulated: Simulation, exact: Session, sigmas: float = 5) -> None:
    """The mean within five sigma of the exact one, by the exact variance; so the chances of ruin and profit."""
    count = simulated.sessions
    assert abs(simulated.mean - float(exact.mean)) <= sigmas * exact.deviation / count**0.5 + 1e-9
    for figure in ("ruin", "profit", "doubling"):
        chance = float(getattr(exact, figure))
        assert abs(getattr(simulated, figure) - chance) <= sigmas * (chance * (1 - chance) / count) ** 0.5 + 1e-9


@pytest.mark.no_cover
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


@pytest.mark.parametrize(
    ("book", "loss"), [("new_jersey", 43), ("maryland", 43), ("maryland", 85), ("rws", 4), ("rws", 42)]
)
def test_vigorish_refunded_does_not_hide_a_stop(book: str, loss: int) -> None:
    """A lay bet that comes down gives its vigorish back; the stop is tested before that. Line for line."""
    terms = Terms(50_000, 30, at_most=50_000 - 100 * loss)
    game = Game(named_strategy("lay_4_10"), House(load_book(book)), terms, 1, FAIR, 1 << 30)
    engine = EnginePlayer(game.strategy, game.house, game.terms)
    out, slot, _ = Player(game).play(np.arange(120))
    for session, line in enumerate(out):
        line[[0, 2, 3, 4]] *= slot
        assert engine.play(session_rolls(1, session)) == line.tolist(), session


@pytest.mark.parametrize("name", ["pass_345", "dolly", "iron_cross", "lay_4_10", "buy_4_10", "oscars_grind"])
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
    interval = seen[-1].interval
    assert interval is not None
    assert interval[0] < seen[-1].mean < interval[1]


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
        ({"bankroll": 10**11}, "a bankroll goes up to"),
        ({"shooters": 1, "dice": biased([1, 0, 0, 0, 0, 0], [1, 0, 0, 0, 0, 0])}, "no shooter ever sevens out"),
    ],
)
def test_what_cannot_be_simulated(terms: dict[str, Any], message: str) -> None:
    with pytest.raises(SessionError, match=message):
        simulate("pass", "new_jersey", **({"bankroll": 100, "sessions": 10, "seed": 1} | terms))


@pytest.mark.parametrize(
    ("dice", "message"),
    [
        (((Roll(3, 4), Fraction(1, 2)), (Roll(1, 1), Fraction(1, 2))), "each of the 36 rolls"),
        (tuple((roll, chance / 2) for roll, chance in FAIR), "add up to 1"),
        ((*FAIR[:-1], FAIR[0]), "each of the 36 rolls"),
    ],
)
def test_dice_that_are_none(dice: Any, message: str) -> None:
    with pytest.raises(DiceWeightsError, match=message):
        simulate("pass", "new_jersey", bankroll=100, rolls=10, dice=dice, sessions=10, seed=1)
    with pytest.raises(DiceWeightsError, match=message):
        Session("pass", "new_jersey", bankroll=100, rolls=10, dice=dice)


def test_the_order_of_chances_does_not_matter() -> None:
    dice = biased([2, 1, 1, 1, 1, 1], [1] * 6)
    terms: dict[str, Any] = {"bankroll": 100, "rolls": 50, "sessions": 500, "seed": 1}
    one, other = (simulate("pass", "nj", dice=order, **terms) for order in (dice, tuple(reversed(dice))))
    assert one.summary() == other.summary()


@pytest.mark.parametrize("name", ["small_line", "fire_line"])
def test_bets_that_loaded_dice_never_decide(name: str) -> None:
    """Only hard fours are thrown: the bonus bet is never decided, and nobody waits for it."""
    dice = biased([0, 1, 0, 0, 0, 0], [0, 1, 0, 0, 0, 0])
    with pytest.raises(EndlessError, match="not decided within"):
        simulate(name, "maryland", bankroll=100, rolls=5, sessions=5, seed=1, dice=dice)


def test_without_a_compiler_they_are_not_decided_either() -> None:
    dice = biased([0, 1, 0, 0, 0, 0], [0, 1, 0, 0, 0, 0])
    game = Game(named_strategy("small_line"), House(load_book("maryland")), Terms(10_000, 5), 1, dice, 1 << 30)
    with pytest.raises(EndlessError, match="not decided within"):
        Player(game).watch(np.arange(3), np.arange(3))
    with pytest.raises(EndlessError, match="not decided within"):
        EnginePlayer(game.strategy, game.house, game.terms).play(repeat(Roll(2, 2)))


def test_money_that_does_not_fit_a_word_is_played_by_the_engine() -> None:
    """A cent in the bankroll makes the slots so fine that a win of thirty thousand has no room."""
    strategy = keep(bet("craps12", 1000))
    terms: dict[str, Any] = {"sessions": 10, "seed": 1, "rolls": 20}
    fine = simulate(strategy, "new_jersey", bankroll="50000.01", **terms)
    plain = simulate(strategy, "new_jersey", bankroll=50_000, **terms)
    assert (fine.by_engine, plain.by_engine) == (1, 0)
    assert np.array_equal(fine.results, plain.results)
    assert np.array_equal(fine.fan.results, plain.fan.results)


def test_one_session_tells_no_interval() -> None:
    found = simulate("pass", "nj", bankroll=100, sessions=1, seed=1)
    assert found.interval is None
    with pytest.raises(SessionError, match="a share goes from 0 to 1"):
        found.quantile(2)
