"""Leavers: who has asked to go and still has wagers up that must stay."""

from __future__ import annotations

import sqlalchemy as sa

from trueodds.journal.coming import JOINED
from trueodds.journal.ledger import layout
from trueodds.journal.record import WENT, went
from trueodds.journal.schema import balances, comings, rows


def left_behind(connection: sa.Connection) -> tuple[str, ...]:
    """Name the tables where somebody waits to be let go; whoever comes to keep them plays those out."""
    account = balances.c.account
    wanted = sa.select(balances.c.table_id, account).where(account.startswith(layout("")), balances.c.cents > 0)
    found = {
        table_id
        for table_id, whose in connection.execute(wanted).all()
        if _is_leaving(connection, table_id, whose.removeprefix(layout("")))
    }
    return tuple(sorted(found))


def _is_leaving(connection: sa.Connection, table_id: str, player: str) -> bool:
    """Tell whether a player said so after coming to a table for the last time."""
    came = sa.select(sa.func.max(comings.c.sequence)).where(
        comings.c.player == player, comings.c.table_id == table_id, comings.c.kind == JOINED
    )
    said = (
        rows.c.table_id == table_id, rows.c.sequence > came.scalar_subquery(), rows.c.kind == WENT,
        rows.c.body == went(player).text(),
    )  # fmt: skip
    return connection.execute(sa.select(rows.c.sequence).where(*said).limit(1)).first() is not None
