"""House options: what each of them changes at the table."""

from __future__ import annotations

from typing import Any

import pytest

from support.houses import book_default_table
from trueodds.craps_table import Table
from trueodds.money import Cents
from trueodds.rulebook import House, Spot, load_book
from trueodds.table import (
    Bet,
    BetMade,
    BetResized,
    Press,
    Reduce,
    RefusalCode,
    Refused,
    Rolled,
    SettledWager,
    TakeDown,
    ToggleBet,
)


def settled(table: Table, dice: str) -> dict[str, SettledWager]:
    (event, *_) = table.roll(dice)
    assert isinstance(event, Rolled)
    return {one.tag: one for one in event.settled}


def result(table: Table, dice: str, tag: str) -> str:
    return str(settled(table, dice)[tag].settlement.result)


def code(table: Table, action: Any) -> RefusalCode | None:
    refusal = table.verify(action)
    return refusal.code if refusal else None


@pytest.mark.parametrize(
    ("window", "after_come_out_seven", "mid_hand"),
    [("new_shooter", False, False), ("after_any_seven", True, False), ("any_come_out", True, True)],
)
def test_bonus_window(window: str, after_come_out_seven: bool, mid_hand: bool) -> None:
    table = book_default_table("maryland", {"bonus_window": window})
    bet = Bet("A", Spot("tall"), Cents(100))
    assert code(table, bet) is None
    table.roll("3-4")
    assert (code(table, bet) is None) is after_come_out_seven
    table.roll("6-6")
    assert (code(table, bet) is None) is mid_hand
    table.roll("2-2")
    assert code(table, bet) is RefusalCode.WINDOW
    table.roll("3-4")
    assert code(table, bet) is None


def test_numbers_rolled_before_a_bonus_bet_do_not_count_for_it() -> None:
    table = book_default_table("maryland", {"bonus_window": "any_come_out"})
    table.bet("A", "tall", 1, tag="early")
    table.roll("6-6")
    table.bet("A", "tall", 1, tag="late")
    for dice in ("5-6", "4-4", "4-5", "4-4"):
        table.roll(dice)
    found = settled(table, "4-6")
    assert str(found["early"].settlement.result) == "win"
    assert str(found["late"].settlement.result) == "no_action"


def test_bonus_removal_allowed_is_still_no_reduction() -> None:
    table = book_default_table("maryland", {"bonus_removal": "allow"})
    table.bet("A", "small", 5, tag="s")
    assert code(table, Reduce("A", "s", Cents(100))) is RefusalCode.CONTRACT
    assert code(table, Press("A", "s", Cents(600))) is RefusalCode.CONTRACT
    assert table.do(TakeDown("A", "s"))


@pytest.mark.parametrize(
    ("scope", "after_idle", "after_point"),
    [("roll", "off", "no_action"), ("phase", "no_action", "no_action"), ("until_changed", "no_action", "no_action")],
)
def test_call_scope_of_an_on_call(scope: str, after_idle: str, after_point: str) -> None:
    table = book_default_table("new_jersey", {"call_scope": scope})
    table.bet("A", "place:6", 6, tag="f")
    table.do(ToggleBet("A", "f", "on"))
    assert result(table, "6-6", "f") == "no_action"
    assert result(table, "6-6", "f") == after_idle
    table.roll("2-2")
    assert result(table, "6-6", "f") == after_point


def test_call_scope_until_changed_keeps_an_off_call_across_the_puck() -> None:
    for scope, then in (("phase", "lose"), ("until_changed", "off")):
        table = book_default_table("new_jersey", {"call_scope": scope})
        table.bet("A", "lay:6", 12, tag="y")
        table.do(ToggleBet("A", "y", "off"))
        table.roll("2-2")
        assert result(table, "3-3", "y") == then


def test_sentosa_calls_last_one_roll() -> None:
    table = book_default_table("rws")
    table.bet("A", "place:6", 6, tag="f")
    table.do(ToggleBet("A", "f", "on"))
    assert result(table, "5-6", "f") == "no_action"
    assert result(table, "3-4", "f") == "off"


