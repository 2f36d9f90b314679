"""Statements that every batch needs, as text: putting them together each time would take longer than running them."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, lru_cache
from typing import Any, Final

import sqlalchemy as sa

_MARKS: Final = {"sqlite": "?", "postgresql": "%s"}
"""What each driver has for a value."""

Values = Sequence[tuple[Any, ...]]
"""Rows of values, in the order of the columns."""


def insert(connection: sa.Connection, table: sa.Table, values: Values, over: tuple[str, ...] = ()) -> None:
    """Insert rows with every column of a table; `over` names columns to be written over where the key is there."""
    if values:
        connection.exec_driver_sql(_insert(connection.dialect.name, table, over), list(values))


def update(connection: sa.Connection, table: sa.Table, columns: tuple[str, ...], values: Values) -> None:
    """Change columns of rows; the key of each stands after its values."""
    if values:
        connection.exec_driver_sql(_update(connection.dialect.name, table, columns), list(values))


def select_by_keys(
    connection: sa.Connection, wanted: str, columns: tuple[str, ...], keys: Values, last: str = ""
) -> Sequence[Any]:
    """Read the rows that have one of several keys; `wanted` is a query up to its WHERE, `last` what follows it."""
    values = tuple(value for key in keys for value in key)
    return connection.exec_driver_sql(_either(connection.dialect.name, wanted, columns, len(keys), last), values).all()


@cache
def _insert(dialect: str, table: sa.Table, over: tuple[str, ...]) -> str:
    names = table.columns.keys()
    marks = ", ".join(_MARKS[dialect] for _ in names)
    text = f"INSERT INTO {table.name} ({', '.join(names)}) VALUES ({marks})"  # noqa: S608  names of our own schema
    if not over:
        return text
    changes = ", ".join(f"{name} = excluded.{name}" for name in over)
    return f"{text} ON CONFLICT ({', '.join(table.primary_key.columns.keys())}) DO UPDATE SET {changes}"


@cache
def _update(dialect: str, table: sa.Table, columns: tuple[str, ...]) -> str:
    mark = _MARKS[dialect]
    changes = ", ".join(f"{name} = {mark}" for name in columns)
    key = " AND ".join(f"{name} = {mark}" for name in table.primary_key.columns.keys())  # noqa: SIM118  these are no mapping
    return f"UPDATE {table.name} SET {changes} WHERE {key}"  # noqa: S608  as above


@lru_cache(256)
def _either(dialect: str, wanted: str, columns: tuple[str, ...], keys: int, last: str) -> str:
    # For a list of rows, `(a, b) IN (VALUES ...)`, SQLite would read the whole table; this it looks up one by one.
    one = " AND ".join(f"{column} = {_MARKS[dialect]}" for column in columns)
    return f"{wanted} WHERE {' OR '.join([f'({one})'] * keys)} {last}"
