"""The kernels against the reference on the same rolls."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import numpy as np
import pytest

from support.houses import default_house_dealer
from support.sampling import sample
from support.strategy_books import ALL_PAIRS
from trueodds.automaton import Automaton
from trueodds.automaton.array_types import Int64Array
from trueodds.rulebook import House, load_book
from trueodds.sessions.reference import ReferencePlayer
from trueodds.sessions.session_limits import SessionLimits
from trueodds.simulation.batched_kernel import run_batched
from trueodds.simulation.kernel import (
    CAUSE,
    MISSING,
    NOT_BUILT,
    ROLL_COUNT,
    SOURCE_FAIR,
    RollSource,
    empty_results,
    run_sequential,
)
from trueodds.simulation.numpy_backend import run_numpy
from trueodds.simulation.rng import U64, session_rolls
from trueodds.simulation.session_runner import MONEY_COLUMNS, result_row
from trueodds.simulation.transition_table import TransitionTable
from trueodds.strategy import builtin_strategy

SEED: Final = 20_261_116


def run_all(table: TransitionTable, sessions: int, seed: int, run: Callable[..., None]) -> Int64Array:
    """Run sessions until nothing is missing. Return their rows, with money in units."""
    while True:
        out, dice = empty_results(sessions), RollSource(SOURCE_FAIR, U64(seed))
        run(table.buffer, table.offsets, table.automaton.start, table.limits, dice, np.arange(sessions), out)
        missing = out[MISSING, out[CAUSE] == NOT_BUILT]
        if not len(missing):
            return out.T
        table.build(np.unique(missing))


@pytest.mark.no_cover
@pytest.mark.parametrize(("book", "name"), sample(ALL_PAIRS, 60))
def test_kernels_match_the_reference(book: str, name: str) -> None:
    """Final worth, rolls, peak, trough, drawdown, hands and cause of 50 sessions, to the cent."""
    house, strategy, limits = default_house_dealer(book).rules.house, builtin_strategy(name), SessionLimits(12_000, 50)
    table = TransitionTable(Automaton(strategy, house), limits)
    rows = run_all(table, 50, SEED, run_batched)
    for run in (run_sequential, run_numpy):
        assert np.array_equal(rows, run_all(table, 50, SEED, run))
    rows[:, MONEY_COLUMNS] *= table.unit_cents
    player = ReferencePlayer(strategy, house, limits)
    assert rows.tolist() == [result_row(player.play(session_rolls(SEED, session))) for session in range(50)]


@pytest.mark.parametrize(
    "limits",
    [
        SessionLimits(20_000, 40, stop_win_worth_cents=25_000, stop_loss_worth_cents=12_000),
        SessionLimits(20_000, 40, 2, stop_win_worth_cents=23_000),
        SessionLimits(20_000, 40, 3, stop_loss_worth_cents=15_000),
        SessionLimits(2_400, 40),
    ],
)
@pytest.mark.parametrize("name", ["pass_345", "dolly", "iron_cross", "lay_4_10", "buy_4_10", "oscars_grind"])
def test_kernels_match_the_reference_with_stops(name: str, limits: SessionLimits) -> None:
    house, strategy = House(load_book("maryland")), builtin_strategy(name)
    table = TransitionTable(Automaton(strategy, house), limits)
    player = ReferencePlayer(strategy, house, limits)
    expected = [result_row(player.play(session_rolls(4, session))) for session in range(60)]
    for run in (run_batched, run_sequential, run_numpy):
        rows = run_all(table, 60, 4, run)
        rows[:, MONEY_COLUMNS] *= table.unit_cents
        assert rows.tolist() == expected


@pytest.mark.parametrize(
    "limits",
    [
        SessionLimits(1_000, 10),
        SessionLimits(1_000, 10, stop_loss_worth_cents=0),
        SessionLimits(3_000, 30, stop_win_worth_cents=4_000, stop_loss_worth_cents=2_000),
        SessionLimits(3_000, 30, stop_win_worth_cents=3_000),
        SessionLimits(3_000, 30, stop_loss_worth_cents=3_000),
        SessionLimits(3_000, 30, 1),
    ],
)
def test_limits_that_are_met_exactly(limits: SessionLimits) -> None:
    """A rack that equals the next bet, a worth that equals a stop, and stops that are met before the first bet."""
    house, strategy = House(load_book("new_jersey")), builtin_strategy("pass")
    table, player = TransitionTable(Automaton(strategy, house), limits), ReferencePlayer(strategy, house, limits)
    expected = [result_row(player.play(session_rolls(6, session))) for session in range(40)]
    for run in (run_batched, run_sequential, run_numpy):
        rows = run_all(table, 40, 6, run)
        rows[:, MONEY_COLUMNS] *= table.unit_cents
        assert rows.tolist() == expected


@pytest.mark.parametrize("sessions", [1, 2, 95, 96, 97, 200])
@pytest.mark.parametrize("rolls", [1, 10, 11, 12, 22, 40])
def test_lanes_and_words_that_are_not_full(sessions: int, rolls: int) -> None:
    """More and fewer sessions than lanes, and limits in the middle and at the end of a word."""
    automaton = Automaton(builtin_strategy("pass_345"), House(load_book("new_jersey")))
    table = TransitionTable(automaton, SessionLimits(10_000, rolls))
    rows = run_all(table, sessions, 1, run_batched)
    assert np.array_equal(rows, run_all(table, sessions, 1, run_sequential))
    assert (rows[:, ROLL_COUNT] > 0).all()


def test_a_lazy_automaton_gives_the_same_sessions() -> None:
    house, strategy, limits = House(load_book("maryland")), builtin_strategy("ats_molly"), SessionLimits(20_000, 60)
    complete = run_all(TransitionTable(Automaton(strategy, house), limits), 300, 7, run_batched)
    lazy = Automaton(strategy, house, lazy=True, budget_bytes=90_000_000)
    assert (lazy.after_betting == -1).any()
    assert np.array_equal(complete, run_all(TransitionTable(lazy, limits), 300, 7, run_batched))
