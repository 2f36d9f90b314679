"""The tables of the database, as the last migration leaves them."""

from __future__ import annotations

from typing import Final

from sqlalchemy import (
    BigInteger,
    CheckConstraint,
    Column,
    ForeignKey,
    ForeignKeyConstraint,
    Index,
    Integer,
    MetaData,
    Table,
    Text,
)
from sqlalchemy.schema import SchemaItem

VERSION: Final = "0001"
"""The id of the last migration."""

INTEGER: Final = BigInteger().with_variant(Integer(), "sqlite")
metadata: Final = MetaData()


def _table(name: str, *columns: SchemaItem, with_rowid: bool = True) -> Table:
    """Return a table whose column types SQLite enforces too."""
    return Table(name, metadata, *columns, sqlite_strict=True, sqlite_with_rowid=with_rowid)


def _text(name: str, *constraints: ForeignKey, primary_key: bool = False) -> Column[str]:
    return Column(name, Text, *constraints, primary_key=primary_key, nullable=False)


def _integer(name: str, *, primary_key: bool = False) -> Column[int]:
    return Column(name, INTEGER, primary_key=primary_key, autoincrement=False, nullable=False)


tables = _table(
    "tables",
    _text("table_id", primary_key=True),
    _text("book_id"),
    _text("book_digest"),
    _text("house_json"),
    _text("house_digest"),
    _text("schema_digest"),
    _integer("created_ms"),
    _text("header_hash"),
)
"""The header of each table. Append-only."""

table_states = _table(
    "table_states",
    _text("table_id", ForeignKey("tables.table_id"), primary_key=True),
    _integer("sequence"),
    _text("hash"),
    _text("position"),
)
"""The current state of each table: its last event and the position after it."""

events = _table(
    "events",
    _text("table_id", ForeignKey("tables.table_id"), primary_key=True),
    _integer("sequence", primary_key=True),
    _integer("at_ms"),
    _text("kind"),
    _text("body"),
    _text("hash"),
    CheckConstraint("sequence >= 1", name="events_sequence_from_1"),
)
"""The events of every table. Append-only."""

postings = _table(
    "postings",
    _text("table_id", primary_key=True),
    _integer("sequence", primary_key=True),
    _text("account", primary_key=True),
    _integer("cents"),
    ForeignKeyConstraint(["table_id", "sequence"], ["events.table_id", "events.sequence"]),
    CheckConstraint("cents <> 0", name="postings_nonzero"),
    with_rowid=False,
)
"""The ledger postings of each event. Append-only."""

balances = _table(
    "balances",
    _text("table_id", ForeignKey("tables.table_id"), primary_key=True),
    _text("account", primary_key=True),
    _integer("cents"),
    CheckConstraint("cents >= 0 OR account IN ('house', 'vig', 'cashier')", name="balances_nonnegative"),
    with_rowid=False,
)
"""The balance of each account of a table."""

player_activity = _table(
    "player_activity",
    _text("table_id", primary_key=True),
    _integer("sequence", primary_key=True),
    _text("player"),
    _integer("at_ms"),
    _text("kind"),
    _integer("cents"),
    ForeignKeyConstraint(["table_id", "sequence"], ["events.table_id", "events.sequence"]),
    Index("player_activity_by_player", "player", "table_id", "sequence"),
    with_rowid=False,
)
"""Events about seats and chips, indexed by player. Append-only."""

command_replies = _table(
    "command_replies",
    _text("table_id", ForeignKey("tables.table_id"), primary_key=True),
    _text("player", primary_key=True),
    _text("command_id", primary_key=True),
    _integer("first_sequence"),
    _integer("last_sequence"),
    _text("reply"),
    _text("checksum"),
)
"""The reply to each command and the events it caused; none if the last sequence precedes the first."""

leases = _table(
    "leases",
    _text("table_id", ForeignKey("tables.table_id"), primary_key=True),
    Column("owner", Text),
    _integer("epoch"),
    _integer("expires_ms"),
    _text("checksum"),
    with_rowid=False,
)
"""Which process may write a table."""

people = _table(
    "people",
    _text("person_id", primary_key=True),
    Column("name", Text),
    Column("normalized_name", Text, unique=True),
    _text("kind"),
    Column("password_hash", Text),
    _integer("created_ms"),
    _text("self_limits"),
    Column("deleted_ms", INTEGER),
    _integer("sign_out_count"),
    _text("checksum"),
    CheckConstraint("kind IN ('guest', 'registered', 'bot')", name="people_kind"),
)
"""Names, passwords and limits of people. No other table holds personal data."""
