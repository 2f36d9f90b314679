"""The two smallest rooms."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trueodds.dice import ROLLS, DiceError, Roll
from trueodds.money import (
    Cents,
    MoneyError,
    Odds,
    OddsWordingError,
    UnpayablePolicy,
    checked_stake,
    money,
    pay,
    payable_step,
    vigorish,
)


def test_thirty_six_rolls_and_their_totals() -> None:
    assert len(set(ROLLS)) == 36
    assert Counter(roll.total for roll in ROLLS) == {total: 6 - abs(7 - total) for total in range(2, 13)}
    assert sum(roll.is_pair for roll in ROLLS) == 6


@pytest.mark.parametrize("roll", ROLLS)
def test_a_roll_is_read_back(roll: Roll) -> None:
    assert Roll.parse(str(roll)) == roll
    assert eval(repr(roll)) == roll  # noqa: S307  our own repr


@pytest.mark.parametrize("text", ["", "3", "3-", "-4", "0-4", "7-1", "3-4-5", "a-b", "3.0-4", "³-4", "33-4"])
def test_a_roll_that_cannot_be_read(text: str) -> None:
    with pytest.raises(DiceError):
        Roll.parse(text)


@pytest.mark.parametrize("faces", [(0, 1), (1, 7), (True, 1), (1.0, 2), ("1", 2), (None, 1)])
def test_a_roll_that_cannot_be_thrown(faces: tuple[int, int]) -> None:
    with pytest.raises(DiceError):
        Roll(*faces)


@given(st.integers(1, 999), st.integers(1, 999))
def test_odds_are_read_back(win: int, stake: int) -> None:
    odds = Odds(win, stake)
    assert Odds.parse(str(odds)) == odds


@pytest.mark.parametrize(
    "text", ["", "9", "9 to", "9to5", "9 to 0", "0 to 1", "-9 to 5", "9 TO 5", "9.5 to 1", None, 9]
)
def test_odds_that_cannot_be_read(text: object) -> None:
    with pytest.raises(MoneyError):
        Odds.parse(text)


def test_odds_said_with_for() -> None:
    with pytest.raises(OddsWordingError, match='never "for"'):
        Odds.parse("31 for 1")


@given(
    st.fractions(-(10**9), 10**9, max_denominator=999), st.sampled_from([1, 25, 100, 500]),
    st.sampled_from(["round_down", "round_up"]),
)  # fmt: skip
def test_rounding_is_to_the_unit_and_by_less_than_one(exact: Fraction, unit: int, policy: UnpayablePolicy) -> None:
    net, breakage = pay(exact, unit, policy)
    assert net % unit == 0
    assert net + breakage == exact
    assert (0 <= breakage < unit) if policy == "round_down" else (-unit < breakage <= 0)


@given(st.integers(1, 10**9), st.integers(0, 500), st.sampled_from([1, 25, 100]))
def test_vigorish_never_passes_its_percentage(basis: int, points: int, unit: int) -> None:
    taken = vigorish(Fraction(basis), points, unit)
    assert taken % unit == 0
    assert taken * 10_000 <= basis * points < (taken + unit) * 10_000


@given(
    st.lists(st.fractions(0, 40, max_denominator=40), min_size=1, max_size=4),
    st.sampled_from([1, 100]),
    st.integers(1, 5000),
)
def test_the_payable_step_divides_exactly_the_payable_stakes(ratios: list[Fraction], unit: int, stake: int) -> None:
    step = payable_step(tuple(ratios), unit)
    payable = all((ratio * stake / unit).denominator == 1 for ratio in ratios)
    assert (stake % step == 0) is payable


@pytest.mark.parametrize("stake", [0, -1, 1.5, "5", None, True, 10**15 + 1, float("nan")])
def test_a_stake_that_cannot_be_one(stake: object) -> None:
    with pytest.raises(MoneyError, match="stake"):
        checked_stake(stake)
    assert checked_stake(1) == 1


@pytest.mark.parametrize(
    ("cents", "currency", "text"),
    [
        (0, "USD", "$0"),
        (123456, "USD", "$1,234.56"),
        (5, "USD", "$0.05"),
        (-1400, "SGD", "-S$14"),
        (100, "XYZ", "XYZ 1"),
    ],
)
def test_money_for_people(cents: int, currency: str, text: str) -> None:
    assert money(Cents(cents), currency) == text
