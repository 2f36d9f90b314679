"""Houses: options that a book allows, and errors with the clause for those it forbids."""

from __future__ import annotations

import pickle
from pathlib import Path
from typing import Any

import pytest

from support.houses import BOOKS
from trueodds.rulebook import House, HouseError, load_book, load_house, plain_value


@pytest.mark.parametrize(
    ("book", "changes", "code", "clause"),
    [
        ("maryland", {"vig_bp": 600}, "vig_above_5pct", ".05G(3)"),
        ("new_jersey", {"vig_bp": 501}, "vig_above_5pct", "1.5(a)"),
        ("rws", {"vig_bp": 501}, "vig_above_5pct", "App.D"),
        ("rws", {"vig_bp": 400}, "unlawful", "App.D"),
        ("rws", {"vig_timing": {"buy": "on_win"}}, "unlawful", "Vigorish"),
        ("new_jersey", {"odds_take": {"4": 0}}, "below_guaranteed_odds", "1.6(a)"),
        ("new_jersey", {"odds_lay": {"9": 0}}, "below_guaranteed_odds", "1.6(b)"),
        ("new_jersey", {"odds_take": {"4": 101}}, "above_100x", "1.6(e)"),
        ("new_jersey", {"odds_lay": {"4": 101}}, "above_100x", "1.6(e)"),
        ("rws", {"odds_take": {"4": 4}}, "odds_limit", "App.D 2"),
        ("win_line", {"odds_take": {"4": 3}}, "odds_limit", "6.1.5.1"),
        ("new_jersey", {"paytable": {"any7": "3 to 1"}}, "below_minimum_odds", "1.4(b)"),
        ("new_jersey", {"paytable": {"fireA4": "23 to 1"}}, "below_minimum_odds", "1.4(e)"),
        ("new_jersey", {"paytable": {"take4": "5 to 2"}}, "fixed_odds", "1.5(a)"),
        ("new_jersey", {"paytable": {"lay4": "1 to 1"}}, "fixed_odds", "1.5(b)"),
        ("maryland", {"paytable": {"field12": "3 to 1"}}, "fixed_odds", ".05A"),
        ("rws", {"paytable": {"any7": "5 to 1"}}, "fixed_odds", "4.1"),
        ("new_jersey", {"paytable": {"craps2": "31 for 1"}}, "odds_wording", "1.4(a)"),
        ("new_jersey", {"paytable": {"craps2": "lots"}}, "bad_paytable", "1.4(b)"),
        ("new_jersey", {"paytable": {"craps99": "1 to 1"}}, "bad_paytable", "1.4(b)"),
        ("new_jersey", {"fire_table": "C"}, "bad_paytable", "1.4(e)"),
        ("maryland", {"fire_table": "C"}, "bad_paytable", ".05F"),
        ("new_jersey", {"dont_bar": 2}, "unlawful", "1.2(a)2.iii"),
        ("win_line", {"dont_bar": 12}, "unlawful", "6.1.2.3"),
        ("new_jersey", {"whirl_area": True}, "unlawful", "1.2(a)21"),
        ("new_jersey", {"fire_max": 2500}, "unlawful", "1.12(b)1"),
        ("new_jersey", {"odds_offered": []}, "below_guaranteed_odds", "1.6(a)"),
        ("new_jersey", {"comeout_off": ["place"]}, "unlawful", "1.3(e)"),
    ],
)
def test_a_forbidden_option_is_an_error(book: str, changes: dict[str, Any], code: str, clause: str) -> None:
    with pytest.raises(HouseError) as caught:
        House(load_book(book), changes)
    assert caught.value.code == code
    assert any(clause in part for part in caught.value.cite)
    assert clause in str(caught.value)
    again = pickle.loads(pickle.dumps(caught.value))  # noqa: S301  our own bytes
    assert str(again) == str(caught.value)


