"""Refusals come in a documented order: what is wrong first in the list is what the player hears."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from houses import plain_table
from trueodds.dice import Roll
from trueodds.money import Cents
from trueodds.rulebook import Spot
from trueodds.table import Bet, Code, Press, Reduce, Stand, Table, TakeDown
from trueodds.table.refusal import HOUSEKEEPING

DOLLARS = {"game": "mini_craps", "chip_unit": 100, "pay_unit": 100, "min_bet": 1000, "max_bet": 100_000}


def code(table: Table, action: Any) -> Code | None:
    refusal = table.verify(action)
    if refusal is not None:
        assert (refusal.code in HOUSEKEEPING) is not bool(refusal.cite or refusal.option), refusal
    return refusal.code if refusal else None


def test_a_bet_that_is_wrong_in_every_way_is_corrected_step_by_step() -> None:
    table = plain_table("new_jersey", DOLLARS)
    table.do(Stand("A"))
    wrong: dict[str, Any] = {
        "spot": Spot("small", (7,)), "stake": Cents(150), "tender": "credit", "timing": "in_air", "on": None,
    }  # fmt: skip
    heard = []
    fixes: list[dict[str, Any]] = [
        {}, {"spot": Spot("come", (7,))}, {"spot": Spot("come")}, {"tender": "verbal_cash"}, {"tender": "match_play"},
        {"tender": "chips"}, {"timing": "open"},
    ]  # fmt: skip
    for fix in fixes:
        wrong |= fix
        heard.append(code(table, Bet("A", **wrong)))
    table.position = table.position._replace(seats=(table.position.seats[0]._replace(seated=True),))
    heard.append(code(table, Bet("A", **wrong)))
    wrong["stake"] = Cents(200)
    heard.append(code(table, Bet("A", **wrong)))
    table.roll("2-4")
    heard.append(code(table, Bet("A", **wrong)))
    heard.append(code(table, Bet("A", **{**wrong, "stake": Cents(200_000)})))
    heard.append(code(table, Bet("A", **{**wrong, "stake": Cents(1000)})))
    assert heard == [
        Code.NOT_OFFERED, Code.BAD_SELECTION, Code.CALL_BET, Code.UNCONFIRMED, Code.TENDER, Code.LATE,
        Code.NOT_SEATED, Code.UNIT, Code.WINDOW, Code.BELOW_MIN, Code.ABOVE_MAX, None,
    ]  # fmt: skip


def test_limits_come_before_the_wagers_own_unit_and_that_before_payability() -> None:
    table = plain_table("new_jersey", {**DOLLARS, "horn_unit_rule": True})
    assert code(table, Bet("A", Spot("horn"), Cents(700))) is Code.BELOW_MIN
    assert code(table, Bet("A", Spot("horn"), Cents(1000))) is Code.UNIT
    assert code(table, Bet("A", Spot("horn"), Cents(1200))) is None
    loose = plain_table("new_jersey", DOLLARS)
    assert code(loose, Bet("A", Spot("horn"), Cents(1000))) is Code.UNPAYABLE


def test_odds_base_then_window_then_limit_then_payability() -> None:
    table = plain_table("new_jersey", {"chip_unit": 100, "pay_unit": 100, "odds_take": dict.fromkeys("456", 1)})
    odds = Spot("pass_odds")
    assert code(table, Bet("A", odds, Cents(150), on="p")) is Code.UNIT
    assert code(table, Bet("A", odds, Cents(5000), on="p")) is Code.NO_BASE
    table.bet("A", "pass", 500, tag="p")
    assert code(table, Bet("A", odds, Cents(5000), on="p")) is Code.WINDOW
    table.roll("1-4")
    assert code(table, Bet("A", odds, Cents(5000), on="p")) is Code.ODDS_LIMIT
    assert code(table, Bet("A", odds, Cents(500), on="p")) is Code.UNPAYABLE
    assert code(table, Bet("A", odds, Cents(600), on="p")) is None


def test_odds_stand_behind_one_s_own_bet() -> None:
    table = plain_table("new_jersey", players=("A", "B"))
    table.bet("A", "pass", 1000, tag="p")
    table.roll("2-4")
    assert code(table, Bet("B", Spot("pass_odds"), Cents(1000), on="p")) is Code.NO_BASE


def test_a_change_exists_then_timing_then_contract_then_direction_then_amount() -> None:
    table = plain_table("new_jersey", {"chip_unit": 100, "min_bet": 500, "max_bet": 5000})
    table.bet("A", "pass", 1000, tag="p")
    table.roll("2-4")
    late = Reduce("A", "nothing", Cents(9999), timing="in_air")
    assert code(table, late) is Code.NO_SUCH_BET
    assert code(table, replace(late, tag="p")) is Code.LATE
    assert code(table, Reduce("A", "p", Cents(9999))) is Code.CONTRACT
    assert code(table, Press("A", "p", Cents(10))) is Code.WINDOW
    table.bet("A", "place:5", 2000, tag="f")
    assert code(table, Reduce("A", "f", Cents(2000))) is Code.BAD_AMOUNT
    assert code(table, Reduce("A", "f", Cents(0))) is Code.BAD_AMOUNT
    assert code(table, Reduce("A", "f", Cents(-100))) is Code.BAD_AMOUNT
    assert code(table, Press("A", "f", Cents(2000))) is Code.BAD_AMOUNT
    assert code(table, Reduce("A", "f", Cents(450))) is Code.UNIT
    assert code(table, Reduce("A", "f", Cents(400))) is Code.BELOW_MIN
    assert code(table, Press("A", "f", Cents(6000))) is Code.ABOVE_MAX
    assert code(table, TakeDown("A", "f", timing="after_rest")) is Code.LATE


@pytest.mark.parametrize(
    ("game", "confirmed_by", "allowed"),
    [
        ("craps", ("dealer", "boxperson"), True),
        ("craps", ("boxperson", "dealer", "floorperson"), True),
        ("craps", ("dealer",), False),
        ("craps", ("dealer", "floorperson"), False),
        ("mini_craps", ("dealer", "floorperson"), True),
        ("mini_craps", ("dealer", "boxperson"), False),
        ("automated_craps", ("dealer", "boxperson", "floorperson"), False),
        ("automated_craps", (), False),
    ],
)
def test_1_3_a_who_confirms_a_late_bet(game: str, confirmed_by: tuple[str, ...], allowed: bool) -> None:
    table = plain_table("new_jersey", {"game": game})
    late = Bet("A", Spot("field"), Cents(500), timing="in_air", confirmed_by=confirmed_by)
    assert code(table, late) is (None if allowed else Code.LATE)
    assert code(table, Bet("A", Spot("field"), Cents(500), timing="after_rest", confirmed_by=confirmed_by)) is Code.LATE
    table.bet("A", "field", 500, tag="f")
    press = Press("A", "f", Cents(600), timing="in_air", confirmed_by=confirmed_by)
    assert code(table, press) is (None if allowed else Code.LATE)


@pytest.mark.parametrize("book", ["maryland", "rws", "south_dakota", "win_line"])
def test_other_books_take_no_late_bets(book: str) -> None:
    table = plain_table(book)
    staff = ("dealer", "boxperson", "floorperson")
    assert code(table, Bet("A", Spot("pass"), Cents(500), timing="in_air", confirmed_by=staff)) is Code.LATE


def test_somebody_who_is_not_there_and_a_tag_that_is_taken() -> None:
    table = plain_table("new_jersey")
    assert code(table, Bet("B", Spot("pass"), Cents(500))) is Code.NO_SUCH_PLAYER
    assert code(table, TakeDown("B", "p")) is Code.NO_SUCH_PLAYER
    assert code(table, Stand("B")) is Code.NO_SUCH_PLAYER
    table.bet("A", "pass", 500, tag="p")
    assert code(table, Bet("A", Spot("pass"), Cents(500), tag="p")) is Code.TAG_IN_USE
    table.do(Bet("A", Spot("field"), Cents(500)))
    assert table.roll(Roll(6, 6))
