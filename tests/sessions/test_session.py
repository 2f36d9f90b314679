"""Exact sessions: against every sequence of throws played at a table, and against each other."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from engine_sessions import RollOut, Stops, every_sequence
from houses import default_dealer
from trueodds.chain import ChainTooLargeError, EndlessError, Session, SessionError, biased
from trueodds.money import MoneyError
from trueodds.rulebook import House, load_book
from trueodds.strategy import Pass, keep, named_strategy

BRUTE = [
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


@pytest.mark.parametrize(("name", "book", "bankroll", "rolls", "stops"), BRUTE)
def test_the_distribution_is_that_of_every_sequence_of_throws(
    name: str, book: str, bankroll: int, rolls: int, stops: dict[str, int]
) -> None:
    """As exact fractions: the result, why it was over, and how many throws it took."""
    house = House(load_book(book))
    session = Session(name, house, bankroll=bankroll, rolls=rolls, rational=True, **stops)  # type: ignore[arg-type]
    ended = every_sequence(
        default_dealer(book),
        named_strategy(name),
        bankroll * 100,
        rolls,
        Stops(
            None if "stop_win" not in stops else 100 * (bankroll + stops["stop_win"]),
            None if "stop_loss" not in stops else 100 * (bankroll - stops["stop_loss"]),
            stops.get("shooters"),
        ),
    )
    out, expected = RollOut(house), dict[int, Fraction]()
    causes = dict.fromkeys(("ruin", "stop_win", "stop_loss"), Fraction(0))
    for state, chance in ended.items():
        for cash, share in out.result(state.position).items():
            result = state.rack + cash - 100 * bankroll
            expected[result] = expected.get(result, Fraction(0)) + chance * share
        if state.over in causes:
            causes[state.over] += chance
    assert session.exact is not None
    assert dict(zip(session.results.tolist(), session.exact, strict=True)) == {
        result: chance for result, chance in sorted(expected.items()) if chance
    }
    assert sum(session.exact) == 1
    assert session.causes == causes


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
    assert exact.exact is not None
    chances = dict(zip(quick.results.tolist(), quick.chances.tolist(), strict=True))
    for result, chance in zip(exact.results.tolist(), exact.exact, strict=True):
        assert chances.get(result, 0.0) == pytest.approx(float(chance), rel=1e-11, abs=1e-300)
    assert sum(chances.values()) == pytest.approx(1, abs=1e-12)
    assert sum(exact.exact) == 1
    for figure in ("mean", "deviation", "ruin", "profit", "doubling", "expected_rolls", "expected_action"):
        assert getattr(quick, figure) == pytest.approx(float(getattr(exact, figure)), rel=1e-9, abs=1e-12), figure
    assert quick.summary()["quantiles_cents"] == exact.summary()["quantiles_cents"]


@pytest.mark.parametrize(("name", "edge"), [("pass", Fraction(-7, 495)), ("place_6_8", Fraction(-1, 66))])
def test_the_mean_is_the_edge_on_the_action(name: str, edge: Fraction) -> None:
    """Whatever the bankroll and the length: every stake that is decided loses its edge, also those rolled out."""
    for bankroll, rolls in ((20, 30), (500, 7)):
        session = Session(name, "new_jersey", bankroll=bankroll, rolls=rolls, rational=True)
        assert session.mean == edge * session.expected_action


def test_loaded_dice() -> None:
    """Dice that always show six and five make every pass bet win on the come-out."""
    yo = biased([0, 0, 0, 0, 0, 1], [0, 0, 0, 0, 1, 0])
    session = Session("pass", "new_jersey", bankroll=100, rolls=10, dice=yo)
    assert session.results.tolist() == [10_000]
    heavy = biased([2, 1, 1, 1, 1, 1], [1] * 6)
    quick = Session("pass_345", "new_jersey", bankroll=100, rolls=20, dice=heavy)
    exact = Session("pass_345", "new_jersey", bankroll=100, rolls=20, dice=heavy, rational=True)
    assert quick.mean == pytest.approx(float(exact.mean))
    assert float(exact.mean) != pytest.approx(float(Session("pass_345", "new_jersey", bankroll=100, rolls=20).mean))


def test_shooters_alone_end_a_session() -> None:
    session = Session("pass", "new_jersey", bankroll=1000, shooters=3)
    assert session.expected_rolls == pytest.approx(3 * 1671 / 196, rel=1e-12)
    assert session.chances.sum() == pytest.approx(1, abs=1e-12)


def test_stops_hold() -> None:
    """Even-money bets of ten cannot jump over a stop; with odds up they can by what is decided at once."""
    session = Session("pass", "new_jersey", bankroll=200, rolls=5000, stop_win=50, stop_loss=30)
    assert session.results[session.chances > 1e-9].tolist() == [-3000, 5000]
    win = session.causes["stop_win"]
    assert session.chance(lambda result: result == 5000) == pytest.approx(win)
    ratio = (1 + Fraction(7, 495)) / (1 - Fraction(7, 495))
    assert win == pytest.approx(float((ratio**3 - 1) / (ratio**8 - 1)), abs=1e-9), "the gambler's ruin, in closed form"


def test_ruin_is_an_empty_layout_and_a_demand_that_cannot_be_paid() -> None:
    """Losing the last ten is ruin only when another ten is asked for: not in a bet that was rolled out at the end."""
    session = Session("pass", "new_jersey", bankroll=10, rolls=1, rational=True)
    assert session.ruin == 0
    assert session.chance(lambda result: result == -1000) == Fraction(251, 495)
    session = Session("pass", "new_jersey", bankroll=10, rolls=2, rational=True)
    assert session.ruin == Fraction(4, 36)


def test_a_summary_has_every_figure() -> None:
    told = Session("pass_345", "new_jersey", bankroll=500, rolls=50).summary()
    assert told["strategy"] == "Pass with 3-4-5x odds"
    assert list(told["quantiles_cents"]) == [0.01, 0.05, 0.25, 0.5, 0.75, 0.95, 0.99]
    assert told["expected_rolls"] <= 50


def test_arrays_are_numpy() -> None:
    session = Session("pass", "new_jersey", bankroll=50, rolls=10)
    assert session.results.dtype == np.int64
    assert (np.diff(session.results) > 0).all()
    assert session.quantile(0) == session.results[0]
    assert session.quantile(1) == session.results[-1]


def test_dice_that_never_seven() -> None:
    """What can never be decided is said, not waited for."""
    even = biased([1, 0, 1, 0, 1, 0], [1, 0, 1, 0, 1, 0])
    with pytest.raises(SessionError, match="no shooter ever sevens out"):
        Session("pass", "new_jersey", bankroll=100, shooters=1, dice=even)
    with pytest.raises(EndlessError, match="not decided within"):
        Session("fire_line", "new_jersey", bankroll=100, rolls=3, dice=even)
    with pytest.raises(EndlessError):
        Session("fire_line", "new_jersey", bankroll=100, rolls=3, dice=even, rational=True)


def test_a_part_alone_is_a_strategy() -> None:
    alone = Session(keep(Pass(10)), "new_jersey", bankroll=50, rolls=10)
    assert alone.mean == Session("pass", "new_jersey", bankroll=50, rolls=10).mean


def test_what_cannot_be_asked_for() -> None:
    with pytest.raises(SessionError, match="rolls go from 1"):
        Session("pass", "new_jersey", bankroll=100, rolls=0)
    with pytest.raises(SessionError, match="shooters go from 1"):
        Session("pass", "new_jersey", bankroll=100, shooters=-1)
    with pytest.raises(SessionError, match="need a number of rolls"):
        Session("pass", "new_jersey", bankroll=100, shooters=2, rational=True)
    with pytest.raises(MoneyError):
        Session("pass", "new_jersey", bankroll=0)
    with pytest.raises(SessionError, match="a share goes from 0 to 1"):
        Session("pass", "new_jersey", bankroll=100, rolls=5).quantile(2)
    with pytest.raises(ChainTooLargeError, match=r"too large: [\d,]+ situations .* simulate"):
        Session("molly", "new_jersey", bankroll=100_000, rolls=400, budget=20_000_000)
