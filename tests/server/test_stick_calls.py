"""What the stick says of a throw, and the dice that are drawn on a felt."""

from __future__ import annotations

import pytest

from trueodds.dice import ROLLS, Roll
from trueodds.rulebook import House, Spot, book_ids, load_book
from trueodds.server.dice_icons import dice_icons
from trueodds.server.stick_calls import stick_call
from trueodds.table import Bet, Dealer, Join, Position, RollDice, Rolled
from trueodds.wagers import TableRules

NUMBERS = ("Two", "Three", "Four", "Five", "Six", "Seven", "Eight", "Nine", "Ten", "Eleven", "Twelve")


def roll_all(dealer: Dealer, *rolls: Roll) -> Rolled:
    position, _ = dealer.act(Position(), Join("Ann"))
    position, _ = dealer.act(position, Bet("Ann", Spot("pass"), 1000))  # type: ignore[arg-type]  # cents
    for roll in rolls:
        position, events = dealer.act(position, RollDice(roll, "Ann"))
    return next(event for event in events if isinstance(event, Rolled))


@pytest.mark.parametrize("book", book_ids())
def test_every_roll_is_called(book: str) -> None:
    dealer = Dealer(TableRules(House(load_book(book))))
    for first in ROLLS:
        rolled = roll_all(dealer, first)
        call = stick_call(rolled)
        assert call.startswith(NUMBERS[first.total - 2])
        assert ("mark the point" in call) == (rolled.puck_after == first.total)
        assert ("hard" in call) == (first.is_pair and first.total not in (2, 12))
        if not rolled.puck_after:
            continue
        for second in ROLLS:
            after = roll_all(dealer, first, second)
            called = stick_call(after)
            assert (called == "Seven out, line away") == after.seven_out == (second.total == 7)
            assert ("point made" in called) == (second.total == first.total)


@pytest.mark.parametrize("book", book_ids())
def test_the_dice_of_a_spot_are_those_it_names(book: str) -> None:
    dealer = Dealer(TableRules(House(load_book(book))))
    for spot in dealer.rules.wager_rules:
        drawn = dice_icons(dealer, spot)
        if spot.kind == "hard":
            assert [roll.total for roll in drawn.wins] == [int(spot.selection)]
            assert drawn.wins[0].is_pair
        if spot.kind == "hop":
            assert [str(roll) for roll in drawn.wins] == [spot.selection]
        assert bool(drawn.barred) == (spot.kind in ("dont_pass", "dont_come") and not spot.pick)


@pytest.mark.parametrize("book", book_ids())
def test_the_bar_is_the_one_of_the_house(book: str) -> None:
    dealer = Dealer(TableRules(House(load_book(book))))
    assert {roll.total for roll in dice_icons(dealer, Spot("dont_pass")).barred} == {dealer.rules.house["dont_bar"]}


def test_the_puck_change_of_a_roll() -> None:
    dealer = Dealer(TableRules(House(load_book("new_jersey"))))
    for throws, mark in (
        (("3-4",), ""), (("6-5",), ""), (("1-1",), ""), (("2-4",), "point_set"),
        (("2-4", "2-2"), ""), (("2-4", "3-3"), "point_made"), (("2-4", "3-4"), "seven_out"),
    ):  # fmt: skip
        rolled = roll_all(dealer, *(Roll(int(dice[0]), int(dice[2])) for dice in throws))
        assert (rolled.puck_change, rolled.ends_hand) == (mark, mark == "seven_out"), throws
