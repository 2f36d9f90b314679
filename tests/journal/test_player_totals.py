"""How somebody stands, held against the fold of every row of every table."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evening import Evening
from play import lawful_action
from trueodds.journal import DAY_MS, Day, Journal, Standing, bought_in, cashed_out, check_journal, postings
from trueodds.journal.ledger import layout, rack
from trueodds.journal.standing import seated_ms
from trueodds.journal.walk import walk
from trueodds.table import Leave, Refused

HOUR_MS = 3_600_000
PLAYERS = ("p1", "p2")


class Life:
    """Two people who come to three tables, play, and go, over several days."""

    def __init__(self, journal: Journal, seed: int) -> None:
        self.journal = journal
        self.random = Random(seed)
        self.evenings = [Evening(journal, f"t{number}") for number in range(3)]
        self.now_ms = self.evenings[0].now_ms

    def live(self, steps: int) -> None:
        for _ in range(steps):
            self.now_ms += self.random.choice([1000, 60_000, HOUR_MS, 5 * HOUR_MS])
            evening = self.random.choice(self.evenings)
            evening.now_ms = self.now_ms - 1
            self.step(evening, self.random.choice(PLAYERS))

    def step(self, evening: Evening, player: str) -> None:
        seat = evening.table.position.seat_of(player)
        cents = self.journal.load(evening.table_id).racks.get(player, 0)
        if seat is None:
            evening.sit(player, 1_000_000)
        elif not seat.entries and self.random.random() < 0.5:
            paid = [cashed_out(player, cents)] if cents else []
            evening.write(*paid, *evening.table.do(Leave(player)))
        elif self.random.random() < 0.1:
            evening.write(bought_in(player, 5000))
        else:
            try:
                evening.write(*evening.table.do(lawful_action(evening.table, self.random)))
            except Refused:
                return

    def won(self, player: str, after_ms: int) -> int:
        """What the house paid less what it took, by all postings of all rows."""
        mine = {rack(player), layout(player)}
        return sum(
            posting.cents
            for evening in self.evenings
            for row in walk(self.journal, evening.table_id)
            if row.at_ms > after_ms and row.kind not in {"bought_in", "cashed_out"}
            for posting in postings(row.content())
            if posting.account in mine
        )

    def bought(self, player: str, kind: str, after_ms: int) -> int:
        contents = [
            row.content()
            for evening in self.evenings
            for row in walk(self.journal, evening.table_id)
            if row.at_ms > after_ms and row.kind == kind
        ]
        return sum(one.body["cents"] for one in contents if one.body["player"] == player)  # type: ignore[union-attr]  # records


@pytest.mark.parametrize("seed", range(4))
def test_standing_is_what_the_rows_come_to(journal: Journal, seed: int) -> None:
    life = Life(journal, seed)
    for _ in range(4):
        life.live(30)
        for player in PLAYERS:
            for now_ms in (life.now_ms, life.now_ms + 7 * HOUR_MS):
                found = journal.standings.everywhere(player, now_ms)
                cut_ms = now_ms - DAY_MS
                assert found.total.net_cents == life.won(player, 0)
                assert found.total.bought_cents == life.bought(player, "bought_in", 0)
                assert found.total.net_cents == sum(one.net_cents for one in found.tables.values())
                assert found.day.net_cents == life.won(player, cut_ms)
                assert found.day.bought_cents == life.bought(player, "bought_in", cut_ms)
                assert found.day.cashed_cents == life.bought(player, "cashed_out", cut_ms)
                assert 0 <= found.day.seated_ms <= DAY_MS
        for evening in life.evenings:
            state = journal.load(evening.table_id)
            here = journal.standings.at_table(state, PLAYERS, life.now_ms)
            for player in PLAYERS:
                everywhere = journal.standings.everywhere(player, life.now_ms)
                assert here[player] == everywhere.tables.get(evening.table_id, Standing())
    assert check_journal(journal) == ()


def test_an_evening_in_figures(journal: Journal) -> None:
    first, second = Evening(journal, "t1"), Evening(journal, "t2")
    start = first.now_ms
    first.sit("p1", 50_000)
    first.bet("p1", "pass", 1500)
    first.now_ms = second.now_ms = start + HOUR_MS
    second.sit("p1", 10_000)
    second.bet("p1", "pass", 1000)
    second.roll("1-1")
    now_ms = start + 2 * HOUR_MS
    found = journal.standings.everywhere("p1", now_ms)
    assert found.tables["t1"] == Standing(50_000, 0, 48_500, 1500, start + 1, 2 * HOUR_MS - 1)
    assert found.tables["t2"] == Standing(10_000, 0, 9000, 0, start + HOUR_MS + 1, HOUR_MS - 1)
    assert found.total == Standing(60_000, 0, 57_500, 1500, start + 1, 2 * HOUR_MS - 1)
    assert found.total.net_cents == -1000
    assert found.day == Day(60_000, 0, -1000, 2 * HOUR_MS - 1)
    later = journal.standings.everywhere("p1", start + HOUR_MS // 2 + DAY_MS)
    assert later.day == Day(10_000, 0, -1000, DAY_MS)
    assert later.total.net_cents == -1000
    last = journal.standings.everywhere("p1", start + 3 * HOUR_MS + DAY_MS)
    assert last.day == Day(0, 0, 0, DAY_MS)
    assert journal.standings.everywhere("nobody", now_ms) == ({}, Standing(), Day())


def test_a_standing_is_of_the_state_it_is_asked_for(journal: Journal) -> None:
    """A table that has gone on meanwhile changes nothing."""
    evening = Evening(journal)
    state = evening.sit("p1", 50_000).state
    evening.write(bought_in("p1", 7000))
    assert journal.standings.at_table(state, ["p1"], evening.now_ms)["p1"].bought_cents == 50_000
    now = journal.load("t1")
    assert journal.standings.at_table(now, ["p1"], evening.now_ms)["p1"].net_cents == 0


@given(st.lists(st.tuples(st.integers(0, 60), st.integers(0, 60)), max_size=6), st.integers(0, 60))
def test_time_at_several_tables_counts_once(stays: list[tuple[int, int]], after: int) -> None:
    moments = {ms for begin, end in stays for ms in range(begin, end) if ms >= after}
    assert seated_ms(stays, after) == len(moments)
