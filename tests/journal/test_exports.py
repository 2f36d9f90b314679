"""Exports of hands and statements."""

from __future__ import annotations

from itertools import groupby

import pytest

from support.journal_session import JournalSession, play_sample_session
from trueodds.dice import Roll
from trueodds.journal import Journal, NoSuchTableError, cashed_out, iter_hand_rows, iter_statement_rows
from trueodds.journal.iter_events import iter_events
from trueodds.table import AcceptDice, NoRoll, OpenTable, PassDice, RollDice, Rolled


@pytest.fixture
def session(journal: Journal) -> JournalSession:
    session = JournalSession(journal)
    session.join("p1", 50_000)
    session.join("p2", 50_000)
    session.bet("p1", "pass", 1500)
    session.bet("p2", "dont_pass", 1500)
    session.roll("4-4")
    session.bet("p1", "buy:4", 2000)
    session.roll("3-4")
    session.roll("5-6")
    session.append(cashed_out("p1", 10_000))
    return session


@pytest.mark.usefixtures("session")
def test_hands(journal: Journal) -> None:
    lines = list(iter_hand_rows(journal))
    told = [(one.hand, one.dice, one.point_before, one.point_after, one.player, one.wager, one.result) for one in lines]
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
    assert won.stick_call == "3-4, 7: seven out, the line is away"
    assert won.clause
    assert won.sentence.startswith("Don't Pass wins $15 on $15 at 1 to 1")
    assert won.clause in won.sentence
    mine = list(iter_hand_rows(journal, "t1", "p2"))
    assert [one.player for one in mine] == ["p2", "p2", ""]


def test_a_no_roll_is_in_the_hand(journal: Journal) -> None:
    session = JournalSession(journal)
    session.join("p1", 50_000)
    session.append(*session.table.do(RollDice(Roll(3, 4), irregularity="off_table")))
    (line,) = iter_hand_rows(journal)
    assert (line.hand, line.dice, line.result, line.seven_out) == (1, "3-4", "", False)
    assert line.stick_call.startswith("No roll (off table)")


def test_a_hand_ends_when_the_dice_are_passed(journal: Journal) -> None:
    session = JournalSession(journal)
    session.join("p1", 50_000)
    session.join("p2", 50_000)
    session.append(*session.table.do(OpenTable()))
    for _ in range(2):
        custody = session.table.position.custody
        assert custody is not None
        assert custody.offered_to is not None
        session.append(*session.table.do(AcceptDice(custody.offered_to)))
        session.bet(custody.offered_to, "pass", 1500)
        session.roll("5-6")
        session.append(*session.table.do(PassDice(custody.offered_to)))
    lines = list(iter_hand_rows(journal))
    assert [(one.hand, one.dice) for one in lines] == [(1, "5-6"), (2, "5-6")]
    assert len({one.shooter for one in lines}) == 2


@pytest.mark.usefixtures("session")
def test_statements(journal: Journal) -> None:
    lines = list(iter_statement_rows(journal, player="p1"))
    told = [
        (one.kind, one.wager, one.rack_change_cents, one.vig_cents, one.rack_cents, one.layout_cents) for one in lines
    ]
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


def test_statements_end_at_the_balances_and_hands_have_every_roll(journal: Journal) -> None:
    play_sample_session(journal, "t1", actions=60, seed=1)
    play_sample_session(journal, "t2", actions=10, seed=2)
    for table in ("t1", "t2"):
        state = journal.load_state(table)
        last = {one.player: (one.rack_cents, one.layout_cents) for one in iter_statement_rows(journal, table)}
        assert {player: rack for player, (rack, _) in last.items()} == state.racks_cents
        assert {f"layout:{player}": up for player, (_, up) in last.items()} == {
            account: cents for account, cents in state.balances.items() if account.startswith("layout:")
        } | {f"layout:{player}": 0 for player in state.racks_cents if f"layout:{player}" not in state.balances}
        thrown = [row.sequence for row in iter_events(journal, table) if isinstance(row.decode(), Rolled | NoRoll)]
        assert [number for number, _ in groupby(one.sequence for one in iter_hand_rows(journal, table))] == thrown
    assert {one.table_id for one in iter_hand_rows(journal)} == {"t1", "t2"}
    with pytest.raises(NoSuchTableError):
        list(iter_hand_rows(journal, "t9"))
