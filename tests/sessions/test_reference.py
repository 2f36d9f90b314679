"""The reference against sessions played at a table, and the distributions against the reference."""

from __future__ import annotations

from fractions import Fraction
from importlib.util import find_spec
from itertools import repeat
from typing import Any

import numpy as np
import pytest

from support.houses import default_house_dealer
from support.reference_distribution import reference_distribution
from support.strategy_books import ONE_BOOK_EACH
from support.table_sessions import TableCloseout, TableStops, play
from trueodds.automaton import NeverEndsError
from trueodds.dice import ROLLS, Roll
from trueodds.rulebook import House, load_book
from trueodds.sessions import Session, float_distribution
from trueodds.sessions.reference import ReferencePlayer, end_cause
from trueodds.sessions.session_limits import SessionLimits, parse_limits
from trueodds.simulation.rng import session_rolls
from trueodds.strategy import builtin_strategy
from trueodds.wager_odds import biased_dice

SEED = 20_261_116


@pytest.mark.no_cover
@pytest.mark.parametrize(("book", "name"), ONE_BOOK_EACH)
def test_the_reference_matches_a_table(book: str, name: str) -> None:
    """Every worth, the rolls, the hands and the cause, added up from the events of a table."""
    dealer, strategy, limits = default_house_dealer(book), builtin_strategy(name), SessionLimits(12_000, 50)
    house = dealer.rules.house
    player, closeout = ReferencePlayer(strategy, house, limits), TableCloseout(house)
    for session in range(20):
        dice = session_rolls(SEED, session)
        states = play(dealer, strategy, limits.bankroll_cents, dice, 50, TableStops())
        last = states[-1]
        position, cash = closeout.take_down_all(last.position)
        rack = last.rack + cash
        while position.seats[0].wagers:
            position, cash = closeout.all_rolls(position)[ROLLS.index(next(dice))]
            rack += cash
        seats = [(state.rack, state.position.seats[0]) for state in states[:-1]]
        worths = [held + sum(entry.wager.total_stake for entry in seat.wagers) for held, seat in seats]
        expected = ([limits.bankroll_cents, *worths, rack], len(states) - 1, last.shooters, last.ended_by)
        assert player.play(session_rolls(SEED, session)) == expected, session


FEW_ROLLS = biased_dice([0, 0, 1, 1, 0, 0], [0, 0, 1, 1, 0, 0])
"""Dice with four rolls: totals 6, 7 (twice) and 8. Few enough to play every sequence."""


