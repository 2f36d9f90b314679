"""Player totals, compared with a computation from all events."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from support.journal_session import JournalSession
from support.random_play import random_legal_action
from trueodds.journal import (
    DAY_MS,
    Journal,
    LastDayTotals,
    PlayerTotals,
    bought_in,
    cashed_out,
    check_journal,
    postings_for_event,
)
from trueodds.journal.iter_events import iter_events
from trueodds.journal.ledger import layout_account, rack_account
from trueodds.journal.player_totals import total_seated_ms
from trueodds.table import Leave, Refused

HOUR_MS = 3_600_000
PLAYERS = ("p1", "p2")


class Life:
    """Two players who join, play at and leave three tables over several days."""

    def __init__(self, journal: Journal, seed: int) -> None:
        self.journal = journal
        self.random = Random(seed)
        self.evenings = [JournalSession(journal, f"t{number}") for number in range(3)]
        self.now_ms = self.evenings[0].now_ms

    def live(self, steps: int) -> None:
        for _ in range(steps):
            self.now_ms += self.random.choice([1000, 60_000, HOUR_MS, 5 * HOUR_MS])
            session = self.random.choice(self.evenings)
            session.now_ms = self.now_ms - 1
            self.step(session, self.random.choice(PLAYERS))

    def step(self, session: JournalSession, player: str) -> None:
        seat = session.table.position.find_seat(player)
        cents = self.journal.load_state(session.table_id).racks_cents.get(player, 0)
        if seat is None:
            session.join(player, 1_000_000)
        elif not seat.wagers and self.random.random() < 0.5:
            paid = [cashed_out(player, cents)] if cents else []
            session.append(*paid, *session.table.do(Leave(player)))
        elif self.random.random() < 0.1:
            session.append(bought_in(player, 5000))
        else:
            try:
                session.append(*session.table.do(random_legal_action(session.table, self.random)))
            except Refused:
                return

    def won(self, player: str, after_ms: int) -> int:
        """What the house paid less what it took, by all postings of all rows."""
        mine = {rack_account(player), layout_account(player)}
        return sum(
            posting.cents
            for session in self.evenings
            for row in iter_events(self.journal, session.table_id)
            if row.at_ms > after_ms and row.kind not in {"bought_in", "cashed_out"}
            for posting in postings_for_event(row.decode())
            if posting.account in mine
        )

    def bought(self, player: str, kind: str, after_ms: int) -> int:
        contents = [
            row.decode()
            for session in self.evenings
            for row in iter_events(self.journal, session.table_id)
            if row.at_ms > after_ms and row.kind == kind
        ]
        return sum(one.body["cents"] for one in contents if one.body["player"] == player)  # type: ignore[union-attr]  # records


@pytest.mark.parametrize("seed", range(4))
def test_totals_match_the_events(journal: Journal, seed: int) -> None:
    life = Life(journal, seed)
    for _ in range(4):
        life.live(30)
        for player in PLAYERS:
            for now_ms in (life.now_ms, life.now_ms + 7 * HOUR_MS):
                found = journal.player_totals.across_tables(player, now_ms)
                cut_ms = now_ms - DAY_MS
                assert found.total.net_cents == life.won(player, 0)
                assert found.total.bought_in_cents == life.bought(player, "bought_in", 0)
                assert found.total.net_cents == sum(one.net_cents for one in found.by_table.values())
                assert found.last_day.net_cents == life.won(player, cut_ms)
                assert found.last_day.bought_in_cents == life.bought(player, "bought_in", cut_ms)
                assert found.last_day.cashed_out_cents == life.bought(player, "cashed_out", cut_ms)
                assert 0 <= found.last_day.seated_ms <= DAY_MS
        for session in life.evenings:
            state = journal.load_state(session.table_id)
            here = journal.player_totals.at_table(state, PLAYERS, life.now_ms)
            for player in PLAYERS:
                everywhere = journal.player_totals.across_tables(player, life.now_ms)
                assert here[player] == everywhere.by_table.get(session.table_id, PlayerTotals())
    assert check_journal(journal) == ()


def test_the_totals_of_two_tables(journal: Journal) -> None:
    first, second = JournalSession(journal, "t1"), JournalSession(journal, "t2")
    start = first.now_ms
    first.join("p1", 50_000)
    first.bet("p1", "pass", 1500)
    first.now_ms = second.now_ms = start + HOUR_MS
    second.join("p1", 10_000)
    second.bet("p1", "pass", 1000)
    second.roll("1-1")
    now_ms = start + 2 * HOUR_MS
    found = journal.player_totals.across_tables("p1", now_ms)
    assert found.by_table["t1"] == PlayerTotals(50_000, 0, 48_500, 1500, start + 1, 2 * HOUR_MS - 1)
    assert found.by_table["t2"] == PlayerTotals(10_000, 0, 9000, 0, start + HOUR_MS + 1, HOUR_MS - 1)
    assert found.total == PlayerTotals(60_000, 0, 57_500, 1500, start + 1, 2 * HOUR_MS - 1)
    assert found.total.net_cents == -1000
    assert found.last_day == LastDayTotals(60_000, 0, -1000, 2 * HOUR_MS - 1)
    later = journal.player_totals.across_tables("p1", start + HOUR_MS // 2 + DAY_MS)
    assert later.last_day == LastDayTotals(10_000, 0, -1000, DAY_MS)
    assert later.total.net_cents == -1000
    last = journal.player_totals.across_tables("p1", start + 3 * HOUR_MS + DAY_MS)
    assert last.last_day == LastDayTotals(0, 0, 0, DAY_MS)
    assert journal.player_totals.across_tables("nobody", now_ms) == ({}, PlayerTotals(), LastDayTotals())


def test_totals_are_those_of_the_given_state(journal: Journal) -> None:
    """Later events do not change them."""
    session = JournalSession(journal)
    state = session.join("p1", 50_000).state
    session.append(bought_in("p1", 7000))
    assert journal.player_totals.at_table(state, ["p1"], session.now_ms)["p1"].bought_in_cents == 50_000
    now = journal.load_state("t1")
    assert journal.player_totals.at_table(now, ["p1"], session.now_ms)["p1"].net_cents == 0


@given(st.lists(st.tuples(st.integers(0, 60), st.integers(0, 60)), max_size=6), st.integers(0, 60))
def test_time_at_several_tables_counts_once(stays: list[tuple[int, int]], after: int) -> None:
    moments = {ms for begin, end in stays for ms in range(begin, end) if ms >= after}
    assert total_seated_ms(stays, after) == len(moments)
