"""SQL statements of every batch, cached as text: building them each time takes longer than running them."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, lru_cache
from typing import Any, Final, TypeAlias

import sqlalchemy as sa

_PLACEHOLDERS: Final = {"sqlite": "?", "postgresql": "%s"}
"""The placeholder of each driver."""

Values: TypeAlias = Sequence[tuple[str | int | None, ...]]
"""Rows of values, in the order of the columns."""


def insert_rows(
    connection: sa.Connection, table: sa.Table, values: Values, on_conflict_update: tuple[str, ...] = ()
) -> None:
    """Insert rows with every column of a table. Where the key exists, update the columns of `on_conflict_update`."""
    if values:
        connection.exec_driver_sql(_insert_sql(connection.dialect.name, table, on_conflict_update), list(values))


def update_rows(connection: sa.Connection, table: sa.Table, columns: tuple[str, ...], values: Values) -> None:
    """Update columns of rows. Each tuple has the new values, then the key."""
    if values:
        connection.exec_driver_sql(_update_sql(connection.dialect.name, table, columns), list(values))


def select_by_keys(
    connection: sa.Connection, select: str, columns: tuple[str, ...], keys: Values, suffix: str = ""
) -> Sequence[Any]:
    """Return the rows that have one of several keys. `select` is a query up to its WHERE; `suffix` follows it."""
    values = tuple(value for key in keys for value in key)
    return connection.exec_driver_sql(
        _select_sql(connection.dialect.name, select, columns, len(keys), suffix), values
    ).all()


@cache
def _insert_sql(dialect: str, table: sa.Table, on_conflict_update: tuple[str, ...]) -> str:
    names = table.columns.keys()
    marks = ", ".join(_PLACEHOLDERS[dialect] for _ in names)
    text = f"INSERT INTO {table.name} ({', '.join(names)}) VALUES ({marks})"  # noqa: S608  the names are from our schema
    if not on_conflict_update:
        return text
    changes = ", ".join(f"{name} = excluded.{name}" for name in on_conflict_update)
    return f"{text} ON CONFLICT ({', '.join(table.primary_key.columns.keys())}) DO UPDATE SET {changes}"


@cache
def _update_sql(dialect: str, table: sa.Table, columns: tuple[str, ...]) -> str:
    mark = _PLACEHOLDERS[dialect]
    changes = ", ".join(f"{name} = {mark}" for name in columns)
    key = " AND ".join(f"{name} = {mark}" for name in table.primary_key.columns.keys())  # noqa: SIM118  this is not a dict
    return f"UPDATE {table.name} SET {changes} WHERE {key}"  # noqa: S608  as above


@lru_cache(256)
def _select_sql(dialect: str, select: str, columns: tuple[str, ...], key_count: int, suffix: str) -> str:
    # For `(a, b) IN (VALUES ...)` SQLite scans the whole table; for this it looks up each key.
    one_key = " AND ".join(f"{column} = {_PLACEHOLDERS[dialect]}" for column in columns)
    return f"{select} WHERE {' OR '.join([f'({one_key})'] * key_count)} {suffix}"
