"""Create every table of the journal."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op
from sqlalchemy.schema import SchemaItem

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None

INTEGER = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
APPEND_ONLY = ("tables", "events", "postings", "player_activity")


def upgrade() -> None:
    """Create the tables, and the triggers that keep the append-only ones from being changed."""
    _table(
        "tables",
        sa.Column("table_id", sa.Text, primary_key=True, nullable=False),
        sa.Column("book_id", sa.Text, nullable=False),
        sa.Column("book_digest", sa.Text, nullable=False),
        sa.Column("house_json", sa.Text, nullable=False),
        sa.Column("house_digest", sa.Text, nullable=False),
        sa.Column("schema_digest", sa.Text, nullable=False),
        sa.Column("created_ms", INTEGER, nullable=False),
        sa.Column("header_hash", sa.Text, nullable=False),
    )
    _table(
        "table_states",
        _table_id(),
        sa.Column("sequence", INTEGER, nullable=False),
        sa.Column("hash", sa.Text, nullable=False),
        sa.Column("position", sa.Text, nullable=False),
    )
    _table(
        "events",
        _table_id(),
        sa.Column("sequence", INTEGER, primary_key=True, autoincrement=False, nullable=False),
        sa.Column("at_ms", INTEGER, nullable=False),
        sa.Column("kind", sa.Text, nullable=False),
        sa.Column("body", sa.Text, nullable=False),
        sa.Column("hash", sa.Text, nullable=False),
        sa.CheckConstraint("sequence >= 1", name="events_sequence_from_1"),
    )
    _table(
        "postings",
        sa.Column("table_id", sa.Text, primary_key=True, nullable=False),
        sa.Column("sequence", INTEGER, primary_key=True, autoincrement=False, nullable=False),
        sa.Column("account", sa.Text, primary_key=True, nullable=False),
        sa.Column("cents", INTEGER, nullable=False),
        sa.ForeignKeyConstraint(["table_id", "sequence"], ["events.table_id", "events.sequence"]),
        sa.CheckConstraint("cents <> 0", name="postings_nonzero"),
        with_rowid=False,
    )
    _table(
        "balances",
        _table_id(),
        sa.Column("account", sa.Text, primary_key=True, nullable=False),
        sa.Column("cents", INTEGER, nullable=False),
        sa.CheckConstraint("cents >= 0 OR account IN ('house', 'vig', 'cashier')", name="balances_nonnegative"),
        with_rowid=False,
    )
    _table(
        "player_activity",
        sa.Column("table_id", sa.Text, primary_key=True, nullable=False),
        sa.Column("sequence", INTEGER, primary_key=True, autoincrement=False, nullable=False),
        sa.Column("player", sa.Text, nullable=False),
        sa.Column("at_ms", INTEGER, nullable=False),
        sa.Column("kind", sa.Text, nullable=False),
        sa.Column("cents", INTEGER, nullable=False),
        sa.ForeignKeyConstraint(["table_id", "sequence"], ["events.table_id", "events.sequence"]),
        with_rowid=False,
    )
    op.create_index("player_activity_by_player", "player_activity", ["player", "table_id", "sequence"])
    _table(
        "command_replies",
        _table_id(),
        sa.Column("player", sa.Text, primary_key=True, nullable=False),
        sa.Column("command_id", sa.Text, primary_key=True, nullable=False),
        sa.Column("first_sequence", INTEGER, nullable=False),
        sa.Column("last_sequence", INTEGER, nullable=False),
        sa.Column("reply", sa.Text, nullable=False),
        sa.Column("checksum", sa.Text, nullable=False),
    )
    _table(
        "leases",
        _table_id(),
        sa.Column("owner", sa.Text),
        sa.Column("epoch", INTEGER, nullable=False),
        sa.Column("expires_ms", INTEGER, nullable=False),
        sa.Column("checksum", sa.Text, nullable=False),
        with_rowid=False,
    )
    _table(
        "people",
        sa.Column("person_id", sa.Text, primary_key=True, nullable=False),
        sa.Column("name", sa.Text),
        sa.Column("normalized_name", sa.Text, unique=True),
        sa.Column("kind", sa.Text, nullable=False),
        sa.Column("password_hash", sa.Text),
        sa.Column("created_ms", INTEGER, nullable=False),
        sa.Column("self_limits", sa.Text, nullable=False),
        sa.Column("deleted_ms", INTEGER),
        sa.Column("sign_out_count", INTEGER, nullable=False),
        sa.Column("checksum", sa.Text, nullable=False),
        sa.CheckConstraint("kind IN ('guest', 'registered', 'bot')", name="people_kind"),
    )
    _create_append_only_triggers()


def downgrade() -> None:
    """Drop every table."""
    for table in (
        "people", "leases", "command_replies", "player_activity", "balances", "postings", "events", "table_states",
        "tables",
    ):  # fmt: skip
        op.drop_table(table)
    if op.get_bind().dialect.name == "postgresql":
        op.execute("DROP FUNCTION refuse_change()")


def _table(name: str, *columns: SchemaItem, with_rowid: bool = True) -> None:
    op.create_table(name, *columns, sqlite_strict=True, sqlite_with_rowid=with_rowid)


def _table_id() -> sa.Column[str]:
    return sa.Column("table_id", sa.Text, sa.ForeignKey("tables.table_id"), primary_key=True, nullable=False)


def _create_append_only_triggers() -> None:
    """Make the database itself refuse to change or delete a row of an append-only table."""
    if op.get_bind().dialect.name == "sqlite":
        for table in APPEND_ONLY:
            for operation in ("UPDATE", "DELETE"):
                op.execute(
                    f"CREATE TRIGGER {table}_no_{operation.lower()} BEFORE {operation} ON {table} "
                    f"BEGIN SELECT RAISE(ABORT, '{table} is append-only'); END"
                )
        return
    op.execute(
        "CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS "
        "$$ BEGIN RAISE EXCEPTION '% is append-only', TG_TABLE_NAME; END $$"
    )
    for table in APPEND_ONLY:
        op.execute(
            f"CREATE TRIGGER {table}_append_only BEFORE UPDATE OR DELETE ON {table} "
            "FOR EACH ROW EXECUTE FUNCTION refuse_change()"
        )
