"""Sentences for the players: every event has one, with its clause."""

from __future__ import annotations

from support.houses import book_default_table
from trueodds.craps_table import Table
from trueodds.dice import Roll
from trueodds.money import Cents
from trueodds.rulebook import Spot
from trueodds.table import (
    AcceptDice,
    Bet,
    Join,
    Leave,
    OpenTable,
    OrderPass,
    Press,
    Reduce,
    RollDice,
    Rolled,
    Sit,
    Stand,
    TakeDown,
    ToggleBet,
)


def settlement_sentences(table: Table, dice: str) -> dict[str, str]:
    (event, *_) = table.roll(dice)
    assert isinstance(event, Rolled)
    return {one.tag: one.sentence for one in event.settled}


def test_every_result_has_its_sentence() -> None:
    table = book_default_table("maryland")
    table.bet("A", "dont_pass", 10, tag="d")
    table.bet("A", "place:6", 1, tag="f")
    output = settlement_sentences(table, "6-6")
    assert output["d"] == "Don't Pass is void on 12, $10 returned: COMAR 36.05.05.03A(2)(c)"
    assert output["f"] == "Place 6 is off: COMAR 36.05.05.03A(5)(a)"
    table.roll("2-2")
    table.bet("A", "come", 10, tag="c")
    table.bet("A", "whirl", 5, tag="w")
    output = settlement_sentences(table, "3-3")
    assert output["f"].startswith("Place 6 wins $1.16 on $1 at 7 to 6, breakage 2/3 cents: ")
    assert output["c"].startswith("Come travels to 6: ")
    assert output["w"].startswith("Whirl loses $5 to 6: ")
    table.bet("A", "come_odds", 50, base_tag="c", tag="o")
    table.bet("A", "whirl", 5, tag="w")
    output = settlement_sentences(table, "2-2")
    assert output["c"].startswith("Come on 6 stays up, no decision on 4: ")
    output = settlement_sentences(table, "3-4")
    assert output["c"].startswith("Come on 6 loses $10 to 7: ")
    assert output["o"] == "Come Odds 6 was off, $50 returned: our choice A-06"


def test_sentences_of_combinations_and_charges() -> None:
    table = book_default_table("maryland", {"after_win": "up", "vig_timing": {"lay": "on_win"}, "pay_unit": 100})
    table.bet("A", "horn", 4, tag="h")
    assert settlement_sentences(table, "6-5")["h"].startswith("Horn wins $12 on $4 (Eleven at 15 to 1): ")
    table.bet("A", "lay:4", 40, tag="y")
    output = settlement_sentences(table, "3-4")["y"]
    assert output.startswith("Lay 4 wins $20 on $40 at 1 to 2, vigorish $2, and stays up: ")


def test_sentences_of_rolls() -> None:
    table = book_default_table("new_jersey")
    calls = [table.roll(dice)[0].sentence for dice in ("5-6", "2-2", "5-6", "2-2", "3-3", "3-4")]
    assert calls == [
        "5-6, 11",
        "2-2, 4: the point is 4",
        "5-6, 11",
        "2-2, 4: the point is made",
        "3-3, 6: the point is 6",
        "3-4, 7: seven out, the line is away",
    ]
    (no_roll,) = table.do(RollDice(Roll(3, 4), irregularity="die_on_die"))
    assert no_roll.sentence == "No roll (die on die): N.J.A.C. 19:47-1.9(a)"


def test_sentences_of_players_and_bets() -> None:
    table = book_default_table("new_jersey", {"game": "mini_craps"}, ("Ann", "Bob"))
    output = []
    for action in (
        Stand("Ann"), Sit("Ann"), Join("Cy"), Leave("Cy"), OpenTable(), AcceptDice("Ann"),
        Bet("Ann", Spot("buy", (4,)), Cents(4000), tag="b"), Press("Ann", "b", Cents(6000)),
        Reduce("Ann", "b", Cents(2000)), ToggleBet("Ann", "b", "on"), TakeDown("Ann", "b"),
        OrderPass("dealer", "delay"),
    ):  # fmt: skip
        output += [event.sentence.partition(": ")[0] for event in table.do(action)]
    assert output == [
        "Ann gets up", "Ann sits down", "Cy comes to the table", "Cy leaves the table",
        "The table is open, the dice are offered to Ann", "Ann is the shooter", "Buy 4 for $40, vigorish $2",
        "Buy 4 goes from $40 to $60, vigorish $1", "Buy 4 goes from $60 to $20, vigorish $2 refunded", "Buy 4 is on",
        "Buy 4 for $20 comes down, vigorish $1 refunded",
        "Ann is ordered to pass the dice by the dealer for delay, the dice are offered to Bob",
    ]  # fmt: skip
