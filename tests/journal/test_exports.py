"""Hands and statements: every throw, every settlement, every cent."""

from __future__ import annotations

from itertools import groupby

import pytest

from evening import Evening, usual_evening
from trueodds.dice import Roll
from trueodds.journal import Journal, NoSuchTableError, cashed_out, read_hands, read_statement
from trueodds.journal.walk import walk
from trueodds.table import AcceptDice, NoRoll, OpenTable, PassDice, Rolled, Throw


@pytest.fixture
def evening(journal: Journal) -> Evening:
    evening = Evening(journal)
    evening.sit("p1", 50_000)
    evening.sit("p2", 50_000)
    evening.bet("p1", "pass", 1500)
    evening.bet("p2", "dont_pass", 1500)
    evening.roll("4-4")
    evening.bet("p1", "buy:4", 2000)
    evening.roll("3-4")
    evening.roll("5-6")
    evening.write(cashed_out("p1", 10_000))
    return evening


@pytest.mark.usefixtures("evening")
def test_hands(journal: Journal) -> None:
    lines = list(read_hands(journal))
    told = [(one.hand, one.dice, one.point, one.point_after, one.player, one.wager, one.result) for one in lines]
    assert told == [
        (1, "4-4", 0, 8, "p1", "Pass", "no_action"),
        (1, "4-4", 0, 8, "p2", "Don't Pass", "no_action"),
        (1, "3-4", 8, 0, "p1", "Pass", "lose"),
        (1, "3-4", 8, 0, "p1", "Buy 4", "lose"),
        (1, "3-4", 8, 0, "p2", "Don't Pass", "win"),
        (2, "5-6", 0, 0, "", "", ""),
    ]
    won = lines[4]
    assert (won.seven_out, won.net_cents, won.paid_cents, won.odds) == (True, 1500, 3000, "1 to 1")
    assert won.call == "3-4, 7: seven out, the line is away"
    assert won.clause
    assert won.sentence.startswith("Don't Pass wins $15 on $15 at 1 to 1")
    assert won.clause in won.sentence
    mine = list(read_hands(journal, "t1", "p2"))
    assert [one.player for one in mine] == ["p2", "p2", ""]


def test_a_throw_that_does_not_count_is_in_the_hand(journal: Journal) -> None:
    evening = Evening(journal)
    evening.sit("p1", 50_000)
    evening.write(*evening.table.do(Throw(Roll(3, 4), irregular="off_table")))
    (line,) = read_hands(journal)
    assert (line.hand, line.dice, line.result, line.seven_out) == (1, "3-4", "", False)
    assert line.call.startswith("No roll (off table)")


def test_a_hand_ends_when_the_dice_are_passed(journal: Journal) -> None:
    evening = Evening(journal)
    evening.sit("p1", 50_000)
    evening.sit("p2", 50_000)
    evening.write(*evening.table.do(OpenTable()))
    for _ in range(2):
        custody = evening.table.position.custody
        assert custody is not None
        assert custody.offer_to is not None
        evening.write(*evening.table.do(AcceptDice(custody.offer_to)))
        evening.bet(custody.offer_to, "pass", 1500)
        evening.roll("5-6")
        evening.write(*evening.table.do(PassDice(custody.offer_to)))
    lines = list(read_hands(journal))
    assert [(one.hand, one.dice) for one in lines] == [(1, "5-6"), (2, "5-6")]
    assert len({one.shooter for one in lines}) == 2


@pytest.mark.usefixtures("evening")
def test_statements(journal: Journal) -> None:
    lines = list(read_statement(journal, player="p1"))
    told = [(one.what, one.wager, one.moved_cents, one.vigorish_cents, one.rack_cents, one.up_cents) for one in lines]
    assert told == [
        ("buy_in", "", 50_000, 0, 50_000, 0),
        ("bet", "Pass", -1500, 0, 48_500, 1500),
        ("bet", "Buy 4", -2100, 100, 46_400, 3500),
        ("loss", "Pass", 0, 0, 46_400, 2000),
        ("loss", "Buy 4", 0, 0, 46_400, 0),
        ("cash_out", "", -10_000, 0, 36_400, 0),
    ]
    assert lines[0].sentence == "bought in for $500"
    assert all(one.clause for one in lines[1:-1])


def test_statements_end_at_the_balances_and_hands_have_every_throw(journal: Journal) -> None:
    usual_evening(journal, "t1", actions=60, seed=1)
    usual_evening(journal, "t2", actions=10, seed=2)
    for table in ("t1", "t2"):
        state = journal.load(table)
        last = {one.player: (one.rack_cents, one.up_cents) for one in read_statement(journal, table)}
        assert {player: rack for player, (rack, _) in last.items()} == state.racks
        assert {f"layout:{player}": up for player, (_, up) in last.items()} == {
            account: cents for account, cents in state.balances.items() if account.startswith("layout:")
        } | {f"layout:{player}": 0 for player in state.racks if f"layout:{player}" not in state.balances}
        thrown = [row.sequence for row in walk(journal, table) if isinstance(row.content(), Rolled | NoRoll)]
        assert [number for number, _ in groupby(one.sequence for one in read_hands(journal, table))] == thrown
    assert {one.table_id for one in read_hands(journal)} == {"t1", "t2"}
    with pytest.raises(NoSuchTableError):
        list(read_hands(journal, "t9"))
