"""Players who asked to leave and still have bets that must stay up."""

from __future__ import annotations

import sqlalchemy as sa

from trueodds.journal.ledger import layout_account
from trueodds.journal.player_activity import JOINED
from trueodds.journal.schema import balances, events, player_activity
from trueodds.journal.service_event import DEPARTURE_REQUESTED, departure_requested


def tables_with_departing_players(connection: sa.Connection) -> tuple[str, ...]:
    """Return the ids of the tables where a departing player waits for open bets."""
    prefix = layout_account("")
    account = balances.c.account
    open_bets = sa.select(balances.c.table_id, account).where(account.startswith(prefix), balances.c.cents > 0)
    found = {
        table_id
        for table_id, layout in connection.execute(open_bets).all()
        if _is_departing(connection, table_id, layout.removeprefix(prefix))
    }
    return tuple(sorted(found))


def _is_departing(connection: sa.Connection, table_id: str, player: str) -> bool:
    """Return whether a player asked to leave a table since they last joined it."""
    last_joined = sa.select(sa.func.max(player_activity.c.sequence)).where(
        player_activity.c.player == player, player_activity.c.table_id == table_id, player_activity.c.kind == JOINED
    )
    request = sa.select(events.c.sequence).where(
        events.c.table_id == table_id,
        events.c.sequence > last_joined.scalar_subquery(),
        events.c.kind == DEPARTURE_REQUESTED,
        events.c.body == departure_requested(player).encode_body(),
    )
    return connection.execute(request.limit(1)).first() is not None
