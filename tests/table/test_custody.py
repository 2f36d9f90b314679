"""Custody of the dice in each book: offers, eligibility, giving up the dice, come settlement, pending side bets."""

from __future__ import annotations

from typing import Any

import pytest

from support.houses import BOOKS, book_default_table
from trueodds.craps_table import Table
from trueodds.dice import Roll
from trueodds.money import Cents
from trueodds.rulebook import Spot
from trueodds.table import (
    AcceptDice,
    Action,
    Bet,
    Custody,
    CustodyChanged,
    DeclineDice,
    DeclineLine,
    Join,
    Leave,
    NoRoll,
    OpenTable,
    OrderPass,
    PassDice,
    RefusalCode,
    Refused,
    RollDice,
    Rolled,
    SurveillanceNotified,
    TakeDown,
)
from trueodds.table.refusal import CODES_WITHOUT_CLAUSE

NEW_JERSEY_LIKE = ("new_jersey", "maryland", "south_dakota", "win_line")


def open_table(book: str, players: str = "ABC", options: dict[str, Any] | None = None) -> Table:
    table = book_default_table(book, options, tuple(players))
    table.do(OpenTable())
    return table


def custody(table: Table) -> Custody:
    assert table.position.custody is not None
    return table.position.custody


def refused(table: Table, action: Action) -> RefusalCode:
    with pytest.raises(Refused) as caught:
        table.do(action)
    assert caught.value.refusal.cite or caught.value.code in CODES_WITHOUT_CLAUSE
    return caught.value.code


def shooting(book: str, players: str = "ABC", options: dict[str, Any] | None = None) -> Table:
    """Return a table where A shoots with a pass bet of $10 tagged p."""
    table = open_table(book, players, options)
    table.do(AcceptDice("A"))
    table.bet("A", "pass", 10, tag="p")
    return table


@pytest.mark.parametrize("book", BOOKS)
def test_dice_are_offered_clockwise_until_accepted(book: str) -> None:
    table = open_table(book)
    assert custody(table).offered_to == "A"
    assert refused(table, AcceptDice("B")) is RefusalCode.NOT_OFFERED_DICE
    assert refused(table, DeclineDice("C")) is RefusalCode.NOT_OFFERED_DICE
    table.do(DeclineDice("A"))
    table.do(DeclineDice("B"))
    table.do(AcceptDice("C"))
    assert custody(table).shooter == "C"
    assert refused(table, OpenTable()) is RefusalCode.WINDOW


@pytest.mark.parametrize("book", BOOKS)
def test_all_decline_and_the_dice_are_offered_again(book: str) -> None:
    table = open_table(book)
    for player in "ABC":
        table.do(DeclineDice(player))
    assert (custody(table).shooter, custody(table).offered_to) == (None, None)
    assert refused(table, AcceptDice("A")) is RefusalCode.NOT_OFFERED_DICE
    (event,) = table.do(RollDice(Roll(3, 4)))
    assert isinstance(event, NoRoll)
    table.do(OpenTable())
    assert custody(table).offered_to == "A"


@pytest.mark.parametrize("book", BOOKS)
def test_only_a_shooter_with_a_line_bet_may_roll(book: str) -> None:
    table = open_table(book)
    table.do(AcceptDice("A"))
    for throw, reason in ((RollDice(Roll(3, 4), "A"), "no_line_bet"), (RollDice(Roll(3, 4), "B"), "wrong_shooter")):
        (event,) = table.do(throw)
        assert isinstance(event, NoRoll)
        assert event.reason == reason
    table.bet("A", "dont_pass", 10)
    assert isinstance(table.roll("3-4", "A")[0], Rolled)


def test_a_house_may_waive_the_line_bet() -> None:
    table = open_table("new_jersey", options={"shooter_line_required": False})
    table.do(AcceptDice("A"))
    assert isinstance(table.roll("3-4")[0], Rolled)


