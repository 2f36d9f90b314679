"""Tables, heads, rows, postings, balances, commands, leases and people."""

from __future__ import annotations

from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None

WHOLE = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
NEVER_CHANGED = ("tables", "rows", "postings")


def _text(name: str, *more: Any, nullable: bool = False, **options: Any) -> sa.Column[Any]:
    return sa.Column(name, sa.Text, *more, nullable=nullable, **options)


def _whole(name: str, *more: Any, nullable: bool = False, **options: Any) -> sa.Column[Any]:
    return sa.Column(name, WHOLE, *more, nullable=nullable, **options)


def _table(name: str, *columns: Any, with_rowid: bool = True) -> None:
    op.create_table(name, *columns, sqlite_strict=True, sqlite_with_rowid=with_rowid)


def upgrade() -> None:
    """Make everything."""
    _table(
        "tables",
        _text("table_id", primary_key=True),
        _text("book_id"),
        _text("book_digest"),
        _text("house"),
        _text("house_digest"),
        _text("schema_digest"),
        _whole("created_ms"),
        _text("header_hash"),
    )
    _table(
        "heads",
        _text("table_id", sa.ForeignKey("tables.table_id"), primary_key=True),
        _whole("sequence"),
        _text("hash"),
        _text("position"),
    )
    _table(
        "rows",
        _text("table_id", sa.ForeignKey("tables.table_id"), primary_key=True),
        _whole("sequence", primary_key=True, autoincrement=False),
        _whole("at_ms"),
        _text("kind"),
        _text("body"),
        _text("hash"),
        sa.CheckConstraint("sequence >= 1", name="rows_count_from_1"),
    )
    _table(
        "postings",
        _text("table_id", primary_key=True),
        _whole("sequence", primary_key=True, autoincrement=False),
        _text("account", primary_key=True),
        _whole("cents"),
        sa.ForeignKeyConstraint(["table_id", "sequence"], ["rows.table_id", "rows.sequence"]),
        sa.CheckConstraint("cents <> 0", name="postings_move_something"),
        with_rowid=False,
    )
    _table(
        "balances",
        _text("table_id", sa.ForeignKey("tables.table_id"), primary_key=True),
        _text("account", primary_key=True),
        _whole("cents"),
        sa.CheckConstraint("cents >= 0 OR account IN ('house', 'vigorish', 'cash_in')", name="balances_not_below_zero"),
        with_rowid=False,
    )
    _table(
        "commands",
        _text("table_id", sa.ForeignKey("tables.table_id"), primary_key=True),
        _text("player", primary_key=True),
        _text("command_id", primary_key=True),
        _whole("first_sequence"),
        _whole("last_sequence"),
        _text("response"),
        _text("seal"),
    )
    _table(
        "leases",
        _text("table_id", sa.ForeignKey("tables.table_id"), primary_key=True),
        _text("owner", nullable=True),
        _whole("epoch"),
        _whole("until_ms"),
        _text("seal"),
        with_rowid=False,
    )
    _table(
        "people",
        _text("person_id", primary_key=True),
        _text("name", nullable=True),
        _text("name_key", nullable=True, unique=True),
        _text("kind"),
        _text("password_hash", nullable=True),
        _whole("created_ms"),
        _text("limits"),
        _whole("deleted_ms", nullable=True),
        _text("seal"),
        sa.CheckConstraint("kind IN ('guest', 'registered')", name="people_kinds"),
    )
    _keep_from_changing()


def _keep_from_changing() -> None:
    """Let the database itself refuse to change or delete what was written down."""
    if op.get_bind().dialect.name == "sqlite":
        for table in NEVER_CHANGED:
            for what in ("UPDATE", "DELETE"):
                op.execute(
                    f"CREATE TRIGGER {table}_no_{what.lower()} BEFORE {what} ON {table} "
                    f"BEGIN SELECT RAISE(ABORT, '{table} are only appended'); END"
                )
        return
    op.execute(
        "CREATE FUNCTION only_appended() RETURNS trigger LANGUAGE plpgsql AS "
        "$$ BEGIN RAISE EXCEPTION '% are only appended', TG_TABLE_NAME; END $$"
    )
    for table in NEVER_CHANGED:
        op.execute(
            f"CREATE TRIGGER {table}_only_appended BEFORE UPDATE OR DELETE ON {table} "
            "FOR EACH ROW EXECUTE FUNCTION only_appended()"
        )


def downgrade() -> None:
    """Take everything away."""
    for table in ("people", "leases", "commands", "balances", "postings", "rows", "heads", "tables"):
        op.drop_table(table)
    if op.get_bind().dialect.name == "postgresql":
        op.execute("DROP FUNCTION only_appended()")