def test_odds_called_off_come_back_when_their_bet_is_decided() -> None:
    table = book_default_table("new_jersey")
    table.bet("A", "pass", 10, tag="p")
    table.roll("2-4")
    table.bet("A", "pass_odds", 50, base_tag="p", tag="o")
    table.do(ToggleBet("A", "o", "off"))
    assert result(table, "6-6", "o") == "off"
    found = settled(table, "3-4")
    assert (str(found["o"].settlement.result), found["o"].settlement.paid_cents) == ("returned", 5000)
    assert "A-06" in found["o"].settlement.cite


@pytest.mark.parametrize(("timing", "first", "second"), [("on_bet", 3900, 3900), ("on_win", 3900, 3900)])
def test_after_win_up_with_vigorish(timing: str, first: int, second: int) -> None:
    table = book_default_table("maryland", {"after_win": "up", "vig_timing": {"buy": timing}})
    table.roll("2-3")
    (made,) = table.bet("A", "buy:4", 20, tag="b")
    assert isinstance(made, BetMade)
    assert made.vig_cents == (100 if timing == "on_bet" else 0)
    for cash in (first, second):
        ruling = settled(table, "2-2")["b"].settlement
        assert (ruling.paid_cents, ruling.vig_cents, ruling.stays_up) == (cash, 100, True)
    (down,) = table.do(TakeDown("A", "b"))
    assert isinstance(down, BetResized)
    assert down.rack_change_cents == (2100 if timing == "on_bet" else 2000)


@pytest.mark.parametrize(("timing", "vig"), [("on_bet", 0), ("on_win", 200)])
def test_a_win_that_does_not_cover_the_next_vigorish_comes_down(timing: str, vig: int) -> None:
    options = {"after_win": "up", "pay_unit": 50_000, "vig_unit": 100, "vig_timing": {"buy": timing}}
    table = book_default_table("maryland", options)
    table.roll("3-3")
    table.do(Bet("A", Spot.parse("buy:4"), Cents(4000), tag="a"))
    won = settled(table, "2-2")["a"].settlement
    assert (won.net_cents, won.vig_cents, won.paid_cents, won.stays_up) == (0, vig, 4000 - vig, False)
    table.do(Bet("A", Spot.parse("buy:4"), Cents(50_000), tag="b"))
    table.roll("3-2")
    assert settled(table, "2-2")["b"].settlement.stays_up


def test_rounding_a_combination_bet_down_takes_no_more_than_its_stake() -> None:
    table = Table(House("south_dakota", {"pay_unit": 10_000, "paytable": {"any7": "1 to 10"}}))
    table.do(Bet("A", Spot("whirl"), Cents(500), tag="w"))
    won = settled(table, "3-4")["w"].settlement
    assert (won.net_cents, won.paid_cents) == (-500, 0)
    assert won.breakage_cents == 110


def test_vig_timing_by_number() -> None:
    table = book_default_table("new_jersey", {"vig_timing": {"buy4": "on_win"}})
    for number, vig in ((4, 0), (10, 100)):
        (made,) = table.bet("A", f"buy:{number}", 20)
        assert isinstance(made, BetMade)
        assert made.vig_cents == vig


def test_vigorish_without_refund_is_not_charged_twice() -> None:
    table = book_default_table("maryland", {"vig_refund": False})
    table.bet("A", "buy:4", 40, tag="b")
    moves = []
    for change in (Reduce("A", "b", Cents(2000)), Press("A", "b", Cents(4000)), Press("A", "b", Cents(6000))):
        (event,) = table.do(change)
        assert isinstance(event, BetResized)
        moves.append((event.rack_change_cents, event.vig_cents))
    assert moves == [(2000, 0), (-2000, 0), (-2100, 100)]


@pytest.mark.parametrize("path", [(2000, 4000, 1000), (1000,), (3500, 1000), (4000, 500, 1000)])
def test_refunded_vigorish_does_not_depend_on_the_path(path: tuple[int, ...]) -> None:
    table = book_default_table("rws")
    table.bet("A", "lay:6", 30, tag="y")
    paid = 0
    at = 3000
    for to in path:
        action = Press("A", "y", Cents(to)) if to > at else Reduce("A", "y", Cents(to))
        (event,) = table.do(action)
        assert isinstance(event, BetResized)
        paid += event.vig_cents
        at = to
    assert 125 + paid == 41, "5 % of 8.33 rounded down"