@pytest.mark.parametrize("book", BOOKS)
def test_a_seven_out_offers_the_dice_to_the_left_and_a_come_out_seven_does_not(book: str) -> None:
    table = shooting(book)
    table.roll("3-4")
    assert custody(table).shooter == "A"
    table.bet("A", "pass", 10)
    table.roll("2-2")
    table.roll("3-4")
    assert (custody(table).shooter, custody(table).offered_to, custody(table).previous_shooter) == (None, "B", "A")
    table.do(DeclineDice("B"))
    table.do(DeclineDice("C"))
    assert custody(table).offered_to == "A", "around the table it comes back"


@pytest.mark.parametrize("book", BOOKS)
def test_a_lone_player_gets_the_dice_back(book: str) -> None:
    table = shooting(book, "A")
    table.roll("2-2")
    table.roll("3-4")
    assert custody(table).offered_to == "A"


@pytest.mark.parametrize("book", NEW_JERSEY_LIKE)
def test_a_38_dice_passed_mid_point_the_successor_needs_no_line_bet_until_the_come_out(book: str) -> None:
    table = shooting(book)
    table.roll("2-2")
    assert refused(table, PassDice("B")) is RefusalCode.NOT_SHOOTER
    table.do(PassDice("A"))
    table.do(AcceptDice("B"))
    (event, *_) = table.roll("1-3")
    assert isinstance(event, Rolled)
    assert event.settled[0].settlement.paid_cents == 2000
    assert isinstance(table.roll("1-3")[0], NoRoll)


def test_a_38_sentosa_asks_those_who_hold_a_line_bet_first() -> None:
    table = shooting("rws", "ABC")
    table.bet("C", "dont_pass", 10)
    table.roll("2-2")
    table.do(PassDice("A"))
    assert custody(table).offered_to == "C"
    table.do(AcceptDice("C"))
    table.do(TakeDown("C", table.position.seats[2].wagers[0].tag))
    assert isinstance(table.roll("2-2")[0], Rolled), "who lifts his own bet mid-point keeps the dice"


def test_a_38_sentosa_waives_the_line_bet_if_no_other_player_has_one() -> None:
    table = shooting("rws", "ABC")
    table.roll("2-2")
    table.do(PassDice("A"))
    assert custody(table).offered_to == "B"
    table.do(AcceptDice("B"))
    assert isinstance(table.roll("2-2")[0], Rolled)


@pytest.mark.parametrize(
    ("book", "game", "by", "cause", "answer"),
    [
        ("new_jersey", "craps", "boxperson", "delay", None),
        ("new_jersey", "craps", "boxperson", "repeated_invalid", None),
        ("new_jersey", "craps", "boxperson", "violation", None),
        ("new_jersey", "craps", "boxperson", "bad_mood", RefusalCode.NO_CAUSE),
        ("new_jersey", "craps", "dealer", "delay", RefusalCode.NO_AUTHORITY),
        ("new_jersey", "craps", "stickperson", "bad_mood", RefusalCode.NO_AUTHORITY),
        ("new_jersey", "mini_craps", "dealer", "delay", None),
        ("new_jersey", "mini_craps", "boxperson", "delay", RefusalCode.NO_AUTHORITY),
        ("maryland", "craps", "boxperson", "delay", None),
        ("rws", "craps", "boxperson", "delay", RefusalCode.NO_AUTHORITY),
    ],
)
def test_1_11_a_2_who_may_order_the_dice_passed_and_why(
    book: str, game: str, by: str, cause: str, answer: RefusalCode | None
) -> None:
    table = shooting(book, options={"game": game})
    table.roll("2-2")
    if answer is not None:
        assert refused(table, OrderPass(by, cause)) is answer
        return
    table.do(OrderPass(by, cause))
    assert custody(table).offered_to == "B"
    assert refused(table, OrderPass(by, cause)) is RefusalCode.NOT_SHOOTER


def come_left_alone(book: str, players: str = "ABC") -> Table:
    """Return a table where A has made the point, holds the dice, and only has a come bet on 5."""
    table = shooting(book, players)
    table.roll("2-6")
    table.bet("A", "come", 10)
    table.roll("1-4")
    table.roll("2-6")
    return table


