"""`odds`: wagers by name, stakes, and what the house refuses."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction
from typing import Any

import pytest

from trueodds.craps_table import Table
from trueodds.money import Cents, MoneyError
from trueodds.rulebook import BookError, House, Spot, UnknownWagerError, load_book
from trueodds.table import Refused
from trueodds.wager_odds import iter_odds, odds, wager_odds

# Line coverage of the engine calls made here would take minutes and add nothing.
pytestmark = pytest.mark.no_cover


def test_a_wager_is_found_by_any_of_its_names() -> None:
    (seven,) = odds("new_jersey", "Big Red")
    assert seven.spot == Spot("any7")
    assert [str(each.spot) for each in odds("NJ", "hard")] == ["hard:4", "hard:6", "hard:8", "hard:10"]
    assert odds("NJ", Spot("place", (6,))) == odds(House(load_book("new_jersey")), "place:6")


@pytest.mark.parametrize("name", ["plaec", "plaec:6", Spot("plaec", (6,))], ids=str)
def test_a_misspelled_wager_suggests_the_nearest_name(name: Spot | str) -> None:
    with pytest.raises(UnknownWagerError, match="did you mean 'place'"):
        odds("new_jersey", name)


@pytest.mark.parametrize("name", ["place:7", "pass:6"])
def test_a_wager_that_is_not_offered(name: str) -> None:
    with pytest.raises(BookError, match=f"offers no wager called {name}$"):
        odds("new_jersey", name)
    with pytest.raises(BookError, match=r"offers no wager called field with odds$"):
        odds("new_jersey", "field", full_odds=True)


def test_the_stake_is_in_dollars() -> None:
    for stake in (10, "10", "$10.00", Decimal(10)):
        (found,) = odds("maryland", "place:6", stake=stake)
        assert found.stake_cents == 1000


@pytest.mark.parametrize("stake", [10.0, True, 0, -5, "ten"])
def test_an_invalid_stake(stake: Any) -> None:
    with pytest.raises(MoneyError, match="stake"):
        odds("maryland", "place:6", stake=stake)


@pytest.mark.parametrize(
    ("spot", "stake", "message"),
    [
        ("place:6", 13, "Place 6 for $13 cannot be paid in full; multiples of $6 can"),
        ("fire", 13, "Fire for $13 is above"),
        ("horn", 5, "Horn for $5 cannot be paid in full; multiples of $4 can"),
        ("pass", 5, "Pass for $5 is below"),
        ("come", 5, "Come for $5 is below"),
        ("place:4", "12.50", "is not a multiple of the $1 chip"),
        ("dont_pass_odds", 7, "cannot be paid in full"),
    ],
)
def test_a_stake_that_the_table_refuses(spot: str, stake: int | str, message: str) -> None:
    with pytest.raises(Refused) as refused:
        odds("new_jersey", spot, stake=stake)
    assert message in str(refused.value)
    assert refused.value.refusal.cite


def test_the_refusal_is_the_one_of_a_table() -> None:
    table = Table("new_jersey", ["Ann"])
    with pytest.raises(Refused) as at_the_table:
        table.bet("Ann", "place:6", 13)
    with pytest.raises(Refused) as refused:
        odds("new_jersey", "place:6", stake=13)
    assert refused.value.refusal == at_the_table.value.refusal


def test_wagers_that_do_not_take_a_stake_are_left_out() -> None:
    assert [str(each.spot) for each in odds("new_jersey", "place", stake=10)] == [
        "place:4", "place:5", "place:9", "place:10",
    ]  # fmt: skip
    assert len(odds("new_jersey", stake=10)) < len(odds("new_jersey"))
    results = list(iter_odds(House("new_jersey"), "place", Cents(1000)))
    assert [str(each)[:15] for each in results if isinstance(each, Refused)] == ["Place 6 for $10", "Place 8 for $10"]


@pytest.mark.parametrize("stake", [0, -100])
def test_wager_odds_needs_a_positive_stake(stake: int) -> None:
    with pytest.raises(MoneyError, match="stake must be positive"):
        wager_odds(House("maryland"), Spot("pass"), stake)


@pytest.mark.parametrize("stake", ["12.345", Decimal("0.001")])
def test_a_stake_is_a_whole_number_of_cents(stake: str | Decimal) -> None:
    with pytest.raises(MoneyError, match="stake must be"):
        odds("maryland", "pass", stake=stake)


def test_a_bet_that_the_dealer_splits() -> None:
    (whirl,) = odds("new_jersey", "whirl")
    (horn,), (seven,) = odds("new_jersey", "horn", stake=4), odds("new_jersey", "any7", stake=1)
    assert whirl.mean_cents == horn.mean_cents + seven.mean_cents
    assert whirl.win_chance == horn.win_chance + seven.win_chance
    assert Spot("whirl") not in {each.spot for each in odds("new_jersey")}


def test_odds_bets_by_point() -> None:
    found = odds("new_jersey", "pass_odds")
    assert [each.name for each in found] == [f"Pass Odds {number}" for number in (4, 5, 6, 8, 9, 10)]
    assert {each.edge for each in found} == {Fraction(0)}
    assert [each.stake_cents for each in odds("new_jersey", "pass_odds", stake=30)] == [3000] * 6
    assert odds("new_jersey", "pass_odds:6") == found[2:3]
    for missing in ("pass_odds:7", "pass_odds:2"):
        with pytest.raises(BookError, match=f"offers no wager called {missing}"):
            odds("new_jersey", missing)
    with pytest.raises(BookError, match="South Dakota, default house offers no wager called pass_odds"):
        odds("south_dakota", "pass_odds")
