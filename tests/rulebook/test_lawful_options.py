"""Every value of every option: the clause or silence that allows it, or the clause that forbids it."""

from __future__ import annotations

from typing import Any

import pytest

from trueodds.rulebook import (
    OPTION_SPECS,
    Book,
    House,
    HouseError,
    book_ids,
    load_book,
    plain_value,
)
from trueodds.rulebook.option_keys import wagers_allowed_in
from trueodds.rulebook.value_types import BooleanType, ChoiceType, MapType, WagerListType

FREE_OPTIONS = {
    "paytable",  # its rows have constraints of their own
    "odds_take", "odds_lay",  # whole multiples, with bounds
}  # fmt: skip


def words_of(book: Book, name: str) -> tuple[Any, ...]:
    """Return every value that the type of an option with few values admits; for a map, of one of its entries."""
    value_type = OPTION_SPECS[name].value_type
    item = value_type.item if isinstance(value_type, MapType) else value_type
    if isinstance(item, BooleanType):
        return (True, False)
    if isinstance(item, ChoiceType):
        return item.words
    if name == "game":
        return tuple(book.games)
    return ("A", "B", "C") if name == "fire_table" else ()


def key_of(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def refusal(book: Book, changes: dict[str, Any]) -> HouseError | None:
    try:
        House(book, changes)
    except HouseError as error:
        return error
    return None


CHOICES = [
    (book, name, value)
    for book in book_ids()
    for name in load_book(book).options
    if name not in FREE_OPTIONS
    for value in words_of(load_book(book), name)
]


@pytest.mark.parametrize(("book_id", "name", "value"), CHOICES)
def test_each_value_has_a_clause_that_allows_or_forbids_it(book_id: str, name: str, value: Any) -> None:
    book = load_book(book_id)
    option = book.options[name]
    is_map = isinstance(OPTION_SPECS[name].value_type, MapType)
    default = plain_value(option.default)
    defaults = set(map(key_of, default.values())) if isinstance(default, dict) else {key_of(default)}
    changes = dict.fromkeys(default, value) if isinstance(default, dict) else value
    needed = {other: wanted for bound in option.bounds for other, wanted in bound.unless.items()}
    error = refusal(book, {name: changes, **needed})
    assert is_map == isinstance(default, dict)
    if error is not None:
        assert error.cite, "a forbidden value names its clause"
        assert key_of(value) not in option.allows
    else:
        assert key_of(value) in option.allows or key_of(value) in defaults, "no clause or silence allows this value"
    assert option.cite


LISTS = [
    (book, name, wager)
    for book in book_ids()
    for name in load_book(book).options
    if isinstance(OPTION_SPECS[name].value_type, WagerListType)
    for wager in wagers_allowed_in(load_book(book), name)
]


@pytest.mark.parametrize(("book_id", "name", "wager"), LISTS)
def test_each_wager_of_a_list_is_required_excluded_or_left_open(book_id: str, name: str, wager: str) -> None:
    book = load_book(book_id)
    option = book.options[name]
    assert isinstance(option.default, tuple)
    with_it = [*(kind for kind in option.default if kind != wager), wager]
    without_it = [kind for kind in option.default if kind != wager]
    may_be_listed, may_be_left_out = (refusal(book, {name: value}) is None for value in (with_it, without_it))
    assert may_be_listed or may_be_left_out
    assert (wager in option.allows) == (may_be_listed and may_be_left_out)


BOUNDED = [(book, name) for book in book_ids() for name, option in load_book(book).options.items() if option.bounds]


@pytest.mark.parametrize(("book_id", "name"), BOUNDED)
def test_the_default_of_an_option_is_within_its_bounds(book_id: str, name: str) -> None:
    book = load_book(book_id)
    assert refusal(book, {name: plain_value(book.options[name].default)}) is None


FORBIDDEN: list[tuple[str, dict[str, Any], str, str]] = [
    ("nj", {"unpayable": "round_down"}, "unlawful", "1.4(f)"),
    ("nj", {"unpayable": "round_up"}, "unlawful", "1.4(f)"),
    ("nj", {"comeout_off": ["place", "buy", "come_odds", "hard", "lay"]}, "unlawful", "1.3(e)"),
    ("nj", {"comeout_off": ["place", "buy", "come_odds", "hard", "dont_come_odds"]}, "unlawful", "1.3(e)"),
    ("nj", {"horn_high_unit_rule": False}, "unlawful", "1.2(a)20"),
    ("nj", {"whirl_unit_rule": False}, "unlawful", "1.2(a)21"),
    ("nj", {"shooter_line_required": False}, "unlawful", "1.8"),
    ("nj", {"shooter_line_required": False, "game": "mini_craps"}, "unlawful", "1.8"),
    ("nj", {"place_lose_offered": False, "lay_offered": False}, "unlawful", "1.5(b)"),
    ("md", {"comeout_off": ["place", "place_lose", "hard", "buy", "lay"]}, "unlawful", ".03A(42)(a)"),
    ("md", {"bonus_removal": "allow"}, "unlawful", ".12B(2)"),
    ("md", {"horn_high_unit_rule": False}, "unlawful", ".03A(20)(a)"),
    ("sd", {"horn_high_unit_rule": False}, "unlawful", "(19)"),
    ("rws", {"horn_high_unit_rule": False}, "unlawful", "App.D 15"),
    ("rws", {"horn_unit_rule": False}, "unlawful", "App.D 14"),
    ("rws", {"shooter_line_required": False}, "unlawful", "3.6"),
    ("rws", {"contract_from": "point"}, "unlawful", "Contract Wager"),
    ("rws", {"contract_increase": False}, "unlawful", "Contract Wager"),
    ("rws", {"dont_bar_result": "returned"}, "unlawful", "App.D 3(c)(i)"),
    ("rws", {"call_scope": "phase"}, "unlawful", "Marker Buttons"),
    ("rws", {"buy_offered": False}, "unlawful", "3.3"),
    ("rws", {"free_vig": "allow"}, "unlawful", "App.D 10"),
    ("rws", {"odds_offered": ["pass_odds", "come_odds", "dont_pass_odds"]}, "below_guaranteed_odds", "App.D 8"),
    ("rws", {"odds_take": {"4": 2}}, "below_guaranteed_odds", "App.D 2"),
    ("rws", {"odds_take": {"4": 4}}, "odds_limit", "App.D 2"),
    ("rws", {"odds_lay": {"6": 1}}, "below_guaranteed_odds", "App.D 4"),
    ("win", {"odds_take": {"4": 1}}, "below_guaranteed_odds", "6.1.5.1"),
    ("win", {"odds_take": {"4": 3}}, "odds_limit", "6.1.5.1"),
    ("win", {"odds_offered": []}, "below_guaranteed_odds", "6.1.5"),
    ("win", {"dont_bar": 12}, "unlawful", "6.1.2.3"),
    ("sd", {"dont_bar": 2}, "unlawful", "(2)(c)"),
    ("sd", {"odds_take": {"4": 0}}, "below_guaranteed_odds", "(40)"),
]


@pytest.mark.parametrize(("book", "changes", "code", "clause"), FORBIDDEN)
def test_a_house_that_the_text_forbids_does_not_load(
    book: str, changes: dict[str, Any], code: str, clause: str
) -> None:
    error = refusal(load_book(book), changes)
    assert error is not None
    assert error.code == code
    assert any(clause in reference for reference in error.cite)


ALLOWED: list[tuple[str, dict[str, Any]]] = [
    ("nj", {"comeout_off": ["place", "buy", "come_odds", "hard", "place_lose"]}),
    ("nj", {"shooter_line_required": False, "game": "automated_craps"}),
    ("nj", {"place_lose_offered": False}),
    ("nj", {"paytable": {"hard8": "7 to 1"}}),
    ("nj", {"paytable": {"hard8": "10 to 1"}}),
    ("rws", {"paytable": {"rws_ce_craps": "7 to 1"}}),
    ("md", {"fire_ends_on": "any_7"}),
    ("nj", {"free_vig": "allow"}),
    ("rws", {"after_win": "up"}),
    ("sd", {"shooter_line_required": False}),
    ("win", {"contract_increase": True}),
]


@pytest.mark.parametrize(("book", "changes"), ALLOWED)
def test_a_house_that_the_text_leaves_open_loads(book: str, changes: dict[str, Any]) -> None:
    assert refusal(load_book(book), changes) is None


@pytest.mark.parametrize(
    ("book", "row", "odds", "code"),
    [("rws", "rws_ce_yo", "6 to 1", "fixed_odds"), ("nj", "hard6", "8 to 1", "below_minimum_odds")],
)
def test_a_printed_payout_still_binds_the_house(book: str, row: str, odds: str, code: str) -> None:
    error = refusal(load_book(book), {"paytable": {row: odds}})
    assert error is not None
    assert error.code == code


@pytest.mark.parametrize("book", book_ids())
def test_every_book_leaves_the_maximum_of_odds_and_the_replacement_of_dont_bets_to_the_house(book: str) -> None:
    options = load_book(book).options
    for name, silence in (("odds_max_bet", "A-59"), ("dont_replace", "A-52")):
        assert silence in options[name].cite
        assert options[name].bounds == ()
        assert name in load_book(book).silences[silence].options
    assert plain_value(options["odds_max_bet"].default) == "none"
    assert options["dont_replace"].default == "free"
    assert refusal(load_book(book), {"odds_max_bet": 100, "dont_replace": "strict"}) is None