@pytest.mark.parametrize(
    ("book", "changes"),
    [
        ("new_jersey", {"odds_take": {"4": 100, "10": 1}}),
        ("new_jersey", {"paytable": {"field12": "3 to 1", "take4": "4 to 2", "fireA4": "25 to 1"}}),
        ("maryland", {"vig_bp": 400, "vig_timing": {"buy": "on_win"}}),
        ("maryland", {"paytable": {"field12": "2 to 1"}}),
        ("south_dakota", {"paytable": {"field12": "3 to 1", "big6": "7 to 6"}}),
        ("win_line", {"odds_offered": ["pass_odds", "dont_pass_odds", "come_odds", "dont_come_odds"]}),
        ("rws", {"comeout_off": ["place", "buy", "lay", "hard", "come_odds"]}),
        ("new_jersey", {"max_bet": "none", "game": "mini_craps"}),
    ],
)
def test_allowed_options_are_kept(book: str, changes: dict[str, Any]) -> None:
    house = House(load_book(book), changes)
    for name, value in changes.items():
        got = plain_value(house[name])
        assert {**got, **value} == got if isinstance(got, dict) else got == value


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"color": "green"}, "color: New Jersey has no such option"),
        ({"bonus_offered": True}, "bonus_offered: New Jersey has no such option"),
        ({"min_bet": -1}, "min_bet: expected a whole number of cents"),
        ({"min_bet": 12.5}, "min_bet: expected a whole number of cents"),
        ({"min_bet": True}, "min_bet: expected a whole number of cents"),
        ({"min_bet": 10**30}, "min_bet: expected a whole number of cents"),
        ({"min_bet": 600_000}, "min_bet: must be at most max_bet (500000), got 600000"),
        ({"max_bet": 0}, "max_bet: expected a whole number of cents, or"),
        ({"chip_unit": 0}, "chip_unit: expected a whole number of cents, at least 1"),
        ({"after_win": "sideways"}, "after_win: expected one of down, up"),
        ({"vig_refund": "yes"}, "vig_refund: expected true or false"),
        ({"game": "roulette"}, "game: New Jersey has the games craps"),
        ({"comeout_off": "place"}, "comeout_off: expected a list of wagers"),
        ({"comeout_off": ["place", "place"]}, "names each wager once"),
        ({"call_off": ["put"]}, "call_off: New Jersey has no wager 'put'"),
        ({"call_off": ["pass"]}, "call_off: Pass Bet is always working"),
        ({"odds_take": {"7": 3}}, "odds_take: expected a multiple for each of"),
        (
            {"odds_take": {"4": 1.5}},
            "odds_take: expected a map from number to multiple, each a whole multiple",
        ),
        ({"odds_take": 3}, "odds_take: expected a map"),
        ({"vig_timing": {"place": "on_win"}}, "vig_timing.place: expected one of buy, lay, buy4"),
        ({"vig_timing": {"buy7": "on_win"}}, "vig_timing.buy7: expected one of buy"),
        ({"vig_timing": {"buy": "later"}}, "vig_timing: expected a map like"),
        ({"paytable": {"any7": 4}}, "paytable: expected a map like"),
    ],
)
def test_a_malformed_option_is_an_error(changes: dict[str, Any], message: str) -> None:
    with pytest.raises(HouseError) as caught:
        House(load_book("new_jersey"), changes)
    assert message in str(caught.value)


def test_with_changes_merges_maps_and_returns_another_house() -> None:
    house = House(load_book("new_jersey"))
    other = house.with_changes({"odds_take": {"4": 10}, "max_bet": "none"})
    assert house["odds_take"] == {"4": 3, "5": 4, "6": 5, "8": 5, "9": 4, "10": 3}
    assert other["odds_take"] == {"4": 10, "5": 4, "6": 5, "8": 5, "9": 4, "10": 3}
    assert other["max_bet"] is None
    assert other.with_changes({})["max_bet"] is None
    assert house != other
    assert house == House(load_book("new_jersey"))
    assert hash(house) == hash(House(load_book("new_jersey")))
    with pytest.raises(AttributeError):
        house.name = "other"


def test_the_defaults_of_every_book_are_allowed() -> None:
    for book in BOOKS:
        House(load_book(book), book_defaults=True)


def test_unchecked_options_may_be_out_of_bounds_but_not_malformed() -> None:
    book = load_book("new_jersey")
    assert House(book, {"dont_bar": 2, "vig_bp": 900}, unchecked=True)["dont_bar"] == 2
    with pytest.raises(HouseError):
        House(book, {"dont_bar": "two"}, unchecked=True)
    with pytest.raises(HouseError):
        House(book, {"paytable": {"any7": "4 for 1"}}, unchecked=True)


def test_changes_of_an_unchecked_house_are_checked() -> None:
    house = House(load_book("new_jersey"), {"dont_bar": 2, "paytable": {"any7": "3 to 1"}}, unchecked=True)
    assert house.with_changes({"vig_bp": 400})["dont_bar"] == 2
    with pytest.raises(HouseError, match="vig_bp"):
        house.with_changes({"vig_bp": 600})
    assert house.with_changes({"vig_bp": 400}).with_changes({"min_bet": 5})["dont_bar"] == 2


def test_a_house_file(tmp_path: Path) -> None:
    path = tmp_path / "house.toml"
    path.write_text(
        'book = "new_jersey"\nname = "Boardwalk"\ncurrency = "EUR"\n'
        "[options]\nmin_bet = 1500\nodds_take = { 4 = 10, 10 = 10 }\n",
        "utf-8",
    )
    house = load_house(path)
    assert (house.name, house.currency, house["min_bet"]) == ("Boardwalk", "EUR", 1500)
    assert house["odds_take"] == {"4": 10, "5": 4, "6": 5, "8": 5, "9": 4, "10": 10}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("book", "not valid TOML"),
        ('name = "x"', "book: missing"),
        ("book = 3", "book: expected a string, got 3"),
        ('book = "atlantis"', "no such book"),
        ('book = "rws"\nextra = 1', "extra: unknown key"),
        ('book = "rws"\noptions = 1', "options: expected a table"),
    ],
)
def test_a_broken_house_file_is_an_error(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "house.toml"
    path.write_text(text, "utf-8")
    with pytest.raises(ValueError, match=message):
        load_house(path)
    with pytest.raises(HouseError, match="cannot read the file"):
        load_house(tmp_path / "none.toml")
