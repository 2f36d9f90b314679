"""A custom book with other points, bars, payouts and limits needs one file and no code."""

from __future__ import annotations

import copy
import tomllib
from collections.abc import Mapping
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from support.expected_cash import expected_cash
from trueodds.craps_table import Table
from trueodds.dice import ROLLS, Roll
from trueodds.explain import compare_books, explain_wagers, rules_as_written
from trueodds.money import Cents
from trueodds.rulebook import BookError, House, HouseError, Spot, load_book, parse_book
from trueodds.rulebook.book_files import load_book_file
from trueodds.table import Bet, Dealer, NoRoll, RefusalCode, RollDice, Rolled
from trueodds.wagers import Result, TableRules, Wager

PATH = Path(__file__).parent / "riverboat.toml"
BOOK = load_book_file(PATH)


def table(options: dict[str, Any] | None = None) -> Table:
    return Table(House(BOOK, options or {}), ["A"])


def results(game: Table, dice: str) -> dict[str, str]:
    (event, *_) = game.roll(dice)
    assert isinstance(event, Rolled)
    return {one.tag: str(one.settlement.result) for one in event.settled}


def test_eleven_is_a_point() -> None:
    game = table()
    game.bet("A", "pass", 10, tag="p")
    assert results(game, "5-6") == {"p": "no_action"}
    assert game.position.point == 11
    game.bet("A", "pass_odds", 20, base_tag="p", tag="o")
    (event, *_) = game.roll("6-5")
    assert isinstance(event, Rolled)
    assert [one.settlement.net_cents for one in event.settled] == [1000, 6000]


@pytest.mark.parametrize(("dice", "expected"), [("1-1", "win"), ("1-2", "push"), ("6-6", "win"), ("3-4", "lose")])
def test_three_is_barred(dice: str, expected: str) -> None:
    game = table()
    game.bet("A", "dont_pass", 10, tag="d")
    assert results(game, dice) == {"d": expected}


def test_odds_are_limited_to_double_and_a_house_cannot_change_that() -> None:
    game = table()
    game.bet("A", "pass", 10, tag="p")
    game.roll("2-2")
    refusal = game.verify(Bet("A", Spot("pass_odds"), Cents(2100), base_tag="p"))
    assert refusal is not None
    assert refusal.code is RefusalCode.ODDS_LIMIT
    assert "Riverboat rule 2.4" in refusal.sentence
    with pytest.raises(HouseError, match=r"Riverboat rule 2\.4"):
        table({"odds_take": {"11": 3}})


def test_payouts_rounding_and_currency_are_its_own() -> None:
    game = table()
    game.roll("2-2")
    game.bet("A", "place:5", 7, tag="n")
    (event, *_) = game.roll("2-3")
    assert isinstance(event, Rolled)
    ruling = event.settled[0].settlement
    assert ruling.net_cents == 1200
    assert ruling.breakage_cents == -80
    assert ruling.sentence.startswith("Number 5 wins €12 on €7 at 8 to 5, rounded up by 80 cents: Riverboat rule 2.3")


def test_it_adopts_procedures_and_overrides_one() -> None:
    game = table()
    (event,) = game.do(RollDice(Roll(3, 4), irregularity="cocked_one_side"))
    assert isinstance(event, NoRoll)
    assert event.cite == ("Riverboat rule 5",)
    (event,) = game.do(RollDice(Roll(3, 4), irregularity="off_table"))
    assert isinstance(event, NoRoll)
    assert event.cite == ("A-02", "N.J.A.C. 19:47-1.9(a)")
    assert "A-53" in BOOK.silences, "the silences that adopted rows rest on come along"


def test_its_facts_hold() -> None:
    dealer = Dealer(TableRules(House(BOOK, book_defaults=True)))
    for text in BOOK.wagers.values():
        if text.family == "odds":
            continue
        for spot in text.spots():
            stake = Cents(396_000)
            edge = (expected_cash(dealer, Wager(spot, stake), 0) - stake) / stake
            stated = text.facts["edge"]
            assert edge == Fraction(str(stated[spot.selection] if isinstance(stated, Mapping) else stated)), spot
    ways = [dealer.settle(Wager(Spot("place", (11,)), Cents(100)), 4, roll)[0].result for roll in ROLLS]
    stated_ways = BOOK.wagers["place"].facts["ways"]
    assert isinstance(stated_ways, Mapping)
    assert (ways.count(Result.WIN), ways.count(Result.LOSE)) == stated_ways["11"]


def test_it_can_be_explained_and_compared() -> None:
    rules = rules_as_written(BOOK)
    texts = {sheet.kind: {one.topic: one.text for one in sheet.statements} for sheet in explain_wagers(rules)}
    assert texts["dont_pass"]["barred"] == "3 on the come-out: void, the stake is returned."
    assert any(
        one.wager == "pass" and one.topic == "wins" for one in compare_books(rules, rules_as_written(load_book("rws")))
    )


def test_line_bets_must_cover_every_total() -> None:
    raw = tomllib.loads(PATH.read_text("utf-8"))
    broken = copy.deepcopy(raw)
    broken["game"]["points"] = [4, 5, 6, 8, 9, 10]
    with pytest.raises(BookError, match="must cover each total from 2 to 12"):
        TableRules(House(parse_book(broken, load_book), {"odds_take": {}}))
