"""Exact sessions against every sequence of rolls played at a table, in fractions and in floats."""

from __future__ import annotations

import pickle
import subprocess
import sys
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest

from support.houses import default_house_dealer
from support.table_sessions import TableCloseout, TableStops, all_roll_sequences
from trueodds.automaton import NeverEndsError, SessionError, TooManyStatesError
from trueodds.money import MoneyError
from trueodds.rulebook import House, load_book
from trueodds.sessions import Session
from trueodds.strategy import Pass, builtin_strategy, keep
from trueodds.wager_odds import biased_dice

BRUTE_FORCE_CASES = [
    ("pass", "new_jersey", 20, 4, {}),
    ("pass_345", "new_jersey", 60, 4, {}),
    ("molly", "new_jersey", 90, 3, {}),
    ("molly", "maryland", 500, 3, {}),
    ("dolly", "rws", 150, 3, {}),
    ("dont_pass_lay", "maryland", 70, 4, {}),
    ("dont_pass", "win_line", 20, 4, {}),
    ("place_6_8", "south_dakota", 30, 4, {}),
    ("press_6_8", "maryland", 60, 4, {}),
    ("inside", "new_jersey", 60, 4, {}),
    ("iron_cross", "rws", 100, 4, {"stop_win": 20, "stop_loss": 40}),
    ("martingale", "win_line", 40, 4, {}),
    ("hardways", "south_dakota", 50, 3, {"shooters": 1}),
    ("horn", "maryland", 20, 4, {"stop_win": 10}),
    ("fire_line", "new_jersey", 30, 3, {}),
    ("pass_345", "maryland", 100, 4, {"shooters": 2, "stop_loss": 50}),
]


@pytest.mark.parametrize(("name", "book", "bankroll", "rolls", "stops"), BRUTE_FORCE_CASES)
def test_the_distribution_is_that_of_every_sequence_of_rolls(
    name: str, book: str, bankroll: int, rolls: int, stops: dict[str, int]
) -> None:
    """As exact fractions: the net result and the cause of the end."""
    house = House(load_book(book))
    session = Session(name, house, bankroll=bankroll, rolls=rolls, rational=True, **stops)  # type: ignore[arg-type]
    ended = all_roll_sequences(
        default_house_dealer(book),
        builtin_strategy(name),
        bankroll * 100,
        rolls,
        TableStops(
            None if "stop_win" not in stops else 100 * (bankroll + stops["stop_win"]),
            None if "stop_loss" not in stops else 100 * (bankroll - stops["stop_loss"]),
            stops.get("shooters"),
        ),
    )
    out, expected = TableCloseout(house), dict[int, Fraction]()
    causes = dict.fromkeys(("ruin", "stop_win", "stop_loss"), Fraction(0))
    for state, chance in ended.items():
        for cash, share in out.result(state.position).items():
            result = state.rack + cash - 100 * bankroll
            expected[result] = expected.get(result, Fraction(0)) + chance * share
        if state.ended_by in causes:
            causes[state.ended_by] += chance
    assert session.exact_chances is not None
    assert dict(zip(session.results_cents.tolist(), session.exact_chances, strict=True)) == {
        result: chance for result, chance in sorted(expected.items()) if chance
    }
    assert sum(session.exact_chances) == 1
    assert session.ended_by == causes


FIGURES = (
    "mean_cents",
    "standard_deviation_cents",
    "ruin_chance",
    "profit_chance",
    "doubling_chance",
    "expected_rolls",
    "expected_action_cents",
)