def test_horn_high_and_whirl_without_a_box_are_broken_down() -> None:
    table = book_default_table("maryland", {"horn_high_area": False, "whirl_area": False})
    made = table.bet("A", "horn_high:11", 5, tag="h")
    assert [(event.tag, event.stake_cents) for event in made if isinstance(event, BetMade)] == [
        ("h.a", 400),
        ("h.b", 100),
    ]
    found = settled(table, "5-6")
    assert (found["h.a"].settlement.net_cents, found["h.b"].settlement.net_cents) == (1200, 1500)
    table.bet("A", "whirl", 5, tag="w")
    found = settled(table, "3-4")
    assert (found["w.a"].settlement.net_cents, found["w.b"].settlement.net_cents) == (-400, 400)


def test_a_17_a_whirl_that_must_be_split_needs_a_multiple_of_five_cents() -> None:
    table = book_default_table("south_dakota", {"whirl_area": False})
    assert code(table, Bet("A", Spot("whirl"), Cents(601))) is RefusalCode.UNIT
    assert code(table, Bet("A", Spot("whirl"), Cents(605))) is None


@pytest.mark.parametrize(
    ("options", "flat", "point", "limit"),
    [
        ({"odds_take": dict.fromkeys("4568", 1), "chip_unit": 100, "pay_unit": 100}, 500, "2-3", 600),
        ({"odds_take": dict.fromkeys("4568", 1), "chip_unit": 100, "pay_unit": 100}, 500, "2-4", 500),
        ({"odds_take": dict.fromkeys("4568", 1), "chip_unit": 100, "pay_unit": 100}, 700, "2-4", 1000),
        ({"odds_facilitate": False, "odds_take": {"5": 1}, "chip_unit": 100, "pay_unit": 100}, 500, "2-3", 400),
    ],
)
def test_1_6_f_the_smallest_stake_that_pays_exactly(options: dict[str, Any], flat: int, point: str, limit: int) -> None:
    table = book_default_table("new_jersey", options)
    table.bet("A", "pass", flat // 100, tag="p")
    table.roll(point)
    taken = [
        stake for stake in range(100, 3000, 100) if table.can(Bet("A", Spot("pass_odds"), Cents(stake), base_tag="p"))
    ]
    assert max(taken) == limit


def test_a_44_odds_are_trimmed_to_what_can_be_paid() -> None:
    options = {"odds_lay": dict.fromkeys(("4", "5", "6", "8", "9", "10"), 1), "chip_unit": 100, "pay_unit": 100}
    table = book_default_table("new_jersey", options)
    table.bet("A", "dont_pass", 10, tag="d")
    table.roll("4-5")
    table.bet("A", "dont_pass_odds", 15, base_tag="d", tag="o")
    trimmed, cut = table.do(Reduce("A", "d", Cents(500)))
    assert isinstance(trimmed, BetResized)
    assert isinstance(cut, BetResized)
    assert (trimmed.new_stake_cents, cut.new_stake_cents) == (600, 500), (
        "7.50 is the cap, 6 the largest stake under it that pays exactly"
    )


def test_a_44_several_odds_are_trimmed_the_last_made_first() -> None:
    table = book_default_table("maryland")
    table.bet("A", "dont_pass", 10, tag="d")
    table.roll("2-2")
    table.bet("A", "dont_pass_odds", 40, base_tag="d", tag="first")
    table.bet("A", "dont_pass_odds", 20, base_tag="d", tag="second")
    events = table.do(Reduce("A", "d", Cents(500)))
    assert [(event.tag, event.new_stake_cents) for event in events if isinstance(event, BetResized)] == [
        ("second", 0), ("first", 3000), ("d", 500),
    ]  # fmt: skip
    assert table.position.seats[0].wagers[0].odds_tags == ("first",)


def test_a_50_the_limit_looks_at_the_sum_of_odds_on_one_bet() -> None:
    table = book_default_table("maryland")
    table.bet("A", "pass", 10, tag="p")
    table.roll("2-2")
    table.bet("A", "pass_odds", 20, base_tag="p", tag="x")
    assert code(table, Bet("A", Spot("pass_odds"), Cents(1001), base_tag="p")) is RefusalCode.ODDS_LIMIT
    table.bet("A", "pass_odds", 10, base_tag="p", tag="y")
    assert code(table, Press("A", "x", Cents(2001))) is RefusalCode.ODDS_LIMIT
    found = settled(table, "2-2")
    assert (found["x"].settlement.net_cents, found["y"].settlement.net_cents) == (4000, 2000)


def test_a_52_a_don_t_bet_that_was_cut_is_never_increased() -> None:
    table = book_default_table("maryland")
    table.bet("A", "dont_pass", 20, tag="d")
    assert code(table, Press("A", "d", Cents(3000))) is None
    table.do(Reduce("A", "d", Cents(1000)))
    assert code(table, Press("A", "d", Cents(1500))) is RefusalCode.WINDOW
    table.do(TakeDown("A", "d"))
    assert table.bet("A", "dont_pass", 50)
    sentosa = book_default_table("rws")
    sentosa.bet("A", "dont_pass", 20, tag="d")
    sentosa.do(Reduce("A", "d", Cents(1000)))
    assert code(sentosa, Press("A", "d", Cents(1500))) is None


def test_sentosa_contract_bets_grow_and_their_odds_limit_with_them() -> None:
    table = book_default_table("rws")
    table.bet("A", "pass", 10, tag="p")
    assert code(table, TakeDown("A", "p")) is RefusalCode.CONTRACT
    table.roll("2-4")
    table.bet("A", "pass_odds", 50, base_tag="p", tag="o")
    assert code(table, Press("A", "o", Cents(5001))) is RefusalCode.ODDS_LIMIT
    table.do(Press("A", "p", Cents(2000)))
    assert code(table, Press("A", "o", Cents(10_000))) is None
    table.bet("A", "come", 10, tag="c")
    table.roll("2-3")
    table.roll("3-3")
    assert code(table, Press("A", "c", Cents(2000))) is None, "A-58: its own come point, puck or not"


def test_put_removable() -> None:
    for removable, answer in ((False, RefusalCode.CONTRACT), (True, None)):
        table = book_default_table("south_dakota", {"put_removable": removable})
        table.bet("A", "put:6", 10, tag="p")
        assert code(table, TakeDown("A", "p")) is answer
        assert code(table, Reduce("A", "p", Cents(500))) is answer
        assert code(table, Press("A", "p", Cents(1500))) is None


def test_odds_offered_switches_odds_on_where_a_text_lists_none() -> None:
    every = ["pass_odds", "dont_pass_odds", "come_odds", "dont_come_odds"]
    for book in ("south_dakota", "win_line"):
        table = Table(House(load_book(book), {"odds_offered": every}, book_defaults=True, unchecked=True))
        table.bet("A", "dont_pass", 10, tag="d")
        table.roll("2-2")
        assert code(table, Bet("A", Spot("dont_pass_odds"), Cents(2000), base_tag="d")) is None


def test_prop_min_lowers_the_minimum_for_centre_bets_only() -> None:
    table = Table("maryland")
    assert code(table, Bet("A", Spot("yo"), Cents(100))) is None
    assert code(table, Bet("A", Spot("field"), Cents(100))) is RefusalCode.BELOW_MIN
    refusal = book_default_table("maryland", {"min_bet": 500}).verify(Bet("A", Spot("yo"), Cents(100)))
    assert refusal is not None
    assert (refusal.code, refusal.option) == (RefusalCode.BELOW_MIN, "min_bet")


def test_the_two_ways_to_bar_twelve() -> None:
    for outcome, expected, up in (("returned", "push", 0), ("stays", "no_action", 1)):
        table = book_default_table("rws", {"dont_bar_result": outcome})
        table.bet("A", "dont_pass", 10, tag="d")
        assert result(table, "6-6", "d") == expected
        assert len(table.position.seats[0].wagers) == up


def test_win_line_bars_two_and_pays_twelve() -> None:
    table = book_default_table("win_line")
    for dice, expected in (("1-1", "push"), ("6-6", "win"), ("1-2", "win"), ("5-6", "lose")):
        table.bet("A", "dont_pass", 10, tag="d")
        assert result(table, dice, "d") == expected


def test_a_refused_action_reads_like_a_sentence_and_names_its_clause() -> None:
    table = Table("new_jersey", ["Ann"])
    with pytest.raises(Refused) as caught:
        table.bet("Ann", "come", 10)
    assert str(caught.value) == (
        "Come cannot be made with the puck off: it is made while a point is on: N.J.A.C. 19:47-1.2(a)3; our choice A-08"
    )