def puck_off_offer(players: str = "AB") -> Table:
    """Return a table where A has a come bet on 5, B a don't come bet on 9, and A declines a new line bet."""
    table = shooting("new_jersey", players)
    table.roll("2-6")
    table.bet("A", "come", 10, tag="c")
    table.roll("1-4")
    if len(players) > 1:
        table.bet("B", "dont_come", 10, tag="d")
    table.roll("4-5")
    table.roll("2-6")
    table.do(DeclineLine("A"))
    return table


def test_1_11_b_the_round_that_only_decides_come_bets() -> None:
    table = puck_off_offer()
    assert custody(table).offered_to == "B"
    table.do(DeclineDice("B"))
    assert (custody(table).mode, custody(table).shooter) == ("come_settlement", "A")
    assert refused(table, Bet("A", Spot("come"), Cents(1000))) is RefusalCode.WINDOW
    table.bet("A", "place:6", 6, tag="f")
    (event, *_) = table.roll("2-4")
    assert isinstance(event, Rolled)
    assert (event.puck_after, event.seven_out) == (0, False)
    assert {one.tag: str(one.settlement.result) for one in event.settled} == {
        "c": "no_action",
        "d": "no_action",
        "f": "off",
    }
    (event, *_) = table.roll("3-4")
    assert isinstance(event, Rolled)
    assert not event.seven_out
    assert {one.tag: str(one.settlement.result) for one in event.settled} == {"c": "lose", "d": "win", "f": "off"}
    assert (custody(table).mode, custody(table).shooter) == ("normal", "A")
    assert isinstance(table.roll("1-1")[0], NoRoll)


def test_1_11_b_alone_at_the_table_the_round_starts_at_once() -> None:
    table = puck_off_offer("A")
    assert (custody(table).mode, custody(table).shooter) == ("come_settlement", "A")


@pytest.mark.parametrize("who", ["A", "B"])
def test_1_11_b_a_line_bet_ends_the_round_and_makes_the_shooter(who: str) -> None:
    table = puck_off_offer()
    table.do(DeclineDice("B"))
    _, moved = table.bet(who, "pass", 10)
    assert isinstance(moved, CustodyChanged)
    assert (custody(table).mode, custody(table).shooter) == ("normal", who)
    assert table.position.hand_stage == ("under_way" if who == "A" else "new")
    (event, *_) = table.roll("2-4", who)
    assert isinstance(event, Rolled)
    assert event.puck_after == 6


@pytest.mark.parametrize("who", ["A", "B", "C"])
def test_1_11_b_any_player_who_makes_a_line_bet_is_the_shooter(who: str) -> None:
    table = puck_off_offer("ABC")
    assert isinstance(table.roll("2-2", who)[0], NoRoll)
    table.bet(who, "pass", 10)
    taken, event = table.roll("2-2", who)
    assert isinstance(taken, CustodyChanged)
    assert isinstance(event, Rolled)
    assert event.puck_after == 4
    assert (custody(table).shooter, custody(table).offered_to, custody(table).mode) == (who, None, "normal")


def test_1_11_b_who_is_offered_may_also_bet_and_then_accept() -> None:
    table = puck_off_offer()
    table.bet("B", "pass", 10)
    table.do(AcceptDice("B"))
    assert custody(table).shooter == "B"


def test_1_11_b_the_shooter_who_thinks_again_keeps_the_dice() -> None:
    table = puck_off_offer()
    table.bet("A", "pass", 10)
    table.do(DeclineDice("B"))
    assert (custody(table).shooter, custody(table).mode) == ("A", "normal")


def test_1_11_b_a_line_bet_that_is_up_already_leaves_no_room_for_the_round() -> None:
    table = come_left_alone("new_jersey", "AB")
    table.bet("B", "pass", 10)
    table.do(DeclineLine("A"))
    table.do(DeclineDice("B"))
    assert (custody(table).shooter, custody(table).mode) == ("B", "normal")


