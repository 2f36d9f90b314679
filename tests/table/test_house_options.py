"""House options one by one: what each changes at the table."""

from __future__ import annotations

from typing import Any

import pytest

from houses import plain_table
from trueodds.money import Cents
from trueodds.rulebook import House, Spot, load_book
from trueodds.table import Bet, CallWager, Changed, Code, Made, Press, Reduce, Refused, Rolled, Settled, Table, TakeDown


def settled(table: Table, dice: str) -> dict[str, Settled]:
    (event, *_) = table.roll(dice)
    assert isinstance(event, Rolled)
    return {one.tag: one for one in event.settled}


def result(table: Table, dice: str, tag: str) -> str:
    return str(settled(table, dice)[tag].ruling.result)


def code(table: Table, action: Any) -> Code | None:
    refusal = table.verify(action)
    return refusal.code if refusal else None


@pytest.mark.parametrize(
    ("window", "after_come_out_seven", "mid_hand"),
    [("new_shooter", False, False), ("after_any_seven", True, False), ("any_come_out", True, True)],
)
def test_bonus_window(window: str, after_come_out_seven: bool, mid_hand: bool) -> None:
    table = plain_table("maryland", {"bonus_window": window})
    bet = Bet("A", Spot("tall"), Cents(100))
    assert code(table, bet) is None
    table.roll("3-4")
    assert (code(table, bet) is None) is after_come_out_seven
    table.roll("6-6")
    assert (code(table, bet) is None) is mid_hand
    table.roll("2-2")
    assert code(table, bet) is Code.WINDOW
    table.roll("3-4")
    assert code(table, bet) is None


def test_numbers_thrown_before_a_bonus_bet_do_not_count_for_it() -> None:
    table = plain_table("maryland", {"bonus_window": "any_come_out"})
    table.bet("A", "tall", 100, tag="early")
    table.roll("6-6")
    table.bet("A", "tall", 100, tag="late")
    for dice in ("5-6", "4-4", "4-5", "4-4"):
        table.roll(dice)
    found = settled(table, "4-6")
    assert str(found["early"].ruling.result) == "win"
    assert str(found["late"].ruling.result) == "no_action"


def test_bonus_removal_allowed_is_still_no_reduction() -> None:
    table = plain_table("maryland", {"bonus_removal": "allow"})
    table.bet("A", "small", 500, tag="s")
    assert code(table, Reduce("A", "s", Cents(100))) is Code.CONTRACT
    assert code(table, Press("A", "s", Cents(600))) is Code.CONTRACT
    assert table.do(TakeDown("A", "s"))


@pytest.mark.parametrize(
    ("scope", "after_idle", "after_point"),
    [("roll", "off", "no_action"), ("phase", "no_action", "no_action"), ("until_changed", "no_action", "no_action")],
)
def test_call_scope_of_an_on_call(scope: str, after_idle: str, after_point: str) -> None:
    table = plain_table("new_jersey", {"call_scope": scope})
    table.bet("A", "place:6", 600, tag="f")
    table.do(CallWager("A", "f", "on"))
    assert result(table, "6-6", "f") == "no_action"
    assert result(table, "6-6", "f") == after_idle
    table.roll("2-2")
    assert result(table, "6-6", "f") == after_point


def test_call_scope_until_changed_keeps_an_off_call_across_the_puck() -> None:
    for scope, then in (("phase", "lose"), ("until_changed", "off")):
        table = plain_table("new_jersey", {"call_scope": scope})
        table.bet("A", "lay:6", 1200, tag="y")
        table.do(CallWager("A", "y", "off"))
        table.roll("2-2")
        assert result(table, "3-3", "y") == then


def test_sentosa_calls_last_one_throw() -> None:
    table = plain_table("rws")
    table.bet("A", "place:6", 600, tag="f")
    table.do(CallWager("A", "f", "on"))
    assert result(table, "5-6", "f") == "no_action"
    assert result(table, "3-4", "f") == "off"


def test_odds_called_off_come_back_when_their_bet_is_decided() -> None:
    table = plain_table("new_jersey")
    table.bet("A", "pass", 1000, tag="p")
    table.roll("2-4")
    table.bet("A", "pass_odds", 5000, on="p", tag="o")
    table.do(CallWager("A", "o", "off"))
    assert result(table, "6-6", "o") == "off"
    found = settled(table, "3-4")
    assert (str(found["o"].ruling.result), found["o"].ruling.cash) == ("returned", 5000)
    assert "A-06" in found["o"].ruling.cite


