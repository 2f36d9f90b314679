"""The tables of the database, as they are after the last migration."""

from __future__ import annotations

from typing import Any, Final

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

VERSION: Final = "0004"
"""The last migration."""

WHOLE: Final = BigInteger().with_variant(Integer(), "sqlite")
metadata: Final = MetaData()


def _table(name: str, *columns: Any, with_rowid: bool = True) -> Table:
    """Make a table; SQLite holds it to its types, too."""
    return Table(name, metadata, *columns, sqlite_strict=True, sqlite_with_rowid=with_rowid)


def _text(name: str, *more: Any, **options: Any) -> Column[Any]:
    return Column(name, Text, *more, **{"nullable": False, **options})


def _whole(name: str, *more: Any, **options: Any) -> Column[Any]:
    return Column(name, WHOLE, *more, **{"nullable": False, **options})


tables = _table(
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
"""The header of each table. Triggers keep it from being changed."""

heads = _table(
    "heads",
    _text("table_id", ForeignKey("tables.table_id"), primary_key=True),
    _whole("sequence"),
    _text("hash"),
    _text("position"),
)
"""Where each table stands: its last row and the position after it."""

rows = _table(
    "rows",
    _text("table_id", ForeignKey("tables.table_id"), primary_key=True),
    _whole("sequence", primary_key=True, autoincrement=False),
    _whole("at_ms"),
    _text("kind"),
    _text("body"),
    _text("hash"),
    CheckConstraint("sequence >= 1", name="rows_count_from_1"),
)
"""The log of every table. Triggers keep it from being changed."""

postings = _table(
    "postings",
    _text("table_id", primary_key=True),
    _whole("sequence", primary_key=True, autoincrement=False),
    _text("account", primary_key=True),
    _whole("cents"),
    ForeignKeyConstraint(["table_id", "sequence"], ["rows.table_id", "rows.sequence"]),
    CheckConstraint("cents <> 0", name="postings_move_something"),
    with_rowid=False,
)
"""What each row moved. Triggers keep it from being changed."""

balances = _table(
    "balances",
    _text("table_id", ForeignKey("tables.table_id"), primary_key=True),
    _text("account", primary_key=True),
    _whole("cents"),
    CheckConstraint("cents >= 0 OR account IN ('house', 'vigorish', 'cash_in')", name="balances_not_below_zero"),
    with_rowid=False,
)
"""What each account of a table holds."""

comings = _table(
    "comings",
    _text("table_id", primary_key=True),
    _whole("sequence", primary_key=True, autoincrement=False),
    _text("player"),
    _whole("at_ms"),
    _text("kind"),
    _whole("cents"),
    ForeignKeyConstraint(["table_id", "sequence"], ["rows.table_id", "rows.sequence"]),
    Index("comings_by_player", "player", "table_id", "sequence"),
    with_rowid=False,
)
"""Rows about coming and going, in short, to be found by player. Triggers keep them from being changed."""

commands = _table(
    "commands",
    _text("table_id", ForeignKey("tables.table_id"), primary_key=True),
    _text("player", primary_key=True),
    _text("command_id", primary_key=True),
    _whole("first_sequence"),
    _whole("last_sequence"),
    _text("response"),
    _text("seal"),
)
"""What each command was answered, and which rows it made: none where the last comes before the first."""

leases = _table(
    "leases",
    _text("table_id", ForeignKey("tables.table_id"), primary_key=True),
    Column("owner", Text),
    _whole("epoch"),
    _whole("until_ms"),
    _text("seal"),
    with_rowid=False,
)
"""Who writes a table."""

people = _table(
    "people",
    _text("person_id", primary_key=True),
    Column("name", Text),
    Column("name_key", Text, unique=True),
    _text("kind"),
    Column("password_hash", Text),
    _whole("created_ms"),
    _text("limits"),
    Column("deleted_ms", WHOLE),
    _whole("epoch"),
    _text("seal"),
    CheckConstraint("kind IN ('guest', 'registered', 'house')", name="people_kinds"),
)
"""Who is who; nothing else in the database has a name."""