@pytest.mark.parametrize(
    ("name", "book", "options"),
    [
        ("pass_345", "new_jersey", {"bankroll": 500, "rolls": 100}),
        ("molly", "maryland", {"bankroll": 100, "rolls": 12}),
        ("press_6_8", "rws", {"bankroll": 200, "rolls": 40, "stop_win": 100, "stop_loss": 100}),
        ("dont_pass_lay", "new_jersey", {"bankroll": 200, "rolls": 40, "shooters": 3}),
        ("horn", "south_dakota", {"bankroll": 100, "rolls": 30}),
    ],
)
def test_floating_point_and_fractions_agree(name: str, book: str, options: dict[str, int]) -> None:
    quick = Session(name, book, **options)  # type: ignore[arg-type]
    exact = Session(name, book, rational=True, **options)  # type: ignore[arg-type]
    assert exact.exact_chances is not None
    chances = dict(zip(quick.results_cents.tolist(), quick.chances.tolist(), strict=True))
    for result, chance in zip(exact.results_cents.tolist(), exact.exact_chances, strict=True):
        assert chances.get(result, 0.0) == pytest.approx(float(chance), rel=1e-11, abs=1e-300)
    assert sum(chances.values()) == pytest.approx(1, abs=1e-12)
    assert sum(exact.exact_chances) == 1
    for figure in FIGURES:
        assert getattr(quick, figure) == pytest.approx(float(getattr(exact, figure)), rel=1e-9, abs=1e-12), figure
    assert quick.summary()["quantiles_cents"] == exact.summary()["quantiles_cents"]


@pytest.mark.parametrize(("name", "edge"), [("pass", Fraction(-7, 495)), ("place_6_8", Fraction(-1, 66))])
def test_the_mean_is_the_edge_on_the_action(name: str, edge: Fraction) -> None:
    """Every resolved stake loses its edge, for any bankroll and length, including stakes that are rolled out."""
    for bankroll, rolls in ((20, 30), (500, 7)):
        session = Session(name, "new_jersey", bankroll=bankroll, rolls=rolls, rational=True)
        assert session.mean_cents == edge * session.expected_action_cents


def test_biased_dice() -> None:
    """Dice that always show six and five make every pass bet win on the come-out."""
    yo = biased_dice([0, 0, 0, 0, 0, 1], [0, 0, 0, 0, 1, 0])
    session = Session("pass", "new_jersey", bankroll=100, rolls=10, dice=yo)
    assert session.results_cents.tolist() == [10_000]
    heavy = biased_dice([2, 1, 1, 1, 1, 1], [1] * 6)
    quick = Session("pass_345", "new_jersey", bankroll=100, rolls=20, dice=heavy)
    exact = Session("pass_345", "new_jersey", bankroll=100, rolls=20, dice=heavy, rational=True)
    assert quick.mean_cents == pytest.approx(float(exact.mean_cents))
    assert float(exact.mean_cents) != pytest.approx(
        float(Session("pass_345", "new_jersey", bankroll=100, rolls=20).mean_cents)
    )


def test_shooters_alone_end_a_session() -> None:
    session = Session("pass", "new_jersey", bankroll=1000, shooters=3)
    assert session.expected_rolls == pytest.approx(3 * 1671 / 196, rel=1e-12)
    assert session.chances.sum() == pytest.approx(1, abs=1e-12)


def test_stops_hold() -> None:
    """Even-money bets of ten dollars end exactly at a stop. The chance is that of the gambler's ruin."""
    session = Session("pass", "new_jersey", bankroll=200, rolls=5000, stop_win=50, stop_loss=30)
    assert session.results_cents[session.chances > 1e-9].tolist() == [-3000, 5000]
    win = session.ended_by["stop_win"]
    assert session.chance(lambda result: result == 5000) == pytest.approx(win)
    ratio = (1 + Fraction(7, 495)) / (1 - Fraction(7, 495))
    assert win == pytest.approx(float((ratio**3 - 1) / (ratio**8 - 1)), abs=1e-9)


def test_ruin_needs_an_empty_layout_and_a_bet_that_the_rack_does_not_cover() -> None:
    """Losing the last ten dollars is ruin only before another bet, not while open bets are rolled out."""
    session = Session("pass", "new_jersey", bankroll=10, rolls=1, rational=True)
    assert session.ruin_chance == 0
    assert session.chance(lambda result: result == -1000) == Fraction(251, 495)
    session = Session("pass", "new_jersey", bankroll=10, rolls=2, rational=True)
    assert session.ruin_chance == Fraction(4, 36)


def test_a_summary_has_every_figure() -> None:
    summary = Session("pass_345", "new_jersey", bankroll=500, rolls=50).summary()
    assert summary["strategy"] == "Pass with 3-4-5x odds"
    assert list(summary["quantiles_cents"]) == [0.01, 0.05, 0.25, 0.5, 0.75, 0.95, 0.99]
    assert summary["expected_rolls"] <= 50


