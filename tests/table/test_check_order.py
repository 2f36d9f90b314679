"""The order of the checks: of several problems, the first in the documented order gives the refusal."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from support.houses import book_default_table
from trueodds.craps_table import Table
from trueodds.dice import Roll
from trueodds.money import Cents
from trueodds.rulebook import Spot
from trueodds.table import Bet, Press, Reduce, RefusalCode, Sit, Stand, TakeDown
from trueodds.table.refusal import CODES_WITHOUT_CLAUSE

DOLLARS = {"game": "mini_craps", "chip_unit": 100, "pay_unit": 100, "min_bet": 1000, "max_bet": 100_000}


def code(table: Table, action: Any) -> RefusalCode | None:
    refusal = table.verify(action)
    if refusal is not None:
        assert (refusal.code in CODES_WITHOUT_CLAUSE) is not bool(refusal.cite or refusal.option), refusal
    return refusal.code if refusal else None


def test_a_bet_that_is_wrong_in_every_way_is_corrected_step_by_step() -> None:
    table = book_default_table("new_jersey", DOLLARS)
    table.do(Stand("A"))
    wrong: dict[str, Any] = {
        "spot": Spot("small", (7,)), "stake_cents": Cents(150), "tender": "credit", "timing": "in_air",
        "base_tag": None,
    }  # fmt: skip
    codes = []
    fixes: list[dict[str, Any]] = [
        {}, {"spot": Spot("come", (7,))}, {"spot": Spot("come")}, {"tender": "verbal_cash"}, {"tender": "match_play"},
        {"tender": "chips"}, {"timing": "open"},
    ]  # fmt: skip
    for fix in fixes:
        wrong |= fix
        codes.append(code(table, Bet("A", **wrong)))
    table.do(Sit("A"))
    codes.append(code(table, Bet("A", **wrong)))
    wrong["stake_cents"] = Cents(200)
    codes.append(code(table, Bet("A", **wrong)))
    table.roll("2-4")
    codes.append(code(table, Bet("A", **wrong)))
    codes.append(code(table, Bet("A", **{**wrong, "stake_cents": Cents(200_000)})))
    codes.append(code(table, Bet("A", **{**wrong, "stake_cents": Cents(1000)})))
    assert codes == [
        RefusalCode.NOT_OFFERED,
        RefusalCode.BAD_SELECTION,
        RefusalCode.CALL_BET,
        RefusalCode.UNCONFIRMED,
        RefusalCode.TENDER,
        RefusalCode.LATE,
        RefusalCode.NOT_SEATED,
        RefusalCode.UNIT,
        RefusalCode.WINDOW,
        RefusalCode.BELOW_MIN,
        RefusalCode.ABOVE_MAX,
        None,
    ]


def test_limits_come_before_the_wagers_own_unit_and_that_before_payability() -> None:
    table = book_default_table("new_jersey", {**DOLLARS, "horn_unit_rule": True})
    assert code(table, Bet("A", Spot("horn"), Cents(700))) is RefusalCode.BELOW_MIN
    assert code(table, Bet("A", Spot("horn"), Cents(1000))) is RefusalCode.UNIT
    assert code(table, Bet("A", Spot("horn"), Cents(1200))) is None
    loose = book_default_table("new_jersey", DOLLARS)
    assert code(loose, Bet("A", Spot("horn"), Cents(1000))) is RefusalCode.UNPAYABLE


def test_odds_base_then_window_then_limit_then_payability() -> None:
    table = book_default_table("new_jersey", {"chip_unit": 100, "pay_unit": 100, "odds_take": dict.fromkeys("456", 1)})
    odds = Spot("pass_odds")
    assert code(table, Bet("A", odds, Cents(150), base_tag="p")) is RefusalCode.UNIT
    assert code(table, Bet("A", odds, Cents(5000), base_tag="p")) is RefusalCode.NO_BASE
    table.bet("A", "pass", 5, tag="p")
    assert code(table, Bet("A", odds, Cents(5000), base_tag="p")) is RefusalCode.WINDOW
    table.roll("1-4")
    assert code(table, Bet("A", odds, Cents(5000), base_tag="p")) is RefusalCode.ODDS_LIMIT
    assert code(table, Bet("A", odds, Cents(500), base_tag="p")) is RefusalCode.UNPAYABLE
    assert code(table, Bet("A", odds, Cents(600), base_tag="p")) is None


def test_odds_stand_behind_the_players_own_bet() -> None:
    table = book_default_table("new_jersey", players=("A", "B"))
    table.bet("A", "pass", 10, tag="p")
    table.roll("2-4")
    assert code(table, Bet("B", Spot("pass_odds"), Cents(1000), base_tag="p")) is RefusalCode.NO_BASE


def test_a_change_exists_then_timing_then_contract_then_direction_then_amount() -> None:
    table = book_default_table("new_jersey", {"chip_unit": 100, "min_bet": 500, "max_bet": 5000})
    table.bet("A", "pass", 10, tag="p")
    table.roll("2-4")
    late = Reduce("A", "nothing", Cents(9999), timing="in_air")
    assert code(table, late) is RefusalCode.NO_SUCH_BET
    assert code(table, replace(late, tag="p")) is RefusalCode.LATE
    assert code(table, Reduce("A", "p", Cents(9999))) is RefusalCode.CONTRACT
    assert code(table, Press("A", "p", Cents(10))) is RefusalCode.WINDOW
    table.bet("A", "place:5", 20, tag="f")
    assert code(table, Reduce("A", "f", Cents(2000))) is RefusalCode.BAD_AMOUNT
    assert code(table, Reduce("A", "f", Cents(0))) is RefusalCode.BAD_AMOUNT
    assert code(table, Reduce("A", "f", Cents(-100))) is RefusalCode.BAD_AMOUNT
    assert code(table, Press("A", "f", Cents(2000))) is RefusalCode.BAD_AMOUNT
    assert code(table, Reduce("A", "f", Cents(450))) is RefusalCode.UNIT
    assert code(table, Reduce("A", "f", Cents(400))) is RefusalCode.BELOW_MIN
    assert code(table, Press("A", "f", Cents(6000))) is RefusalCode.ABOVE_MAX
    assert code(table, TakeDown("A", "f", timing="after_rest")) is RefusalCode.LATE


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
    table = book_default_table("new_jersey", {"game": game})
    late = Bet("A", Spot("field"), Cents(500), timing="in_air", confirmed_by=confirmed_by)
    assert code(table, late) is (None if allowed else RefusalCode.LATE)
    assert (
        code(table, Bet("A", Spot("field"), Cents(500), timing="after_rest", confirmed_by=confirmed_by))
        is RefusalCode.LATE
    )
    table.bet("A", "field", 5, tag="f")
    press = Press("A", "f", Cents(600), timing="in_air", confirmed_by=confirmed_by)
    assert code(table, press) is (None if allowed else RefusalCode.LATE)


@pytest.mark.parametrize("book", ["maryland", "rws", "south_dakota", "win_line"])
def test_other_books_take_no_late_bets(book: str) -> None:
    table = book_default_table(book)
    staff = ("dealer", "boxperson", "floorperson")
    assert code(table, Bet("A", Spot("pass"), Cents(500), timing="in_air", confirmed_by=staff)) is RefusalCode.LATE


def test_an_unknown_player_and_a_tag_in_use() -> None:
    table = book_default_table("new_jersey")
    assert code(table, Bet("B", Spot("pass"), Cents(500))) is RefusalCode.NO_SUCH_PLAYER
    assert code(table, TakeDown("B", "p")) is RefusalCode.NO_SUCH_PLAYER
    assert code(table, Stand("B")) is RefusalCode.NO_SUCH_PLAYER
    table.bet("A", "pass", 5, tag="p")
    assert code(table, Bet("A", Spot("pass"), Cents(500), tag="p")) is RefusalCode.TAG_IN_USE
    table.do(Bet("A", Spot("field"), Cents(500)))
    assert table.roll(Roll(6, 6))
