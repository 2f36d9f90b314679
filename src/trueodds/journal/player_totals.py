"""A player's totals: chips bought in and cashed out, chips on the table, and time with a seat."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple

import sqlalchemy as sa

from trueodds.journal.database import Database
from trueodds.journal.ledger import layout_account, rack_account
from trueodds.journal.player_activity import JOINED, LEFT, PlayerActivity
from trueodds.journal.schema import balances, events, player_activity, postings, table_states
from trueodds.journal.service_event import BOUGHT_IN, CASHED_OUT
from trueodds.journal.table_state import TableState

DAY_MS: Final = 24 * 60 * 60 * 1000

SeatedInterval = tuple[int, int]
"""Start and end of the time a player had a seat, in milliseconds."""


class PlayerTotals(NamedTuple):
    """The totals of a player at one or several tables. `seated_since_ms` is None for a player without a seat.

    >>> PlayerTotals(bought_in_cents=500, rack_cents=300, layout_cents=100).net_cents
    -100
    """

    bought_in_cents: int = 0
    cashed_out_cents: int = 0
    rack_cents: int = 0
    layout_cents: int = 0
    seated_since_ms: int | None = None
    seated_ms: int = 0

    @property
    def net_cents(self) -> int:
        """What the player won (+) or lost (-). Chips on the layout count as the player's."""
        return self.cashed_out_cents + self.rack_cents + self.layout_cents - self.bought_in_cents


class LastDayTotals(NamedTuple):
    """The totals of a player over all tables in the last 24 hours."""

    bought_in_cents: int = 0
    cashed_out_cents: int = 0
    net_cents: int = 0
    seated_ms: int = 0


class AllTablesTotals(NamedTuple):
    """The totals of a player at each table they ever joined, over all tables, and in the last 24 hours."""

    by_table: dict[str, PlayerTotals]
    total: PlayerTotals
    last_day: LastDayTotals


