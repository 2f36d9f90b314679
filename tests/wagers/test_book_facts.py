"""Every wager on every number of every book agrees with the facts that the book states."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

import pytest

from support.expected_cash import expected_cash
from support.houses import BOOKS, book_default_dealer
from support.published_edges import KNOWN_EDGES, matches_printed
from trueodds.dice import ROLLS
from trueodds.money import Cents
from trueodds.rulebook import House, Spot, load_book
from trueodds.table import Dealer
from trueodds.wagers import BonusRule, FireRule, LineRule, Result, TableRules, Wager, WagerRule

# These tests call the engine so often that measuring coverage would take minutes and add nothing.
pytestmark = pytest.mark.no_cover

STAKE = Cents(2_772_000)  # divisible by every denominator of every pay table and every unit
SIDE_STAKE = Cents(100)


def spots(family: tuple[str, ...] | None = None) -> list[Any]:
    return [
        pytest.param(book, spot, id=f"{book}-{spot}")
        for book in BOOKS
        for text in load_book(book).wagers.values()
        if text.family != "odds" and (family is None or text.family in family)
        for spot in text.spots()
    ]


def fact(rule: WagerRule, name: str) -> Any:
    """Return a fact about a spot. It may be stated for all spots, by selection, or for hard and easy hops."""
    value = rule.definition.facts[name]
    if not isinstance(value, Mapping):
        return value
    hard = "hard" if len(set(rule.spot.pick)) == 1 else "easy"
    return value[rule.spot.selection] if rule.spot.selection in value else value[hard]


def stake_of(rule: WagerRule) -> Cents:
    return SIDE_STAKE if isinstance(rule, FireRule | BonusRule) else STAKE


def made(rule: WagerRule) -> Wager:
    stake = stake_of(rule)
    return Wager(rule.spot, stake, vig=rule.upfront_vig(stake))


def edge(dealer: Dealer, rule: WagerRule) -> Fraction:
    wager = made(rule)
    phase = 6 if rule.window == "point" else 0
    put_up = wager.stake + wager.vig
    return (expected_cash(dealer, wager, phase) - put_up) / put_up


@pytest.mark.parametrize(("book", "spot"), spots())
def test_edges_are_as_stated(book: str, spot: Spot) -> None:
    dealer = book_default_dealer(book)
    rule = dealer.rules.wager_rules[spot]
    stated = rule.definition.facts["edge"]
    if isinstance(rule, FireRule):
        assert isinstance(stated, Mapping)
        for table, value in stated.items():
            house = House(load_book(book), {"fire_table": table}, book_defaults=True)
            fire = Dealer(TableRules(house))
            assert matches_printed(edge(fire, fire.rules.wager_rules[spot]), value), table
    else:
        assert matches_printed(edge(dealer, rule), fact(rule, "edge")), edge(dealer, rule)


@pytest.mark.parametrize(("book", "spot"), spots(("number", "hardway", "one_roll", "combination")))
def test_numbers_of_winning_and_losing_rolls_are_as_stated(book: str, spot: Spot) -> None:
    dealer = book_default_dealer(book)
    rule = dealer.rules.wager_rules[spot]
    point = 4 if spot.pick != (4,) else 5
    results = [dealer.settle(made(rule), point, roll)[0].result for roll in ROLLS]
    assert (results.count(Result.WIN), results.count(Result.LOSE)) == fact(rule, "ways")


@pytest.mark.parametrize(("book", "spot"), spots(("line",)))
def test_line_bets_on_the_first_roll_and_on_every_number(book: str, spot: Spot) -> None:
    dealer = book_default_dealer(book)
    rule = dealer.rules.wager_rules[spot]
    assert isinstance(rule, LineRule)
    phase = 6 if rule.travels else 0
    first = [dealer.settle(made(rule), phase, roll)[0].result for roll in ROLLS]
    assert {"win": first.count(Result.WIN), "lose": first.count(Result.LOSE)} == rule.definition.facts["first"]
    ways = {4: 3, 5: 4, 6: 5, 8: 5, 9: 4, 10: 3}
    for number in dealer.rules.book.points:
        wager = Wager(Spot(spot.kind, (number,)) if rule.travels else spot, STAKE)
        then = [dealer.settle(wager, phase or number, roll)[0].result for roll in ROLLS]
        for_number = ways[number], 6
        against = 6, ways[number]
        expected = for_number if rule.wins_on_number else against
        assert (then.count(Result.WIN), then.count(Result.LOSE)) == expected, number
        assert then.count(Result.NO_ACTION) == 36 - sum(expected)


@pytest.mark.parametrize(("book", "spot"), spots())
def test_a_win_pays_the_pay_table_and_cites_it(book: str, spot: Spot) -> None:
    dealer = book_default_dealer(book)
    rule = dealer.rules.wager_rules[spot]
    pays = dealer.rules.book.pay_table.values()
    for roll in ROLLS:
        ruling = dealer.settle(made(rule), 4 if spot.pick != (4,) else 5, roll)[0]
        assert ruling.cite, roll
        if ruling.result is not Result.WIN or isinstance(rule, FireRule | BonusRule):
            continue
        if ruling.odds is not None:
            assert any(row.odds == ruling.odds for row in pays)
            assert ruling.net_cents == ruling.odds.winnings(ruling.stake_cents)
        else:
            lost = sum(part.fraction for part in ruling.shares if part.odds is None)
            won = sum(part.fraction * part.odds.ratio for part in ruling.shares if part.odds)
            assert ruling.net_cents == (won - lost) * ruling.stake_cents


@pytest.mark.parametrize(("book", "spot"), KNOWN_EDGES, ids=lambda value: value)
def test_published_edges(book: str, spot: str) -> None:
    dealer = book_default_dealer(book)
    rule = dealer.rules.wager_rules[Spot.parse(spot)]
    assert matches_printed(edge(dealer, rule), KNOWN_EDGES[book, spot]), edge(dealer, rule)


@pytest.mark.parametrize(
    ("book", "options", "spot", "stated"),
    [
        ("new_jersey", {"vig_timing": {"buy": "on_win"}}, "buy:4", "-1/60"),
        ("new_jersey", {"vig_timing": {"buy": "on_win"}}, "buy:5", "-1/50"),
        ("maryland", {"vig_timing": {"buy": "on_win"}}, "buy:8", "-1/44"),
        ("maryland", {"fire_ends_on": "any_7"}, "fire", "-0.7659"),
        ("maryland", {"fire_table": "B"}, "fire", "-0.2389"),
    ],
)
def test_published_edges_under_other_houses(book: str, options: dict[str, Any], spot: str, stated: str) -> None:
    dealer = Dealer(TableRules(House(load_book(book), options, book_defaults=True)))
    assert matches_printed(edge(dealer, dealer.rules.wager_rules[Spot.parse(spot)]), stated)


def test_edges_of_the_rejected_readings() -> None:
    """A-01: hard eight at 7 to 1 costs 3/11. A-02: 7 to 1 on both halves of C&E would pay the player 1/3."""
    for book, pays, spot, stated in (
        ("new_jersey", {"hard8": "7 to 1"}, "hard:8", "-3/11"),
        ("rws", {"rws_ce_craps": "7 to 1"}, "ce", "1/3"),
    ):
        house = House(load_book(book), {"paytable": pays}, book_defaults=True, unchecked=True)
        dealer = Dealer(TableRules(house))
        assert matches_printed(edge(dealer, dealer.rules.wager_rules[Spot.parse(spot)]), stated)