@pytest.mark.parametrize(
    ("name", "book", "options"),
    [
        ("pass_345", "new_jersey", {"bankroll": 60, "rolls": 3}),
        ("pass", "maryland", {"bankroll": 20, "rolls": 4, "stop_win": 10}),
        ("pass", "new_jersey", {"bankroll": 40, "rolls": 4, "stop_loss": 10, "stop_win": 20}),
        ("pass", "new_jersey", {"bankroll": 10, "rolls": 3}),
        ("dont_pass_lay", "maryland", {"bankroll": 70, "rolls": 3}),
        ("molly", "new_jersey", {"bankroll": 70, "rolls": 3}),
        ("place_6_8", "south_dakota", {"bankroll": 30, "rolls": 4, "stop_loss": 20}),
        ("press_6_8", "maryland", {"bankroll": 60, "rolls": 4, "shooters": 1}),
        ("martingale", "win_line", {"bankroll": 40, "rolls": 4}),
        ("lay_4_10", "new_jersey", {"bankroll": 100, "rolls": 3}),
        ("iron_cross", "rws", {"bankroll": 100, "rolls": 3, "shooters": 2}),
        ("pass", "new_jersey", {"bankroll": "40.01", "rolls": 4, "stop_loss": "9.99", "stop_win": "20.02"}),
        ("pass", "new_jersey", {"bankroll": "39.99", "rolls": 4, "stop_loss": "10.01", "stop_win": "9.98"}),
        ("pass_345", "new_jersey", {"bankroll": "59.99", "rolls": 3}),
        ("place_6_8", "south_dakota", {"bankroll": "47.99", "rolls": 4, "stop_win": "0.01"}),
        ("lay_4_10", "new_jersey", {"bankroll": "99.37", "rolls": 3, "stop_loss": "41.38"}),
    ],
)
def test_distributions_match_the_reference(
    name: str, book: str, options: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The exact and both float distributions, against every sequence of rolls played by the reference."""
    limits = parse_limits(
        options["bankroll"],
        options["rolls"],
        options.get("shooters"),
        options.get("stop_win"),
        options.get("stop_loss"),
        100,
    )
    player = ReferencePlayer(builtin_strategy(name), House(load_book(book)), limits)
    expected = reference_distribution(player, FEW_ROLLS, Fraction(1, 4 ** (options["rolls"] + 4)))
    assert expected.undecided < Fraction(1, 20)
    exact = Session(name, book, dice=FEW_ROLLS, rational=True, **options)
    racks = (exact.results_cents + exact.bankroll_cents).tolist()
    chances = dict(zip(racks, exact.exact_chances or (), strict=True))
    assert set(expected.by_rack) <= set(racks)
    missing = [chance - expected.by_rack.get(rack, 0) for rack, chance in chances.items()]
    assert min(missing) >= 0
    assert sum(missing) == expected.undecided
    for cause, chance in exact.ended_by.items():
        assert 0 <= chance - expected.by_cause.get(cause, 0) <= expected.undecided
    for use_numba in (False, find_spec("numba") is not None):
        monkeypatch.setattr(float_distribution, "_use_numba", lambda _numpy_ns, use_numba=use_numba: use_numba)
        floats = Session(name, book, dice=FEW_ROLLS, **options)
        float_racks = (floats.results_cents + floats.bankroll_cents).tolist()
        float_chances = dict(zip(float_racks, floats.chances.tolist(), strict=True))
        assert float_chances == pytest.approx({rack: float(chance) for rack, chance in chances.items()}, abs=1e-14)
        for cause, chance in exact.ended_by.items():
            assert floats.ended_by[cause] == pytest.approx(float(chance), abs=1e-12)


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("pass_345", {"bankroll": 200, "rolls": 60}),
        ("dolly", {"bankroll": 100, "rolls": 20, "shooters": 3, "stop_win": 50, "stop_loss": 60}),
        ("lay_4_10", {"bankroll": 300, "rolls": 30, "stop_loss": 100}),
    ],
)
def test_compiled_and_numpy_distributions_agree(
    name: str, options: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    """To the last bit, so that it does not matter which one runs."""
    pytest.importorskip("numba")
    sessions = []
    for use_numba in (False, True):
        monkeypatch.setattr(float_distribution, "_use_numba", lambda _numpy_ns, use_numba=use_numba: use_numba)
        sessions.append(Session(name, "maryland", **options))
    in_numpy, compiled = sessions
    assert np.array_equal(in_numpy.results_cents, compiled.results_cents)
    assert np.array_equal(in_numpy.chances, compiled.chances)
    assert in_numpy.summary() == compiled.summary()


def test_causes_are_checked_in_order() -> None:
    """Rolls, shooters, stop loss, stop win: all four limits are reached, and the first one counts."""
    limits = SessionLimits(1000, 5, 2, stop_win_worth_cents=900, stop_loss_worth_cents=1100)
    assert end_cause(limits, 1000, 5, 2) == "rolls"
    assert end_cause(limits, 1000, 4, 2) == "shooters"
    assert end_cause(limits, 1000, 4, 1) == "stop_loss"
    assert end_cause(limits, 1101, 4, 1) == "stop_win"
    assert end_cause(SessionLimits(1000, 5), 1000, 4, 1) is None


def test_worth_after_a_number_of_rolls() -> None:
    """A pass bet that wins on two come-outs: a bet moves money to the layout, and the worth counts both."""
    player = ReferencePlayer(builtin_strategy("pass"), House(load_book("new_jersey")), SessionLimits(10_000, 2))
    played = player.play(iter([Roll(3, 4), Roll(6, 5)]))
    assert played.worths_cents == [10_000, 10_000, 11_000, 12_000]
    assert [played.worth_after(rolls) for rolls in (0, 1, 2, 50)] == [10_000, 11_000, 12_000, 12_000]


def test_bets_that_are_never_decided() -> None:
    """Only hard fours are rolled, so the bonus bet stays open forever."""
    player = ReferencePlayer(builtin_strategy("small_line"), House(load_book("maryland")), SessionLimits(10_000, 5))
    with pytest.raises(NeverEndsError, match="do not decide the open bets within"):
        player.play(repeat(Roll(2, 2)))
