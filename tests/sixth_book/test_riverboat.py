"""A sixth book is a sixth file: other points, bars, payouts and limits, and not a line of code."""

from __future__ import annotations

import copy
import tomllib
from collections.abc import Mapping
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from edges import expectation
from trueodds.dice import ROLLS, Roll
from trueodds.explain import bare_rules, contrasts, sheets_of
from trueodds.money import Cents
from trueodds.rulebook import BookError, House, HouseError, Spot, load_book, read_book
from trueodds.rulebook.library import load_book_file
from trueodds.table import Bet, Code, Dealer, NoRoll, Rolled, Table, Throw
from trueodds.wagers import Result, Rules, Wager

PATH = Path(__file__).parent / "riverboat.toml"
BOOK = load_book_file(PATH)


def table(options: dict[str, Any] | None = None) -> Table:
    return Table(House(BOOK, options or {}), ["A"])


def results(game: Table, dice: str) -> dict[str, str]:
    (event, *_) = game.roll(dice)
    assert isinstance(event, Rolled)
    return {one.tag: str(one.ruling.result) for one in event.settled}


def test_eleven_is_a_point() -> None:
    game = table()
    game.bet("A", "pass", 1000, tag="p")
    assert results(game, "5-6") == {"p": "no_action"}
    assert game.position.point == 11
    game.bet("A", "pass_odds", 2000, on="p", tag="o")
    (event, *_) = game.roll("6-5")
    assert isinstance(event, Rolled)
    assert [one.ruling.net for one in event.settled] == [1000, 6000]


@pytest.mark.parametrize(("dice", "expected"), [("1-1", "win"), ("1-2", "push"), ("6-6", "win"), ("3-4", "lose")])
def test_three_is_barred(dice: str, expected: str) -> None:
    game = table()
    game.bet("A", "dont_pass", 1000, tag="d")
    assert results(game, dice) == {"d": expected}


def test_odds_stop_at_double_and_a_house_cannot_change_that() -> None:
    game = table()
    game.bet("A", "pass", 1000, tag="p")
    game.roll("2-2")
    refusal = game.verify(Bet("A", Spot("pass_odds"), Cents(2100), on="p"))
    assert refusal is not None
    assert refusal.code is Code.ODDS_LIMIT
    assert "Riverboat rule 2.4" in refusal.sentence
    with pytest.raises(HouseError, match=r"Riverboat rule 2\.4"):
        table({"odds_take": {"11": 3}})


def test_payouts_rounding_and_currency_are_its_own() -> None:
    game = table()
    game.roll("2-2")
    game.bet("A", "place:5", 700, tag="n")
    (event, *_) = game.roll("2-3")
    assert isinstance(event, Rolled)
    ruling = event.settled[0].ruling
    assert ruling.net == 1200
    assert ruling.breakage == -80
    assert ruling.sentence.startswith("Number 5 wins €12 on €7 at 8 to 5, rounded up by 80 cents: Riverboat rule 2.3")


def test_it_adopts_procedures_and_overrides_one() -> None:
    game = table()
    (event,) = game.do(Throw(Roll(3, 4), irregular="cocked_one_side"))
    assert isinstance(event, NoRoll)
    assert event.cite == ("Riverboat rule 5",)
    (event,) = game.do(Throw(Roll(3, 4), irregular="off_table"))
    assert isinstance(event, NoRoll)
    assert event.cite == ("A-02", "N.J.A.C. 19:47-1.9(a)")
    assert "A-53" in BOOK.silences, "the silences that adopted rows rest on come along"


def test_its_facts_hold() -> None:
    dealer = Dealer(Rules(House(BOOK, plain_options=True)))
    for text in BOOK.wagers.values():
        if text.family == "odds":
            continue
        for spot in text.spots():
            stake = Cents(396_000)
            edge = (expectation(dealer, Wager(spot, stake), 0) - stake) / stake
            stated = text.facts["edge"]
            assert edge == Fraction(stated[spot.selection] if isinstance(stated, Mapping) else stated), spot
    ways = [dealer.settle(Wager(Spot("place", (11,)), Cents(100)), 4, roll)[0].result for roll in ROLLS]
    assert (ways.count(Result.WIN), ways.count(Result.LOSE)) == BOOK.wagers["place"].facts["ways"]["11"]


def test_it_can_be_explained_and_compared() -> None:
    rules = bare_rules(BOOK)
    told = {sheet.kind: {one.topic: one.text for one in sheet.statements} for sheet in sheets_of(rules)}
    assert told["dont_pass"]["barred"] == "3 on the come-out: void, the stake goes back."
    assert any(one.wager == "pass" and one.topic == "wins" for one in contrasts(rules, bare_rules(load_book("rws"))))


def test_its_totals_must_be_shared_out() -> None:
    raw = tomllib.loads(PATH.read_text("utf-8"))
    broken = copy.deepcopy(raw)
    broken["game"]["points"] = [4, 5, 6, 8, 9, 10]
    with pytest.raises(BookError, match="must share out the totals 2 to 12"):
        Rules(House(read_book(broken, load_book), {"odds_take": {}}))