class PlayerTotalsReader:
    """Computes totals from activity and balances, and from postings if the player had a seat 24 hours ago."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self._database!r})"

    def at_table(self, state: TableState, players: Iterable[str], now_ms: int) -> dict[str, PlayerTotals]:
        """Return the totals of players at a table, as of a state of it."""
        by_player: dict[str, list[PlayerActivity]] = {player: [] for player in players}
        conditions = (
            player_activity.c.table_id == state.header.table_id,
            player_activity.c.sequence <= state.sequence,
            player_activity.c.player.in_(list(by_player)),
        )
        with self._database.read_transaction() as connection:
            for item in _read_activity(connection, *conditions):
                by_player[item.player].append(item)
        held = state.balances
        return {
            player: _totals_at_table(
                activity, held.get(rack_account(player), 0), held.get(layout_account(player), 0), now_ms
            )
            for player, activity in by_player.items()
        }

    def across_tables(self, player: str, now_ms: int) -> AllTablesTotals:
        """Return the totals of a player over all tables."""
        with self._database.read_transaction() as connection:
            by_table: dict[str, list[PlayerActivity]] = {}
            for item in _read_activity(connection, player_activity.c.player == player):
                by_table.setdefault(item.table_id, []).append(item)
            held = _read_balances(connection, player, by_table)
            totals = {
                table_id: _totals_at_table(
                    activity,
                    held.get((table_id, rack_account(player)), 0),
                    held.get((table_id, layout_account(player)), 0),
                    now_ms,
                )
                for table_id, activity in by_table.items()
            }
            last_days = [
                _last_day_totals(
                    connection,
                    player,
                    activity,
                    totals[table_id].rack_cents + totals[table_id].layout_cents,
                    now_ms - DAY_MS,
                )
                for table_id, activity in by_table.items()
            ]
        intervals = [interval for activity in by_table.values() for interval in seated_intervals(activity, now_ms)]
        since_ms = [table.seated_since_ms for table in totals.values() if table.seated_since_ms is not None]
        sums = [sum(cents) for cents in zip(*(table[:4] for table in totals.values()), strict=True)]
        day_sums = [sum(cents) for cents in zip(*last_days, strict=True)]
        return AllTablesTotals(
            totals,
            PlayerTotals(*sums)._replace(
                seated_since_ms=min(since_ms, default=None), seated_ms=total_seated_ms(intervals)
            ),
            LastDayTotals(*day_sums)._replace(seated_ms=total_seated_ms(intervals, now_ms - DAY_MS)),
        )


def seated_intervals(activity: Sequence[PlayerActivity], now_ms: int) -> list[SeatedInterval]:
    """Return when a player had a seat at a table. An interval that has not ended ends now."""
    intervals: list[SeatedInterval] = []
    since_ms: int | None = None
    for item in activity:
        if item.kind == JOINED:
            since_ms = item.at_ms
        elif item.kind == LEFT and since_ms is not None:
            intervals.append((since_ms, item.at_ms))
            since_ms = None
    return intervals if since_ms is None else [*intervals, (since_ms, now_ms)]


def total_seated_ms(intervals: Iterable[SeatedInterval], after_ms: int = 0) -> int:
    """Return the time with a seat after a moment. Time at two tables at once counts once.

    >>> total_seated_ms([(0, 60), (30, 90), (100, 110)], after_ms=50)
    50
    """
    total, reached = 0, after_ms
    for start, end in sorted(intervals):
        total += max(0, end - max(start, reached))
        reached = max(reached, end)
    return total


def _totals_at_table(
    activity: Sequence[PlayerActivity], rack_cents: int, layout_cents: int, now_ms: int
) -> PlayerTotals:
    seats = [item for item in activity if item.kind in {JOINED, LEFT}]
    since_ms = seats[-1].at_ms if seats and seats[-1].kind == JOINED else None
    bought, cashed = _sum_cents(activity, BOUGHT_IN), _sum_cents(activity, CASHED_OUT)
    return PlayerTotals(
        bought, cashed, rack_cents, layout_cents, since_ms, total_seated_ms(seated_intervals(activity, now_ms))
    )


def _sum_cents(activity: Sequence[PlayerActivity], kind: str) -> int:
    return sum(item.cents for item in activity if item.kind == kind)


def _last_day_totals(
    connection: sa.Connection, player: str, activity: Sequence[PlayerActivity], held_cents: int, start_ms: int
) -> LastDayTotals:
    """Return what a player bought, cashed out and won at a table after `start_ms`.

    What they had on the table then matters only if they had a seat: a player who leaves takes all chips along.
    """
    before = [item for item in activity if item.at_ms <= start_ms]
    after = [item for item in activity if item.at_ms > start_ms]
    bought, cashed = _sum_cents(after, BOUGHT_IN), _sum_cents(after, CASHED_OUT)
    if not before or before[-1].kind == LEFT:
        return LastDayTotals(bought, cashed, cashed + held_cents - bought)
    start = _last_sequence_before(connection, before[-1], after[0].sequence if after else None, start_ms)
    posted = _posted_after(connection, player, before[-1].table_id, start)
    return LastDayTotals(bought, cashed, posted + cashed - bought)


def _last_sequence_before(connection: sa.Connection, before: PlayerActivity, end: int | None, start_ms: int) -> int:
    """Return the last event of a table up to a moment, by binary search: events are in order of time."""
    table_id, low = before.table_id, before.sequence
    if end is None:
        last = sa.select(table_states.c.sequence).where(table_states.c.table_id == table_id)
        end = 1 + int(connection.execute(last).scalar_one())
    while end - low > 1:
        middle = (low + end) // 2
        at_ms = sa.select(events.c.at_ms).where(events.c.table_id == table_id, events.c.sequence == middle)
        if connection.execute(at_ms).scalar_one() <= start_ms:
            low = middle
        else:
            end = middle
    return low


def _posted_after(connection: sa.Connection, player: str, table_id: str, after: int) -> int:
    """Return what was posted to a player's rack and layout after an event."""
    posted = sa.select(sa.func.sum(postings.c.cents)).where(
        postings.c.table_id == table_id,
        postings.c.sequence > after,
        postings.c.account.in_([rack_account(player), layout_account(player)]),
    )
    return int(connection.execute(posted).scalar_one() or 0)


def _read_activity(connection: sa.Connection, *conditions: sa.ColumnElement[bool]) -> list[PlayerActivity]:
    columns = [player_activity.c[name] for name in PlayerActivity._fields]
    select = sa.select(*columns).where(*conditions).order_by(player_activity.c.table_id, player_activity.c.sequence)
    return [PlayerActivity(*row) for row in connection.execute(select)]


def _read_balances(connection: sa.Connection, player: str, tables: Iterable[str]) -> dict[tuple[str, str], int]:
    select = sa.select(balances.c.table_id, balances.c.account, balances.c.cents).where(
        balances.c.table_id.in_(list(tables)),
        balances.c.account.in_([rack_account(player), layout_account(player)]),
    )
    return {(table_id, account): cents for table_id, account, cents in connection.execute(select)}
