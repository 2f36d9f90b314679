"""Limits on the floor: who is refused what, at one table and at several, and what the table is told."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from trueodds.fair import Key
from trueodds.journal import Journal, check_journal
from trueodds.rulebook import open_house
from trueodds.service.floor import Floor
from trueodds.service.limit import Limit, Limits
from trueodds.service.pace import Pace

KEY = Key(bytes(range(32)))
QUICK = Pace(between_ms=0, window_ms=0, opening_ms=100, shooter_ms=600_000, offer_ms=600_000)
HOUR_MS = 3_600_000
MINUTES_MS = 300_000
"""Less than the table waits for whoever has the dice."""
MAY_LOSE = 10_000


class Casino:
    """A floor, tables, a clock that is set by hand, and Ann, who has limits.

    Nobody commits to a seed and tables have their names, so that the dice are the same every time.
    """

    def __init__(self, journal: Journal) -> None:
        self.now_ms = 1_700_000_000_000
        self.limits: Limits | None = Limits(Limit(MAY_LOSE))
        self.journal = journal
        self.floor = Floor(journal, KEY, lambda: self.now_ms, pace=QUICK)
        self.count = self.tables = 0

    def open(self) -> str:
        self.tables += 1
        return self.floor.create(open_house("new_jersey"), f"t{self.tables}").result(20)

    def begin(self, table: str, wish: str, player: str = "ann", **more: Any) -> Any:
        self.count += 1
        limits = self.limits if player == "ann" else None
        return self.floor.ask(table, player, str(self.count), {"wish": wish, **more}, limits)

    def ask(self, table: str, wish: str, player: str = "ann", **more: Any) -> Any:
        return self.begin(table, wish, player, **more).result(20)

    def code(self, table: str, wish: str, **more: Any) -> str:
        answer = self.ask(table, wish, **more)
        return "" if answer["ok"] else str(answer["error"]["code"])

    def told(self, table: str) -> int:
        return sum(row.kind == "limits" for row in self.journal.rows(table))


@pytest.fixture
def casino(journal: Journal) -> Iterator[Casino]:
    made = Casino(journal)
    yield made
    made.floor.close()
    assert not check_journal(journal)


def test_chips_beyond_the_limit_are_not_sold(casino: Casino) -> None:
    table = casino.open()
    no = casino.ask(table, "sit", cents=MAY_LOSE + 1)["error"]
    assert (no["code"], no["allowed_cents"]) == ("loss_limit", MAY_LOSE)
    assert "$100" in no["sentence"]
    assert [row.kind for row in casino.journal.rows(table)] == ["anchored"], "who has no seat is nobody's business"
    assert casino.ask(table, "sit", cents=6000)["ok"]
    assert casino.ask(table, "buy_in", cents=4001)["error"]["allowed_cents"] == 4000
    assert casino.ask(table, "buy_in", cents=4000)["ok"]
    assert casino.ask(casino.open(), "sit", cents=1)["error"]["allowed_cents"] == 0
    assert casino.ask(table, "sit", player="bob", cents=5_000_000)["ok"]


def test_a_bet_beyond_the_limit_is_refused_and_everything_else_is_not(casino: Casino) -> None:
    table = casino.open()
    casino.limits = None
    casino.ask(table, "sit", cents=500_000)
    casino.limits = Limits(Limit(MAY_LOSE))
    assert casino.ask(table, "bet", spot="pass", cents=6000)["ok"]
    no = casino.ask(table, "bet", spot="field", cents=4500)["error"]
    assert (no["code"], no["allowed_cents"]) == ("loss_limit", 4000)
    assert casino.code(table, "press", tag="1", to=10_500) == "loss_limit"
    assert casino.told(table) == 1
    row = next(row for row in casino.journal.rows(table) if row.kind == "limits")
    assert row.body == '{"player":"ann"}'
    assert casino.ask(table, "press", tag="1", to=10_000)["ok"]
    assert casino.code(table, "bet", spot="field", cents=1000) == "loss_limit"
    assert casino.ask(table, "reduce", tag="1", to=9000)["ok"]
    assert casino.ask(table, "take_down", tag="1")["ok"]
    assert casino.ask(table, "bet", spot="pass", cents=10_000)["ok"]
    assert casino.ask(table, "roll")["ok"]
    assert casino.ask(table, "leave")["ok"]


def test_vigorish_counts(casino: Casino) -> None:
    """It is gone when the bet is made."""
    table = casino.open()
    casino.limits = None
    casino.ask(table, "sit", cents=500_000)
    while casino.floor.box(table).result(20).table.position.point is None:
        casino.ask(table, "bet", spot="pass", cents=1000)
        casino.ask(table, "roll")
    before = casino.journal.standings.everywhere("ann", casino.now_ms)
    may_lose = before.total.up_cents - before.day.net_cents + 2000
    casino.limits = Limits(Limit(may_lose))
    assert casino.code(table, "bet", spot="buy:4", cents=2000) == "loss_limit"
    casino.limits = Limits(Limit(may_lose + 100))
    assert casino.ask(table, "bet", spot="buy:4", cents=2000)["ok"]


def test_no_loss_goes_beyond_the_limit(casino: Casino) -> None:
    """Whatever the dice do, for as long as anything is allowed."""
    table = casino.open()
    casino.limits = None
    casino.ask(table, "sit", cents=5_000_000)
    casino.limits = Limits(Limit(MAY_LOSE))
    lowest = 0
    for _ in range(400):
        for spot in ("pass", "field", "craps12"):
            casino.ask(table, "bet", spot=spot, cents=2500)
        if not casino.ask(table, "roll")["ok"]:
            break
        lowest = min(lowest, casino.journal.standings.everywhere("ann", casino.now_ms).day.net_cents)
    assert lowest >= -MAY_LOSE
    assert lowest < -MAY_LOSE // 2, "the limit was never near"


def test_two_tables_at_once_share_one_limit(casino: Casino) -> None:
    """All asked for before anything is answered, so that they are considered together."""
    tables = [casino.open() for _ in range(4)]
    casino.limits = None
    for table in tables:
        casino.ask(table, "sit", cents=500_000)
    casino.limits = Limits(Limit(MAY_LOSE))
    asked = [casino.begin(table, "bet", spot="field", cents=1500) for _ in range(5) for table in tables]
    answers = [one.result(20) for one in asked]
    assert sum(answer["ok"] for answer in answers) == MAY_LOSE // 1500
    assert casino.journal.standings.everywhere("ann", casino.now_ms).total.up_cents == 9000
    assert sum(casino.told(table) for table in tables) == len(tables)


def test_losses_of_more_than_a_day_ago_do_not_count(casino: Casino) -> None:
    table = casino.open()
    casino.limits = None
    casino.ask(table, "sit", cents=500_000)
    while (stands := casino.journal.standings.everywhere("ann", casino.now_ms)).day.net_cents > -MAY_LOSE:
        casino.ask(table, "bet", spot="any7", cents=10_000)
        casino.ask(table, "bet", spot="pass", cents=1000)
        casino.ask(table, "roll")
    casino.limits = Limits(Limit(MAY_LOSE + stands.total.up_cents))
    assert casino.code(table, "bet", spot="field", cents=1000) == "loss_limit"
    casino.now_ms += 24 * HOUR_MS
    assert casino.ask(table, "bet", spot="field", cents=MAY_LOSE)["ok"]


def test_when_the_time_is_up(casino: Casino) -> None:
    casino.limits = Limits(time_ms=Limit(MINUTES_MS))
    table, other = casino.open(), casino.open()
    casino.ask(table, "sit", cents=50_000)
    casino.ask(other, "sit", cents=50_000)
    casino.now_ms += MINUTES_MS - 1
    assert casino.ask(table, "bet", spot="pass", cents=1000)["ok"], "two tables at once count once"
    casino.now_ms += 1
    assert casino.code(table, "bet", spot="field", cents=1000) == "time_limit"
    assert casino.code(table, "press", tag="1", to=2000) == "time_limit"
    assert casino.code(table, "buy_in", cents=100) == "time_limit"
    assert casino.code(table, "sit", cents=100) == "seat_taken"
    assert casino.code(casino.open(), "sit", cents=100) == "time_limit"
    assert casino.ask(table, "roll")["ok"]
    assert casino.ask(other, "leave")["ok"]
    assert casino.ask(table, "leave")["ok"]
    assert casino.told(table) == 1
    assert casino.told(other) == 0
    casino.now_ms += 23 * HOUR_MS
    assert casino.code(other, "sit", cents=100) == "time_limit"


def test_a_seat_ages_out_of_the_day(casino: Casino) -> None:
    casino.limits = Limits(time_ms=Limit(HOUR_MS))
    table = casino.open()
    casino.ask(table, "sit", cents=50_000)
    casino.now_ms += HOUR_MS
    assert casino.code(table, "buy_in", cents=100) == "time_limit"
    assert casino.ask(table, "leave")["ok"]
    casino.now_ms += 23 * HOUR_MS
    assert casino.code(table, "sit", cents=100) == "time_limit"
    casino.now_ms += 1
    assert casino.ask(table, "sit", cents=100)["ok"]
    assert casino.code(table, "buy_in", cents=100) == "", "as much time as has aged is there again"
    casino.now_ms += 2 * HOUR_MS
    assert casino.code(table, "buy_in", cents=100) == "time_limit"
    assert casino.told(table) == 2, "once for each time at the table"


def test_a_refusal_is_answered_the_same_again(casino: Casino) -> None:
    table = casino.open()
    casino.ask(table, "sit", cents=5000)
    data = {"wish": "buy_in", "cents": 9000}
    first = casino.floor.ask(table, "ann", "same", data, casino.limits).result(20)
    assert first["error"]["code"] == "loss_limit"
    assert casino.floor.ask(table, "ann", "same", data, None).result(20) == first
    assert casino.told(table) == 1