def test_arrays_are_numpy() -> None:
    session = Session("pass", "new_jersey", bankroll=50, rolls=10)
    assert session.results_cents.dtype == np.int64
    assert (np.diff(session.results_cents) > 0).all()
    assert session.quantile_cents(0) == session.results_cents[0]
    assert session.quantile_cents(1) == session.results_cents[-1]


def test_dice_that_never_roll_a_seven() -> None:
    """Sessions that would never end raise an error."""
    even = biased_dice([1, 0, 1, 0, 1, 0], [1, 0, 1, 0, 1, 0])
    with pytest.raises(SessionError, match="never roll a seven-out"):
        Session("pass", "new_jersey", bankroll=100, shooters=1, dice=even)
    with pytest.raises(NeverEndsError, match="do not decide the open bets within"):
        Session("fire_line", "new_jersey", bankroll=100, rolls=3, dice=even)
    with pytest.raises(NeverEndsError):
        Session("fire_line", "new_jersey", bankroll=100, rolls=3, dice=even, rational=True)


def test_a_single_play_is_a_strategy() -> None:
    alone = Session(keep(Pass(10)), "new_jersey", bankroll=50, rolls=10)
    assert alone.mean_cents == Session("pass", "new_jersey", bankroll=50, rolls=10).mean_cents


def test_a_session_pickles() -> None:
    for rational in (False, True):
        session = Session("pass_345", "new_jersey", bankroll="62.50", rolls=8, rational=rational)
        copy = pickle.loads(pickle.dumps(session))  # noqa: S301  our own bytes
        assert copy.summary() == session.summary()
        assert copy.exact_chances == session.exact_chances
        assert repr(copy) == repr(session)


def test_repr() -> None:
    session = Session("pass", "new_jersey", bankroll="20.50", rolls=10, shooters=1)
    assert (
        repr(session)
        == f"<Session 'Pass line' at {session.house.name!r}: bankroll 20.5 for 1 shooter or 10 rolls, mean -0.30>"
    )


SMALL_SESSION = """
import sys
from trueodds.sessions.exact_session import Session
Session("pass_345", "new_jersey", bankroll=500)
print("numba" in sys.modules, "flint" in sys.modules)
"""


def test_small_sessions_do_not_import_compilers() -> None:
    """Importing Numba and FLINT takes longer than a small session does."""
    done = subprocess.run([sys.executable, "-c", SMALL_SESSION], capture_output=True, text=True, check=True)
    assert done.stdout == "False False\n"


def test_amounts_are_dollars() -> None:
    for bankroll in (20, "20", "$20.00", Decimal("20.00")):
        assert Session("pass", "new_jersey", bankroll=bankroll, rolls=3).bankroll_cents == 2000
    with pytest.raises(MoneyError, match="got the float"):
        Session("pass", "new_jersey", bankroll=20.0, rolls=3)  # type: ignore[arg-type]


def test_invalid_arguments() -> None:
    with pytest.raises(SessionError, match=r"rolls must be an integer from 1 to 1,000,000, got 0"):
        Session("pass", "new_jersey", bankroll=100, rolls=0)
    with pytest.raises(SessionError, match="shooters must be an integer from 1 to 1,000, got -1"):
        Session("pass", "new_jersey", bankroll=100, shooters=-1)
    with pytest.raises(SessionError, match="needs a number of rolls"):
        Session("pass", "new_jersey", bankroll=100, shooters=2, rational=True)
    with pytest.raises(MoneyError, match="bankroll must be positive, got 0"):
        Session("pass", "new_jersey", bankroll=0)
    with pytest.raises(SessionError, match="quantile must be between 0 and 1, got 2"):
        Session("pass", "new_jersey", bankroll=100, rolls=5).quantile_cents(2)
    with pytest.raises(TooManyStatesError, match=r"too large: [\d,]+ situations .* simulate"):
        Session("molly", "new_jersey", bankroll=100_000, rolls=400, budget_bytes=5_000_000)
