"""Money: odds, rounding, dollars and stakes."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trueodds.errors import TrueoddsError
from trueodds.money import (
    MAX_STAKE_CENTS,
    Cents,
    Dollars,
    MoneyError,
    Odds,
    OddsWordingError,
    UnpayablePolicy,
    format_money,
    parse_dollars,
    payable_step,
    round_payment,
    validate_stake,
    vigorish,
)


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
    with pytest.raises(OddsWordingError, match='not "for"'):
        Odds.parse("31 for 1")


@given(
    st.fractions(-(10**9), 10**9, max_denominator=999), st.sampled_from([1, 25, 100, 500]),
    st.sampled_from(["round_down", "round_up"]),
)  # fmt: skip
def test_rounding_is_to_the_unit_and_by_less_than_one(exact: Fraction, unit: int, policy: UnpayablePolicy) -> None:
    net, breakage = round_payment(exact, unit, policy)
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
        validate_stake(stake)
    assert validate_stake(1) == 1


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
    assert format_money(Cents(cents), currency) == text


@pytest.mark.parametrize(
    ("amount", "cents"),
    [
        (12, 1200), ("12", 1200), ("12.5", 1250), ("12.50", 1250), ("$12.50", 1250), ("$1,200", 120_000),
        ("S$25", 2500), (" 7 ", 700), (Decimal("12.50"), 1250), (Decimal("1E+2"), 10_000), (Decimal("0.01"), 1),
    ],
)  # fmt: skip
def test_dollars(amount: Dollars, cents: int) -> None:
    assert parse_dollars(amount) == cents


@pytest.mark.parametrize(
    ("amount", "message"),
    [
        (12.5, "got the float 12.5"), (True, "got the bool True"), (None, "got the NoneType None"),
        (0, "stake must be positive, got 0"), (-5, "stake must be positive, got -5"), ("-5", "must be positive"),
        ("0.00", "must be positive"), ("ten", "written like 12 or 12.50, got 'ten'"), ("12.345", "written like"),
        ("1,20", "written like"), ("", "written like"), ("1e3", "written like"), ("\u0661\u0662", "written like"),
        (Decimal("0.001"), "whole number of cents"), (Decimal("NaN"), "whole number of cents"),
        (Decimal("1E+999999"), "whole number of cents"), (10**14, "must be at most"), ("9" * 18, "must be at most"),
    ],
)  # fmt: skip
def test_dollars_that_are_refused(amount: Dollars, message: str) -> None:
    with pytest.raises(MoneyError, match=message) as caught:
        parse_dollars(amount, "stake")
    assert isinstance(caught.value, TrueoddsError)


@given(st.integers(1, MAX_STAKE_CENTS))
def test_formatted_money_parses_back(cents: int) -> None:
    assert parse_dollars(format_money(cents)) == parse_dollars(Decimal(cents) / 100) == cents


def test_zero_dollars_only_where_allowed() -> None:
    assert parse_dollars(0, allow_zero=True) == 0
    with pytest.raises(MoneyError, match="must not be negative"):
        parse_dollars(-1, allow_zero=True)
