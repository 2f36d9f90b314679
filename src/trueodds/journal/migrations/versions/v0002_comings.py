"""Comings, taken out of the rows that are there."""

from __future__ import annotations

import json
from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None

WHOLE = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
KINDS = ("joined", "left", "bought_in", "cashed_out")


def upgrade() -> None:
    """Make the table, fill it, and keep it from being changed."""
    comings = op.create_table(
        "comings",
        sa.Column("table_id", sa.Text, primary_key=True),
        sa.Column("sequence", WHOLE, primary_key=True, autoincrement=False),
        sa.Column("player", sa.Text, nullable=False),
        sa.Column("at_ms", WHOLE, nullable=False),
        sa.Column("kind", sa.Text, nullable=False),
        sa.Column("cents", WHOLE, nullable=False),
        sa.ForeignKeyConstraint(["table_id", "sequence"], ["rows.table_id", "rows.sequence"]),
        sqlite_strict=True,
        sqlite_with_rowid=False,
    )
    op.create_index("comings_by_player", "comings", ["player", "table_id", "sequence"])
    _fill(comings)
    if op.get_bind().dialect.name == "postgresql":
        op.execute(
            "CREATE TRIGGER comings_only_appended BEFORE UPDATE OR DELETE ON comings "
            "FOR EACH ROW EXECUTE FUNCTION only_appended()"
        )
        return
    for what in ("UPDATE", "DELETE"):
        op.execute(
            f"CREATE TRIGGER comings_no_{what.lower()} BEFORE {what} ON comings "
            "BEGIN SELECT RAISE(ABORT, 'comings are only appended'); END"
        )


def _fill(comings: Any) -> None:
    connection = op.get_bind()
    found = connection.execute(
        sa.text("SELECT table_id, sequence, at_ms, kind, body FROM rows WHERE kind IN :kinds").bindparams(
            sa.bindparam("kinds", KINDS, expanding=True)
        )
    ).all()
    written = []
    for table_id, sequence, at_ms, kind, text in found:
        body = json.loads(text)
        named = {"table_id": table_id, "sequence": sequence, "at_ms": at_ms, "kind": kind}
        written.append(named | {"player": body["player"], "cents": body.get("cents", 0)})
    if written:
        connection.execute(sa.insert(comings), written)


def downgrade() -> None:
    """Take it away."""
    op.drop_table("comings")
