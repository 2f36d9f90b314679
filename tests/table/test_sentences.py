"""What people are told: one plain sentence for everything that happens, with its clause."""

from __future__ import annotations

from houses import plain_table
from trueodds.dice import Roll
from trueodds.money import Cents
from trueodds.rulebook import Spot
from trueodds.table import (
    AcceptDice,
    Bet,
    CallWager,
    Join,
    Leave,
    OpenTable,
    OrderPass,
    Press,
    Reduce,
    Rolled,
    Sit,
    Stand,
    Table,
    TakeDown,
    Throw,
)


def told(table: Table, dice: str) -> dict[str, str]:
    (event, *_) = table.roll(dice)
    assert isinstance(event, Rolled)
    return {one.tag: one.sentence for one in event.settled}


def test_every_result_has_its_sentence() -> None:
    table = plain_table("maryland")
    table.bet("A", "dont_pass", 1000, tag="d")
    table.bet("A", "place:6", 100, tag="f")
    said = told(table, "6-6")
    assert said["d"] == "Don't Pass is void on 12, $10 returned: COMAR 36.05.05.03A(2)(c)"
    assert said["f"] == "Place 6 is off: COMAR 36.05.05.03A(5)(a)"
    table.roll("2-2")
    table.bet("A", "come", 1000, tag="c")
    table.bet("A", "whirl", 500, tag="w")
    said = told(table, "3-3")
    assert said["f"].startswith("Place 6 wins $1.16 on $1 at 7 to 6, breakage 2/3 cents: ")
    assert said["c"].startswith("Come travels to 6: ")
    assert said["w"].startswith("Whirl loses $5 to 6: ")
    table.bet("A", "come_odds", 5000, on="c", tag="o")
    table.bet("A", "whirl", 500, tag="w")
    said = told(table, "2-2")
    assert said["c"].startswith("Come on 6 stays up, no decision on 4: ")
    said = told(table, "3-4")
    assert said["c"].startswith("Come on 6 loses $10 to 7: ")
    assert said["o"] == "Come Odds 6 was off, $50 returned: our choice A-06"


def test_combinations_name_the_share_that_won_and_charges_are_told() -> None:
    table = plain_table("maryland", {"after_win": "up", "vig_timing": {"lay": "on_win"}, "pay_unit": 100})
    table.bet("A", "horn", 400, tag="h")
    assert told(table, "6-5")["h"].startswith("Horn wins $12 on $4 (Eleven at 15 to 1): ")
    table.bet("A", "lay:4", 4000, tag="y")
    said = told(table, "3-4")["y"]
    assert said.startswith("Lay 4 wins $20 on $40 at 1 to 2, vigorish $2, and stays up: ")


def test_throws_are_called() -> None:
    table = plain_table("new_jersey")
    calls = [table.roll(dice)[0].sentence for dice in ("5-6", "2-2", "5-6", "2-2", "3-3", "3-4")]
    assert calls == [
        "5-6, 11",
        "2-2, 4: the point is 4",
        "5-6, 11",
        "2-2, 4: the point is made",
        "3-3, 6: the point is 6",
        "3-4, 7: seven out, the line is away",
    ]
    (no_roll,) = table.do(Throw(Roll(3, 4), irregular="die_on_die"))
    assert no_roll.sentence == "No roll (die on die): N.J.A.C. 19:47-1.9(a)"


def test_people_and_chips_are_told_of() -> None:
    table = plain_table("new_jersey", {"game": "mini_craps"}, ("Ann", "Bob"))
    said = []
    for action in (
        Stand("Ann"), Sit("Ann"), Join("Cy"), Leave("Cy"), OpenTable(), AcceptDice("Ann"),
        Bet("Ann", Spot("buy", (4,)), Cents(4000), tag="b"), Press("Ann", "b", Cents(6000)),
        Reduce("Ann", "b", Cents(2000)), CallWager("Ann", "b", "on"), TakeDown("Ann", "b"),
        OrderPass("dealer", "delay"),
    ):  # fmt: skip
        said += [event.sentence.partition(": ")[0] for event in table.do(action)]
    assert said == [
        "Ann gets up", "Ann sits down", "Cy comes to the table", "Cy leaves the table",
        "The table is open, the dice are offered to Ann", "Ann is the shooter", "Buy 4 for $40, vigorish $2",
        "Buy 4 goes from $40 to $60, vigorish $1", "Buy 4 goes from $60 to $20, vigorish $2 refunded", "Buy 4 is on",
        "Buy 4 for $20 comes down, vigorish $1 refunded",
        "Ann is ordered to pass the dice by the dealer for delay, the dice are offered to Bob",
    ]  # fmt: skip