@pytest.mark.parametrize(("timing", "first", "second"), [("on_bet", 3900, 3900), ("on_win", 3900, 3900)])
def test_after_win_up_with_vigorish(timing: str, first: int, second: int) -> None:
    table = plain_table("maryland", {"after_win": "up", "vig_timing": {"buy": timing}})
    table.roll("2-3")
    (made,) = table.bet("A", "buy:4", 2000, tag="b")
    assert isinstance(made, Made)
    assert made.vig == (100 if timing == "on_bet" else 0)
    for cash in (first, second):
        ruling = settled(table, "2-2")["b"].ruling
        assert (ruling.cash, ruling.vig, ruling.stays) == (cash, 100, True)
    (down,) = table.do(TakeDown("A", "b"))
    assert isinstance(down, Changed)
    assert down.cash == (2100 if timing == "on_bet" else 2000)


def test_vig_timing_by_number() -> None:
    table = plain_table("new_jersey", {"vig_timing": {"buy4": "on_win"}})
    for number, vig in ((4, 0), (10, 100)):
        (made,) = table.bet("A", f"buy:{number}", 2000)
        assert isinstance(made, Made)
        assert made.vig == vig


def test_vigorish_without_refund_is_not_charged_twice() -> None:
    table = plain_table("maryland", {"vig_refund": False})
    table.bet("A", "buy:4", 4000, tag="b")
    moves = []
    for change in (Reduce("A", "b", Cents(2000)), Press("A", "b", Cents(4000)), Press("A", "b", Cents(6000))):
        (event,) = table.do(change)
        assert isinstance(event, Changed)
        moves.append((event.cash, event.vig))
    assert moves == [(2000, 0), (-2000, 0), (-2100, 100)]


@pytest.mark.parametrize("path", [(2000, 4000, 1000), (1000,), (3500, 1000), (4000, 500, 1000)])
def test_refunded_vigorish_does_not_depend_on_the_path(path: tuple[int, ...]) -> None:
    table = plain_table("rws")
    table.bet("A", "lay:6", 3000, tag="y")
    paid = 0
    at = 3000
    for to in path:
        action = Press("A", "y", Cents(to)) if to > at else Reduce("A", "y", Cents(to))
        (event,) = table.do(action)
        assert isinstance(event, Changed)
        paid += event.vig
        at = to
    assert 125 + paid == 41, "5 % of 8.33 rounded down"


def test_horn_high_and_whirl_without_a_box_are_broken_down() -> None:
    table = plain_table("maryland", {"horn_high_area": False, "whirl_area": False})
    made = table.bet("A", "horn_high:11", 500, tag="h")
    assert [(event.tag, event.stake) for event in made if isinstance(event, Made)] == [("h.a", 400), ("h.b", 100)]
    found = settled(table, "5-6")
    assert (found["h.a"].ruling.net, found["h.b"].ruling.net) == (1200, 1500)
    table.bet("A", "whirl", 500, tag="w")
    found = settled(table, "3-4")
    assert (found["w.a"].ruling.net, found["w.b"].ruling.net) == (-400, 400)


def test_a_17_a_whirl_that_must_be_split_needs_a_multiple_of_five_cents() -> None:
    table = plain_table("south_dakota", {"whirl_area": False})
    assert code(table, Bet("A", Spot("whirl"), Cents(601))) is Code.UNIT
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
    table = plain_table("new_jersey", options)
    table.bet("A", "pass", flat, tag="p")
    table.roll(point)
    taken = [stake for stake in range(100, 3000, 100) if table.can(Bet("A", Spot("pass_odds"), Cents(stake), on="p"))]
    assert max(taken) == limit


def test_a_44_odds_are_trimmed_to_what_can_be_paid() -> None:
    options = {"odds_lay": dict.fromkeys(("4", "5", "6", "8", "9", "10"), 1), "chip_unit": 100, "pay_unit": 100}
    table = plain_table("new_jersey", options)
    table.bet("A", "dont_pass", 1000, tag="d")
    table.roll("4-5")
    table.bet("A", "dont_pass_odds", 1500, on="d", tag="o")
    trimmed, cut = table.do(Reduce("A", "d", Cents(500)))
    assert isinstance(trimmed, Changed)
    assert isinstance(cut, Changed)
    assert (trimmed.left, cut.left) == (600, 500), "7.50 is the cap, 6 the largest stake under it that pays exactly"


def test_a_44_several_odds_are_trimmed_the_last_made_first() -> None:
    table = plain_table("maryland")
    table.bet("A", "dont_pass", 1000, tag="d")
    table.roll("2-2")
    table.bet("A", "dont_pass_odds", 4000, on="d", tag="first")
    table.bet("A", "dont_pass_odds", 2000, on="d", tag="second")
    events = table.do(Reduce("A", "d", Cents(500)))
    assert [(event.tag, event.left) for event in events if isinstance(event, Changed)] == [
        ("second", 0), ("first", 3000), ("d", 500),
    ]  # fmt: skip
    assert table.position.seats[0].entries[0].odds_tags == ("first",)


