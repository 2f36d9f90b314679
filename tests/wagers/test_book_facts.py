"""Every wager on every number of every book against the redundant facts its row carries."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

import pytest

from edges import expectation
from houses import BOOKS, plain_dealer
from rulebook_facts import SECTION_8, matches
from trueodds.dice import ROLLS
from trueodds.money import Cents
from trueodds.rulebook import House, Spot, load_book
from trueodds.table import Dealer
from trueodds.wagers import BonusRule, FireRule, LineRule, Result, Rule, Rules, Wager

# The engine is asked so often here that tracing it line by line would take minutes and cover nothing new.
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


def fact(rule: Rule, name: str) -> Any:
    """A fact about a spot: the same for all, by selection, or by whether a hop is a pair."""
    value = rule.text.facts[name]
    if not isinstance(value, Mapping):
        return value
    hard = "hard" if len(set(rule.spot.pick)) == 1 else "easy"
    return value[rule.spot.selection] if rule.spot.selection in value else value[hard]


def stake_of(rule: Rule) -> Cents:
    return SIDE_STAKE if isinstance(rule, FireRule | BonusRule) else STAKE


def made(rule: Rule) -> Wager:
    stake = stake_of(rule)
    return Wager(rule.spot, stake, vig=rule.upfront_vig(stake))


def edge(dealer: Dealer, rule: Rule) -> Fraction:
    wager = made(rule)
    phase = 6 if rule.window == "point" else 0
    put_up = wager.stake + wager.vig
    return (expectation(dealer, wager, phase) - put_up) / put_up


@pytest.mark.parametrize(("book", "spot"), spots())
def test_edge_is_the_stated_one(book: str, spot: Spot) -> None:
    dealer = plain_dealer(book)
    rule = dealer.rules.spots[spot]
    stated = rule.text.facts["edge"]
    if isinstance(rule, FireRule):
        for table, value in stated.items():
            house = House(load_book(book), {"fire_table": table}, plain_options=True)
            fire = Dealer(Rules(house))
            assert matches(edge(fire, fire.rules.spots[spot]), value), table
    else:
        assert matches(edge(dealer, rule), fact(rule, "edge")), edge(dealer, rule)


@pytest.mark.parametrize(("book", "spot"), spots(("number", "hardway", "one_roll", "parts")))
def test_winning_and_losing_throws_are_as_many_as_stated(book: str, spot: Spot) -> None:
    dealer = plain_dealer(book)
    rule = dealer.rules.spots[spot]
    point = 4 if spot.pick != (4,) else 5
    results = [dealer.settle(made(rule), point, roll)[0].result for roll in ROLLS]
    assert (results.count(Result.WIN), results.count(Result.LOSE)) == fact(rule, "ways")


@pytest.mark.parametrize(("book", "spot"), spots(("line",)))
def test_line_bets_first_throw_and_then_every_number(book: str, spot: Spot) -> None:
    dealer = plain_dealer(book)
    rule = dealer.rules.spots[spot]
    assert isinstance(rule, LineRule)
    phase = 6 if rule.travels else 0
    first = [dealer.settle(made(rule), phase, roll)[0].result for roll in ROLLS]
    assert {"win": first.count(Result.WIN), "lose": first.count(Result.LOSE)} == rule.text.facts["first"]
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
def test_a_win_pays_the_schedule_and_cites_it(book: str, spot: Spot) -> None:
    dealer = plain_dealer(book)
    rule = dealer.rules.spots[spot]
    pays = dealer.rules.book.pays.values()
    for roll in ROLLS:
        ruling = dealer.settle(made(rule), 4 if spot.pick != (4,) else 5, roll)[0]
        assert ruling.cite, roll
        if ruling.result is not Result.WIN or isinstance(rule, FireRule | BonusRule):
            continue
        if ruling.odds is not None:
            assert any(row.odds == ruling.odds for row in pays)
            assert ruling.net == ruling.odds.winnings(ruling.stake)
        else:
            lost = sum(part.share for part in ruling.parts if part.odds is None)
            won = sum(part.share * part.odds.ratio for part in ruling.parts if part.odds)
            assert ruling.net == (won - lost) * ruling.stake


@pytest.mark.parametrize(("book", "spot"), SECTION_8, ids=lambda value: value)
def test_edges_of_section_8(book: str, spot: str) -> None:
    dealer = plain_dealer(book)
    rule = dealer.rules.spots[Spot.parse(spot)]
    assert matches(edge(dealer, rule), SECTION_8[book, spot]), edge(dealer, rule)


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
def test_edges_of_section_8_under_other_houses(book: str, options: dict[str, Any], spot: str, stated: str) -> None:
    dealer = Dealer(Rules(House(load_book(book), options, plain_options=True)))
    assert matches(edge(dealer, dealer.rules.spots[Spot.parse(spot)]), stated)


def test_the_readings_we_did_not_take_are_as_bad_as_section_7_says() -> None:
    """A-01: hard eight at 7 to 1 costs 3/11. A-02: 7 to 1 on both halves of C&E would pay the player 1/3."""
    for book, pays, spot, stated in (
        ("new_jersey", {"hard8": "7 to 1"}, "hard:8", "-3/11"),
        ("rws", {"rws_ce_craps": "7 to 1"}, "ce", "1/3"),
    ):
        house = House(load_book(book), {"paytable": pays}, plain_options=True, as_given=True)
        dealer = Dealer(Rules(house))
        assert matches(edge(dealer, dealer.rules.spots[Spot.parse(spot)]), stated)