def test_1_11_b_taking_the_last_come_bet_down_ends_the_round() -> None:
    table = puck_off_offer()
    table.do(DeclineDice("B"))
    table.roll("2-3")
    *_, last = table.do(TakeDown("B", "d"))
    assert isinstance(last, CustodyChanged)
    assert last.change == "come_settlement_ended"
    assert custody(table).mode == "normal"


@pytest.mark.parametrize("book", BOOKS)
def test_declining_the_line_without_come_bets_gives_the_dice_up(book: str) -> None:
    table = shooting(book)
    assert refused(table, DeclineLine("A")) is RefusalCode.WINDOW
    table.roll("3-4")
    table.do(DeclineLine("A"))
    assert (custody(table).shooter, custody(table).offered_to) == (None, "B")


def test_sentosa_knows_no_puck_off_round() -> None:
    table = come_left_alone("rws")
    table.do(DeclineLine("A"))
    for player in "BC":
        table.do(DeclineDice(player))
    assert custody(table).mode == "normal"


@pytest.mark.parametrize(("successor", "paid"), [("count", 24_00), ("freeze", -1_00)])
def test_1_12_a_2_pending_fire_bets_and_the_successor(successor: str, paid: int) -> None:
    table = shooting("new_jersey", options={"fire_successor_points": successor})
    table.bet("B", "fire", 1, tag="f")
    for point in ("2-2", "1-4", "3-3"):
        table.roll(point)
        table.roll(point)
        table.bet("A", "pass", 10)
    table.do(PassDice("A"))
    assert custody(table).fire_pending
    table.do(AcceptDice("B"))
    assert refused(table, Bet("C", Spot("fire"), Cents(100))) is RefusalCode.WINDOW
    table.bet("B", "pass", 10)
    table.roll("4-4")
    notices = table.roll("4-4")
    assert any(isinstance(event, SurveillanceNotified) for event in notices) is (successor == "count")
    table.bet("B", "pass", 10)
    table.roll("4-5")
    (event, *_) = table.roll("3-4")
    assert isinstance(event, Rolled)
    assert next(one for one in event.settled if one.tag == "f").settlement.net_cents == paid
    assert not custody(table).fire_pending
    assert table.bet("C", "fire", 1)


@pytest.mark.parametrize("successor", ["count", "freeze"])
def test_a_fire_bet_made_before_the_dice_are_accepted_counts_all_the_same(successor: str) -> None:
    table = open_table("new_jersey", options={"fire_successor_points": successor})
    table.bet("B", "fire", 1, tag="f")
    table.do(AcceptDice("A"))
    table.bet("A", "pass", 10)
    table.roll("2-2")
    table.roll("2-2")
    assert table.position.seats[1].wagers[0].wager.marks == (4,)


def test_without_a_pending_fire_bet_a_successor_opens_the_window() -> None:
    table = shooting("new_jersey")
    table.roll("2-2")
    assert refused(table, Bet("B", Spot("fire"), Cents(100))) is RefusalCode.WINDOW
    table.do(PassDice("A"))
    table.do(AcceptDice("B"))
    assert refused(table, Bet("B", Spot("fire"), Cents(100))) is RefusalCode.WINDOW, "a point is on"
    table.roll("2-2")
    assert table.bet("B", "fire", 1), "his own first come-out is still to come"
    table.bet("B", "pass", 10)
    table.roll("6-5")
    assert refused(table, Bet("B", Spot("fire"), Cents(100))) is RefusalCode.WINDOW