def test_a_50_the_limit_looks_at_the_sum_of_odds_on_one_bet() -> None:
    table = plain_table("maryland")
    table.bet("A", "pass", 1000, tag="p")
    table.roll("2-2")
    table.bet("A", "pass_odds", 2000, on="p", tag="x")
    assert code(table, Bet("A", Spot("pass_odds"), Cents(1001), on="p")) is Code.ODDS_LIMIT
    table.bet("A", "pass_odds", 1000, on="p", tag="y")
    assert code(table, Press("A", "x", Cents(2001))) is Code.ODDS_LIMIT
    found = settled(table, "2-2")
    assert (found["x"].ruling.net, found["y"].ruling.net) == (4000, 2000)


def test_a_52_a_don_t_bet_that_was_cut_is_never_increased() -> None:
    table = plain_table("maryland")
    table.bet("A", "dont_pass", 2000, tag="d")
    assert code(table, Press("A", "d", Cents(3000))) is None
    table.do(Reduce("A", "d", Cents(1000)))
    assert code(table, Press("A", "d", Cents(1500))) is Code.WINDOW
    table.do(TakeDown("A", "d"))
    assert table.bet("A", "dont_pass", 5000)
    sentosa = plain_table("rws")
    sentosa.bet("A", "dont_pass", 2000, tag="d")
    sentosa.do(Reduce("A", "d", Cents(1000)))
    assert code(sentosa, Press("A", "d", Cents(1500))) is None


def test_sentosa_contract_bets_grow_and_their_odds_limit_with_them() -> None:
    table = plain_table("rws")
    table.bet("A", "pass", 1000, tag="p")
    assert code(table, TakeDown("A", "p")) is Code.CONTRACT
    table.roll("2-4")
    table.bet("A", "pass_odds", 5000, on="p", tag="o")
    assert code(table, Press("A", "o", Cents(5001))) is Code.ODDS_LIMIT
    table.do(Press("A", "p", Cents(2000)))
    assert code(table, Press("A", "o", Cents(10_000))) is None
    table.bet("A", "come", 1000, tag="c")
    table.roll("2-3")
    table.roll("3-3")
    assert code(table, Press("A", "c", Cents(2000))) is None, "A-58: its own come point, puck or not"


def test_put_removable() -> None:
    for removable, answer in ((False, Code.CONTRACT), (True, None)):
        table = plain_table("south_dakota", {"put_removable": removable})
        table.bet("A", "put:6", 1000, tag="p")
        assert code(table, TakeDown("A", "p")) is answer
        assert code(table, Reduce("A", "p", Cents(500))) is answer
        assert code(table, Press("A", "p", Cents(1500))) is None


def test_odds_offered_switches_odds_on_where_a_text_lists_none() -> None:
    every = ["pass_odds", "dont_pass_odds", "come_odds", "dont_come_odds"]
    for book in ("south_dakota", "win_line"):
        table = Table(House(load_book(book), {"odds_offered": every}, plain_options=True, as_given=True))
        table.bet("A", "dont_pass", 1000, tag="d")
        table.roll("2-2")
        assert code(table, Bet("A", Spot("dont_pass_odds"), Cents(2000), on="d")) is None


def test_prop_min_lowers_the_minimum_for_centre_bets_only() -> None:
    table = Table("maryland")
    assert code(table, Bet("A", Spot("yo"), Cents(100))) is None
    assert code(table, Bet("A", Spot("field"), Cents(100))) is Code.BELOW_MIN
    refusal = plain_table("maryland", {"min_bet": 500}).verify(Bet("A", Spot("yo"), Cents(100)))
    assert refusal is not None
    assert (refusal.code, refusal.option) == (Code.BELOW_MIN, "min_bet")


def test_the_two_ways_to_bar_twelve() -> None:
    for outcome, expected, up in (("returned", "push", 0), ("stays", "no_action", 1)):
        table = plain_table("rws", {"dont_bar_result": outcome})
        table.bet("A", "dont_pass", 1000, tag="d")
        assert result(table, "6-6", "d") == expected
        assert len(table.position.seats[0].entries) == up


def test_win_line_bars_two_and_pays_twelve() -> None:
    table = plain_table("win_line")
    for dice, expected in (("1-1", "push"), ("6-6", "win"), ("1-2", "win"), ("5-6", "lose")):
        table.bet("A", "dont_pass", 1000, tag="d")
        assert result(table, dice, "d") == expected


def test_a_refused_action_reads_like_a_sentence_and_names_its_clause() -> None:
    table = Table("new_jersey", ["Ann"])
    with pytest.raises(Refused) as caught:
        table.bet("Ann", "come", 1000)
    assert str(caught.value) == (
        "Come cannot be made with the puck off: it is made while a point is on: N.J.A.C. 19:47-1.2(a)3; our choice A-08"
    )
