"""Self-limits at one table and across tables."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from trueodds.fair import ServerKey
from trueodds.journal import Journal, check_journal
from trueodds.rulebook import as_house
from trueodds.service.pace import Pace
from trueodds.service.self_limits import SelfLimit, SelfLimits
from trueodds.service.table_manager import TableManager

KEY = ServerKey(bytes(range(32)))
QUICK = Pace(
    min_roll_interval_ms=0,
    betting_window_ms=0,
    seed_timeout_ms=100,
    shooter_timeout_ms=600_000,
    offer_timeout_ms=600_000,
)
HOUR_MS = 3_600_000
MINUTES_MS = 300_000
"""Less than the shooter timeout."""
MAY_LOSE = 10_000


class Casino:
    """A manager, tables, a clock that is set by hand, and Ann, who has limits.

    Nobody commits to a seed and tables have their names, so that the dice are the same every time.
    """

    def __init__(self, journal: Journal) -> None:
        self.now_ms = 1_700_000_000_000
        self.limits: SelfLimits | None = SelfLimits(SelfLimit(MAY_LOSE))
        self.journal = journal
        self.manager = TableManager(journal, KEY, lambda: self.now_ms, pace=QUICK)
        self.count = self.tables = 0

    def open(self) -> str:
        self.tables += 1
        return self.manager.create_table(as_house("new_jersey"), f"t{self.tables}").result(20)

    def begin(self, table: str, command: str, player: str = "ann", **more: Any) -> Any:
        self.count += 1
        limits = self.limits if player == "ann" else None
        return self.manager.submit(table, player, str(self.count), {"command": command, **more}, limits)

    def ask(self, table: str, command: str, player: str = "ann", **more: Any) -> Any:
        return self.begin(table, command, player, **more).result(20)

    def code(self, table: str, command: str, **more: Any) -> str:
        answer = self.ask(table, command, **more)
        return "" if answer["ok"] else str(answer["error"]["code"])

    def told(self, table: str) -> int:
        return sum(row.kind == "self_limit_reached" for row in self.journal.events(table))


@pytest.fixture
def casino(journal: Journal) -> Iterator[Casino]:
    made = Casino(journal)
    yield made
    made.manager.close()
    assert not check_journal(journal)


def test_chips_beyond_the_limit_cannot_be_bought(casino: Casino) -> None:
    table = casino.open()
    no = casino.ask(table, "join", cents=MAY_LOSE + 1)["error"]
    assert (no["code"], no["allowed_cents"]) == ("loss_limit", MAY_LOSE)
    assert "$100" in no["message"]
    assert [row.kind for row in casino.journal.events(table)] == ["anchor_published"], (
        "who has no seat is nobody's business"
    )
    assert casino.ask(table, "join", cents=6000)["ok"]
    assert casino.ask(table, "buy_in", cents=4001)["error"]["allowed_cents"] == 4000
    assert casino.ask(table, "buy_in", cents=4000)["ok"]
    assert casino.ask(casino.open(), "join", cents=1)["error"]["allowed_cents"] == 0
    assert casino.ask(table, "join", player="bob", cents=5_000_000)["ok"]


def test_only_bets_beyond_the_limit_are_refused(casino: Casino) -> None:
    table = casino.open()
    casino.limits = None
    casino.ask(table, "join", cents=500_000)
    casino.limits = SelfLimits(SelfLimit(MAY_LOSE))
    assert casino.ask(table, "bet", spot="pass", stake_cents=6000)["ok"]
    no = casino.ask(table, "bet", spot="field", stake_cents=4500)["error"]
    assert (no["code"], no["allowed_cents"]) == ("loss_limit", 4000)
    assert casino.code(table, "press", tag="1", new_stake_cents=10_500) == "loss_limit"
    assert casino.told(table) == 1
    row = next(row for row in casino.journal.events(table) if row.kind == "self_limit_reached")
    assert row.body == '{"player":"ann"}'
    assert casino.ask(table, "press", tag="1", new_stake_cents=10_000)["ok"]
    assert casino.code(table, "bet", spot="field", stake_cents=1000) == "loss_limit"
    assert casino.ask(table, "reduce", tag="1", new_stake_cents=9000)["ok"]
    assert casino.ask(table, "take_down", tag="1")["ok"]
    assert casino.ask(table, "bet", spot="pass", stake_cents=10_000)["ok"]
    assert casino.ask(table, "roll")["ok"]
    assert casino.ask(table, "leave")["ok"]


def test_vig_counts_as_a_loss(casino: Casino) -> None:
    """It is charged when the bet is made."""
    table = casino.open()
    casino.limits = None
    casino.ask(table, "join", cents=500_000)
    while casino.manager.live_table(table).result(20).state.position.point is None:
        casino.ask(table, "bet", spot="pass", stake_cents=1000)
        casino.ask(table, "roll")
    before = casino.journal.player_totals.across_tables("ann", casino.now_ms)
    may_lose = before.total.layout_cents - before.last_day.net_cents + 2000
    casino.limits = SelfLimits(SelfLimit(may_lose))
    assert casino.code(table, "bet", spot="buy:4", stake_cents=2000) == "loss_limit"
    casino.limits = SelfLimits(SelfLimit(may_lose + 100))
    assert casino.ask(table, "bet", spot="buy:4", stake_cents=2000)["ok"]


def test_losses_never_exceed_the_limit(casino: Casino) -> None:
    """Whatever the dice are, as long as any bet is allowed."""
    table = casino.open()
    casino.limits = None
    casino.ask(table, "join", cents=5_000_000)
    casino.limits = SelfLimits(SelfLimit(MAY_LOSE))
    lowest = 0
    for _ in range(400):
        for spot in ("pass", "field", "craps12"):
            casino.ask(table, "bet", spot=spot, stake_cents=2500)
        if not casino.ask(table, "roll")["ok"]:
            break
        lowest = min(lowest, casino.journal.player_totals.across_tables("ann", casino.now_ms).last_day.net_cents)
    assert lowest >= -MAY_LOSE
    assert lowest < -MAY_LOSE // 2, "the limit was never near"


def test_two_tables_at_once_share_one_limit(casino: Casino) -> None:
    """All commands are submitted before the first reply, so that they are executed together."""
    tables = [casino.open() for _ in range(4)]
    casino.limits = None
    for table in tables:
        casino.ask(table, "join", cents=500_000)
    casino.limits = SelfLimits(SelfLimit(MAY_LOSE))
    asked = [casino.begin(table, "bet", spot="field", stake_cents=1500) for _ in range(5) for table in tables]
    answers = [one.result(20) for one in asked]
    assert sum(answer["ok"] for answer in answers) == MAY_LOSE // 1500
    assert casino.journal.player_totals.across_tables("ann", casino.now_ms).total.layout_cents == 9000
    assert sum(casino.told(table) for table in tables) == len(tables)


def test_losses_of_more_than_a_day_ago_do_not_count(casino: Casino) -> None:
    table = casino.open()
    casino.limits = None
    casino.ask(table, "join", cents=500_000)
    while (stands := casino.journal.player_totals.across_tables("ann", casino.now_ms)).last_day.net_cents > -MAY_LOSE:
        casino.ask(table, "bet", spot="any7", stake_cents=10_000)
        casino.ask(table, "bet", spot="pass", stake_cents=1000)
        casino.ask(table, "roll")
    casino.limits = SelfLimits(SelfLimit(MAY_LOSE + stands.total.layout_cents))
    assert casino.code(table, "bet", spot="field", stake_cents=1000) == "loss_limit"
    casino.now_ms += 24 * HOUR_MS
    assert casino.ask(table, "bet", spot="field", stake_cents=MAY_LOSE)["ok"]


def test_the_time_limit(casino: Casino) -> None:
    casino.limits = SelfLimits(time_ms=SelfLimit(MINUTES_MS))
    table, other = casino.open(), casino.open()
    casino.ask(table, "join", cents=50_000)
    casino.ask(other, "join", cents=50_000)
    casino.now_ms += MINUTES_MS - 1
    assert casino.ask(table, "bet", spot="pass", stake_cents=1000)["ok"], "two tables at once count once"
    casino.now_ms += 1
    assert casino.code(table, "bet", spot="field", stake_cents=1000) == "time_limit"
    assert casino.code(table, "press", tag="1", new_stake_cents=2000) == "time_limit"
    assert casino.code(table, "buy_in", cents=100) == "time_limit"
    assert casino.code(table, "join", cents=100) == "seat_taken"
    assert casino.code(casino.open(), "join", cents=100) == "time_limit"
    assert casino.ask(table, "roll")["ok"]
    assert casino.ask(other, "leave")["ok"]
    assert casino.ask(table, "leave")["ok"]
    assert casino.told(table) == 1
    assert casino.told(other) == 0
    casino.now_ms += 23 * HOUR_MS
    assert casino.code(other, "join", cents=100) == "time_limit"


def test_a_seat_ages_out_of_the_day(casino: Casino) -> None:
    casino.limits = SelfLimits(time_ms=SelfLimit(HOUR_MS))
    table = casino.open()
    casino.ask(table, "join", cents=50_000)
    casino.now_ms += HOUR_MS
    assert casino.code(table, "buy_in", cents=100) == "time_limit"
    assert casino.ask(table, "leave")["ok"]
    casino.now_ms += 23 * HOUR_MS
    assert casino.code(table, "join", cents=100) == "time_limit"
    casino.now_ms += 1
    assert casino.ask(table, "join", cents=100)["ok"]
    assert casino.code(table, "buy_in", cents=100) == "", "as much time as has aged is there again"
    casino.now_ms += 2 * HOUR_MS
    assert casino.code(table, "buy_in", cents=100) == "time_limit"
    assert casino.told(table) == 2, "once for each time at the table"


def test_a_refusal_is_repeated(casino: Casino) -> None:
    table = casino.open()
    casino.ask(table, "join", cents=5000)
    data = {"command": "buy_in", "cents": 9000}
    first = casino.manager.submit(table, "ann", "same", data, casino.limits).result(20)
    assert first["error"]["code"] == "loss_limit"
    assert casino.manager.submit(table, "ann", "same", data, None).result(20) == first
    assert casino.told(table) == 1