def test_a_46_bonus_bets_go_on_and_new_ones_wait_for_a_seven() -> None:
    table = shooting("maryland")
    table.bet("B", "small", 1, tag="s")
    table.roll("1-1")
    table.do(PassDice("A"))
    table.do(AcceptDice("B"))
    assert custody(table).bonus_pending
    assert refused(table, Bet("C", Spot("tall"), Cents(100))) is RefusalCode.WINDOW
    assert table.position.markers.bonus == (2,)
    table.bet("B", "pass", 10)
    table.roll("2-2")
    for dice in ("1-2", "1-4"):
        table.roll(dice)
    table.roll("3-3")
    up = [str(entry.wager.spot) for seat in table.position.seats for entry in seat.wagers]
    assert "small" not in up, "small is complete and paid"
    assert custody(table).bonus_pending, "but no seven has come"
    table.roll("3-4")
    assert table.bet("C", "tall", 1)


def test_1_12_a_6_surveillance_is_notified_once_at_four_points() -> None:
    table = book_default_table("new_jersey")
    table.bet("A", "fire", 1)
    notices = []
    for point in ("2-2", "1-4", "3-3", "4-4", "4-5"):
        table.roll(point)
        notices += [event for event in table.roll(point) if isinstance(event, SurveillanceNotified)]
    assert [event.points for event in notices] == [(4, 5, 6, 8)]


def test_02_c_nine_seats_at_mini_craps_and_02_d_4_sixteen_fire_spots() -> None:
    table = book_default_table("maryland", {"game": "mini_craps"}, ())
    for number in range(9):
        table.do(Join(f"P{number}"))
    assert refused(table, Join("P9")) is RefusalCode.TABLE_FULL
    table.do(Leave("P0"))
    assert table.do(Join("P9"))
    assert refused(table, Join("P9")) is RefusalCode.SEAT_TAKEN
    craps = book_default_table("maryland", players=tuple(f"P{number}" for number in range(17)))
    craps.do(OpenTable())
    assert craps.bet("P15", "fire", 1)
    assert refused(craps, Bet("P16", Spot("fire"), Cents(100))) is RefusalCode.NOT_OFFERED


def test_leaving_gives_the_dice_on() -> None:
    table = shooting("new_jersey", "ABC")
    assert refused(table, Leave("A")) is RefusalCode.WAGERS_UP
    table.do(TakeDown("A", "p"))
    table.do(Leave("A"))
    assert [seat.player for seat in table.position.seats] == ["B", "C"]
    assert custody(table).offered_to == "B"
    table.do(Leave("B"))
    assert custody(table).offered_to == "C"
    table.do(Leave("C"))
    assert custody(table).offered_to is None
    assert refused(table, Leave("C")) is RefusalCode.NO_SUCH_PLAYER
    table.do(Join("D", 0))
    table.do(OpenTable())
    assert custody(table).offered_to == "D"


def hand_ends(table: Table, *actions: Action | str) -> list[bool]:
    """Do actions and return, for each, whether it ended the hand."""
    output = []
    for action in actions:
        events = table.roll(action) if isinstance(action, str) else table.do(action)
        output.append(any(isinstance(event, Rolled | CustodyChanged) and event.ends_hand for event in events))
    return output


def test_a_hand_is_over_when_the_dice_go() -> None:
    assert hand_ends(shooting("new_jersey"), "2-4", "3-4") == [False, True], "sevened out"
    assert hand_ends(shooting("new_jersey"), "3-4", "2-4", "3-3", PassDice("A"), AcceptDice("B")) == [
        False, False, False, True, True,
    ]  # fmt: skip
    assert hand_ends(shooting("new_jersey"), "2-4", OrderPass("boxperson", "delay"), DeclineDice("B")) == [
        False, True, False,
    ]  # fmt: skip
    assert hand_ends(open_table("new_jersey"), AcceptDice("A"), DeclineLine("A")) == [True, True]


def test_1_11_b_a_hand_goes_on_in_the_round_that_only_decides_come_bets() -> None:
    table = come_left_alone("new_jersey")
    assert hand_ends(table, DeclineLine("A"), DeclineDice("B"), DeclineDice("C"), "2-4") == [False] * 4
    assert custody(table).mode == "come_settlement"
    assert hand_ends(come_left_alone("new_jersey"), DeclineLine("A"), AcceptDice("B")) == [False, True], (
        "another takes the dice"
    )
