"""How somebody stands: chips bought, taken off, in the rack and up, and the time at the tables."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Final, NamedTuple

import sqlalchemy as sa

from trueodds.journal.coming import JOINED, LEFT, Coming
from trueodds.journal.database import Database
from trueodds.journal.ledger import layout, rack
from trueodds.journal.record import BOUGHT_IN, CASHED_OUT
from trueodds.journal.schema import balances, comings, heads, postings, rows
from trueodds.journal.state import TableState

DAY_MS: Final = 24 * 60 * 60 * 1000

Stay = tuple[int, int]
"""From when until when somebody had a seat, in milliseconds."""


class Standing(NamedTuple):
    """How somebody stands at a table, or at several. `since_ms` is since when they sit there now; None if they do not.

    >>> Standing(bought_cents=500, cashed_cents=0, rack_cents=300, up_cents=100).net_cents
    -100
    """

    bought_cents: int = 0
    cashed_cents: int = 0
    rack_cents: int = 0
    up_cents: int = 0
    since_ms: int | None = None
    seated_ms: int = 0

    @property
    def net_cents(self) -> int:
        """What was won (+) or lost (-); what is up counts as one's own."""
        return self.cashed_cents + self.rack_cents + self.up_cents - self.bought_cents


class Day(NamedTuple):
    """The last 24 hours over all tables: chips bought and taken off, what was won or lost, time with a seat."""

    bought_cents: int = 0
    cashed_cents: int = 0
    net_cents: int = 0
    seated_ms: int = 0


class Everywhere(NamedTuple):
    """How somebody stands at each table they ever came to, at all of them together, and in the last 24 hours."""

    tables: dict[str, Standing]
    total: Standing
    day: Day


