"""Simulations against exact sessions and the reference, and the same results for any number of threads."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from support.sampling import sample
from support.strategies import pass_that_counts_rolls
from support.strategy_books import ALL_PAIRS
from trueodds.automaton import DiceWeightsError, NeverEndsError, SessionError
from trueodds.dice import Roll
from trueodds.money import Cents
from trueodds.rulebook import House, Spot, load_book
from trueodds.sessions.exact_session import Session
from trueodds.sessions.reference import ReferencePlayer
from trueodds.sessions.session_limits import SessionLimits
from trueodds.simulation.comparison_runner import CHUNK
from trueodds.simulation.results import Simulation
from trueodds.simulation.rng import session_rolls
from trueodds.simulation.session_runner import MONEY_COLUMNS, SessionRunner, SimulationSpec, result_row
from trueodds.simulation.simulate import compare, simulate
from trueodds.strategy import MakeBet, bet, builtin_strategy, keep, strategy_from_function
from trueodds.wager_odds import FAIR_DICE, biased_dice


def assert_close(simulated: Simulation, exact: Session, sigmas: float = 5) -> None:
    """Check the mean and some chances within five standard errors, computed from the exact variance."""
    count = simulated.sessions
    assert (
        abs(simulated.mean_cents - float(exact.mean_cents))
        <= sigmas * exact.standard_deviation_cents / count**0.5 + 1e-9
    )
    for figure in ("ruin_chance", "profit_chance", "doubling_chance"):
        chance = float(getattr(exact, figure))
        assert abs(getattr(simulated, figure) - chance) <= sigmas * (chance * (1 - chance) / count) ** 0.5 + 1e-9


@pytest.mark.no_cover
@pytest.mark.parametrize(("book", "name"), sample([pair for pair in ALL_PAIRS if pair[1] != "ats_molly"], 60))
def test_simulations_match_exact_sessions(book: str, name: str) -> None:
    """Seed 11. The bonus bets with a molly have too many situations for an exact session in a test."""
    terms: dict[str, Any] = {"bankroll": 300, "rolls": 40}
    assert_close(simulate(name, book, sessions=40_000, seed=11, **terms), Session(name, book, **terms))


@pytest.mark.parametrize(
    "terms",
    [
        {"stop_win": 50, "stop_loss": 80},
        {"shooters": 3},
        {"shooters": 2, "stop_win": 20},
        {"dice": biased_dice([2, 1, 1, 1, 1, 1], [1, 1, 1, 1, 1, Fraction(1, 2)])},
    ],
)
@pytest.mark.parametrize("name", ["pass_345", "place_6_8", "dolly"])
def test_stops_shooters_and_biased_dice(name: str, terms: dict[str, Any]) -> None:
    terms = {"bankroll": 200, "rolls": 30} | terms
    assert_close(simulate(name, "maryland", sessions=40_000, seed=12, **terms), Session(name, "maryland", **terms))


def test_vigorish_paid_in_front_does_not_hide_a_stop() -> None:
    """A buy bet pays vigorish when it is made. The stop win is checked before that."""
    strategy = strategy_from_function(
        lambda view, _memory: (
            [MakeBet(Spot("buy", (4,)), stake_cents=Cents(2000))] if view.point and not view.wagers else []
        ),
        name="Buy",
    )
    terms: dict[str, Any] = {"bankroll": 100, "rolls": 40, "stop_win": 35}
    assert_close(
        simulate(strategy, "maryland", sessions=40_000, seed=3, **terms), Session(strategy, "maryland", **terms)
    )


@pytest.mark.parametrize(
    ("book", "loss"), [("new_jersey", 43), ("maryland", 43), ("maryland", 85), ("rws", 4), ("rws", 42)]
)
def test_vigorish_refunded_does_not_hide_a_stop(book: str, loss: int) -> None:
    """A lay bet that comes down refunds its vigorish. The stop loss is checked before that."""
    limits = SessionLimits(50_000, 30, stop_loss_worth_cents=50_000 - 100 * loss)
    spec = SimulationSpec(builtin_strategy("lay_4_10"), House(load_book(book)), limits, 1, FAIR_DICE, 1 << 30)
    player = ReferencePlayer(spec.strategy, spec.house, spec.limits)
    results = SessionRunner(spec).run(np.arange(120))
    results.rows[:, MONEY_COLUMNS] *= results.unit_cents
    for session, row in enumerate(results.rows.tolist()):
        assert result_row(player.play(session_rolls(1, session))) == row, session


def test_threads_change_nothing() -> None:
    terms: dict[str, Any] = {"bankroll": 300, "sessions": CHUNK + 17, "seed": 5, "rolls": 60}
    one = simulate("molly", "new_jersey", **terms)
    two = simulate("molly", "new_jersey", threads=2, **terms)
    assert one.summary() == two.summary()
    for name in one.histograms.by_name:
        assert np.array_equal(one.histogram(name).values, two.histogram(name).values)
        assert np.array_equal(one.histogram(name).counts, two.histogram(name).counts)


def test_the_engine_plays_what_does_not_fit_into_memory() -> None:
    """A strategy that counts rolls forever has too many situations. Its sessions are the same."""
    options: dict[str, Any] = {"bankroll": 100, "sessions": 60, "seed": 9, "rolls": 30}
    by_engine = simulate(pass_that_counts_rolls(), "new_jersey", budget_bytes=300_000, **options)
    by_kernel = simulate("pass", "new_jersey", **options)
    assert by_engine.engine_share > 0
    assert by_kernel.engine_share == 0
    same = {"strategy": "", "engine_share": 0}
    assert {**by_engine.summary(), **same} == {**by_kernel.summary(), **same}


def test_progress_is_called_with_the_results_so_far() -> None:
    updates: list[Simulation] = []
    simulate("pass", "new_jersey", bankroll=100, sessions=2 * CHUNK, seed=1, rolls=10, progress=updates.append)
    counts = [one.sessions for one in updates]
    assert len(counts) > 3
    assert counts == sorted(set(counts))
    assert counts[-1] == 2 * CHUNK
    interval = updates[-1].mean_interval_95_cents
    assert interval is not None
    assert interval[0] < updates[-1].mean_cents < interval[1]


@pytest.mark.parametrize(
    ("terms", "message"),
    [
        ({"sessions": 0}, "sessions must be an integer from 1 to 1,000,000,000,000,000, got 0"),
        ({"seed": -1}, "seed must be an integer from 0 to .*, got -1"),
        ({"threads": 0}, "threads must be an integer from 1 to 1,024, got 0"),
        ({"rolls": 10**6}, "rolls must be an integer from 1 to 100,000, got 1000000"),
        ({"shooters": 0}, "shooters must be an integer from 1 to 1,000, got 0"),
        ({"bankroll": 10**11}, "bankroll must be at most 10,000,000,000, got 100000000000"),
        ({"shooters": 1, "dice": biased_dice([1, 0, 0, 0, 0, 0], [1, 0, 0, 0, 0, 0])}, "never roll a seven-out"),
    ],
)
def test_invalid_arguments(terms: dict[str, Any], message: str) -> None:
    with pytest.raises(SessionError, match=message):
        simulate("pass", "new_jersey", **({"bankroll": 100, "sessions": 10, "seed": 1} | terms))


@pytest.mark.parametrize(
    ("dice", "message"),
    [
        (((Roll(3, 4), Fraction(1, 2)), (Roll(1, 1), Fraction(1, 2))), "each of the 36 rolls"),
        (tuple((roll, chance / 2) for roll, chance in FAIR_DICE), "must add up to 1"),
        ((*FAIR_DICE[:-1], FAIR_DICE[0]), "each of the 36 rolls"),
    ],
)
def test_invalid_dice(dice: Any, message: str) -> None:
    with pytest.raises(DiceWeightsError, match=message):
        simulate("pass", "new_jersey", bankroll=100, rolls=10, dice=dice, sessions=10, seed=1)
    with pytest.raises(DiceWeightsError, match=message):
        Session("pass", "new_jersey", bankroll=100, rolls=10, dice=dice)


def test_the_order_of_chances_does_not_matter() -> None:
    dice = biased_dice([2, 1, 1, 1, 1, 1], [1] * 6)
    terms: dict[str, Any] = {"bankroll": 100, "rolls": 50, "sessions": 500, "seed": 1}
    one, other = (simulate("pass", "nj", dice=order, **terms) for order in (dice, tuple(reversed(dice))))
    assert one.summary() == other.summary()


@pytest.mark.parametrize("name", ["small_line", "fire_line"])
def test_bets_that_biased_dice_never_decide(name: str) -> None:
    """Only hard fours are rolled, so the bonus bet stays open forever."""
    dice = biased_dice([0, 1, 0, 0, 0, 0], [0, 1, 0, 0, 0, 0])
    with pytest.raises(NeverEndsError, match="do not decide the open bets within"):
        simulate(name, "maryland", bankroll=100, rolls=5, sessions=5, seed=1, dice=dice)


def test_numpy_sessions_that_are_never_decided() -> None:
    dice = biased_dice([0, 1, 0, 0, 0, 0], [0, 1, 0, 0, 0, 0])
    spec = SimulationSpec(
        builtin_strategy("small_line"), House(load_book("maryland")), SessionLimits(10_000, 5), 1, dice, 1 << 30
    )
    with pytest.raises(NeverEndsError, match="do not decide the open bets within"):
        SessionRunner(spec).worth_over_time(np.arange(3), np.arange(3))


def test_the_engine_plays_money_that_does_not_fit_into_a_word() -> None:
    """A cent in the bankroll makes the unit so small that a win of thirty thousand dollars does not fit."""
    strategy = keep(bet("craps12", 1000))
    terms: dict[str, Any] = {"sessions": 10, "seed": 1, "rolls": 20}
    in_cents = simulate(strategy, "new_jersey", bankroll="50000.01", **terms)
    in_dollars = simulate(strategy, "new_jersey", bankroll=50_000, **terms)
    assert (in_cents.engine_share, in_dollars.engine_share) == (1, 0)
    assert np.array_equal(in_cents.results_cents, in_dollars.results_cents)
    assert np.array_equal(in_cents.percentile_bands.results_cents, in_dollars.percentile_bands.results_cents)


def test_a_single_session_has_no_interval() -> None:
    found = simulate("pass", "nj", bankroll=100, sessions=1, seed=1)
    assert found.mean_interval_95_cents is None
    with pytest.raises(SessionError, match="quantile must be between 0 and 1, got 2"):
        found.quantile_cents(2)


def test_without_a_seed_a_new_one_is_drawn_and_repeats_the_result() -> None:
    first, second = (simulate("pass", "nj", bankroll=100, sessions=200, rolls=20) for _ in range(2))
    assert first.seed is not None
    assert first.seed != second.seed
    again = simulate("pass", "nj", bankroll=100, sessions=200, rolls=20, seed=first.seed)
    assert again.summary() == first.summary()


def test_without_a_number_of_sessions_there_are_a_hundred_thousand() -> None:
    assert simulate("pass", "nj", bankroll=100, rolls=5, seed=1).sessions == 100_000


def test_strategies_share_the_seed_that_is_drawn() -> None:
    comparison = compare(["pass", "pass_345"], "nj", bankroll=100, sessions=50, rolls=10)
    assert len({simulation.seed for simulation in comparison.simulations}) == 1