class Standings:
    """Reads how people stand from comings, balances and, for a day that began in a seat, postings."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def at_table(self, state: TableState, players: Iterable[str], now_ms: int) -> dict[str, Standing]:
        """Say how people stand at a table that is at a state, and at no later one."""
        which = (comings.c.table_id == state.header.table_id, comings.c.sequence <= state.sequence)
        found: dict[str, list[Coming]] = {player: [] for player in players}
        with self._database.reading() as connection:
            for one in _comings(connection, *which, comings.c.player.in_(list(found))):
                found[one.player].append(one)
        return {
            player: _stand(came, state.balances.get(rack(player), 0), state.balances.get(layout(player), 0), now_ms)
            for player, came in found.items()
        }

    def everywhere(self, player: str, now_ms: int) -> Everywhere:
        """Say how somebody stands everywhere."""
        with self._database.reading() as connection:
            by_table: dict[str, list[Coming]] = {}
            for one in _comings(connection, comings.c.player == player):
                by_table.setdefault(one.table_id, []).append(one)
            holds = _holds(connection, player, by_table)
            tables = {
                table: _stand(came, holds.get((table, rack(player)), 0), holds.get((table, layout(player)), 0), now_ms)
                for table, came in by_table.items()
            }
            days = [
                _day(connection, player, came, tables[table].rack_cents + tables[table].up_cents, now_ms - DAY_MS)
                for table, came in by_table.items()
            ]
        stays = [stay for came in by_table.values() for stay in stays_of(came, now_ms)]
        since = [one.since_ms for one in tables.values() if one.since_ms is not None]
        whole = [sum(cents) for cents in zip(*(one[:4] for one in tables.values()), strict=True)]
        return Everywhere(
            tables,
            Standing(*whole)._replace(since_ms=min(since, default=None), seated_ms=seated_ms(stays)),
            Day(*(sum(cents) for cents in zip(*days, strict=True)))._replace(
                seated_ms=seated_ms(stays, now_ms - DAY_MS)
            ),
        )


def stays_of(came: Sequence[Coming], now_ms: int) -> list[Stay]:
    """Say from when until when somebody had a seat at a table; a stay that is not over goes until now."""
    stays: list[Stay] = []
    since: int | None = None
    for one in came:
        if one.kind == JOINED:
            since = one.at_ms
        elif one.kind == LEFT and since is not None:
            stays.append((since, one.at_ms))
            since = None
    return stays if since is None else [*stays, (since, now_ms)]


def seated_ms(stays: Iterable[Stay], after_ms: int = 0) -> int:
    """Add up time with a seat after a moment; time at two tables at once counts once.

    >>> seated_ms([(0, 60), (30, 90), (100, 110)], after_ms=50)
    50
    """
    total, reached = 0, after_ms
    for begin, end in sorted(stays):
        total += max(0, end - max(begin, reached))
        reached = max(reached, end)
    return total


def _stand(came: Sequence[Coming], rack_cents: int, up_cents: int, now_ms: int) -> Standing:
    seats = [one for one in came if one.kind in {JOINED, LEFT}]
    since_ms = seats[-1].at_ms if seats and seats[-1].kind == JOINED else None
    bought, cashed = _sum(came, BOUGHT_IN), _sum(came, CASHED_OUT)
    return Standing(bought, cashed, rack_cents, up_cents, since_ms, seated_ms(stays_of(came, now_ms)))


def _sum(came: Sequence[Coming], kind: str) -> int:
    return sum(one.cents for one in came if one.kind == kind)


def _day(connection: sa.Connection, player: str, came: Sequence[Coming], worth_cents: int, cut_ms: int) -> Day:
    """Say what somebody bought, took off and won at a table after a moment.

    What they had on the table at that moment is needed only if they had a seat then: whoever leaves takes all off.
    """
    before = [one for one in came if one.at_ms <= cut_ms]
    after = [one for one in came if one.at_ms > cut_ms]
    bought, cashed = _sum(after, BOUGHT_IN), _sum(after, CASHED_OUT)
    if not before or before[-1].kind == LEFT:
        return Day(bought, cashed, cashed + worth_cents - bought)
    cut = _last_row(connection, before[-1], after[0].sequence if after else None, cut_ms)
    return Day(bought, cashed, _moved(connection, player, before[-1].table_id, cut) + cashed - bought)


def _last_row(connection: sa.Connection, before: Coming, end: int | None, cut_ms: int) -> int:
    """Find the last row of a table up to a moment, by halves: rows stand in the order of their times."""
    table_id, low = before.table_id, before.sequence
    if end is None:
        end = 1 + connection.execute(sa.select(heads.c.sequence).where(heads.c.table_id == table_id)).scalar_one()
    while end - low > 1:
        middle = (low + end) // 2
        which = (rows.c.table_id == table_id, rows.c.sequence == middle)
        if connection.execute(sa.select(rows.c.at_ms).where(*which)).scalar_one() <= cut_ms:
            low = middle
        else:
            end = middle
    return low


def _moved(connection: sa.Connection, player: str, table_id: str, after: int) -> int:
    """Add up what came to a player's rack and wagers after a row."""
    which = (
        postings.c.table_id == table_id,
        postings.c.sequence > after,
        postings.c.account.in_([rack(player), layout(player)]),
    )
    return int(connection.execute(sa.select(sa.func.sum(postings.c.cents)).where(*which)).scalar_one() or 0)


def _comings(connection: sa.Connection, *which: Any) -> list[Coming]:
    columns = [comings.c[name] for name in Coming._fields]
    wanted = sa.select(*columns).where(*which).order_by(comings.c.table_id, comings.c.sequence)
    return [Coming(*one) for one in connection.execute(wanted)]


def _holds(connection: sa.Connection, player: str, tables: Iterable[str]) -> dict[tuple[str, str], int]:
    which = (balances.c.table_id.in_(list(tables)), balances.c.account.in_([rack(player), layout(player)]))
    wanted = sa.select(balances.c.table_id, balances.c.account, balances.c.cents).where(*which)
    return {(table_id, account): cents for table_id, account, cents in connection.execute(wanted)}
