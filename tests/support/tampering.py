"""Alter a database without its triggers, constraints and foreign keys."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping
from types import TracebackType
from typing import Any, Self

import psycopg

from trueodds.journal import Journal
from trueodds.journal.schema import metadata

Values = Mapping[str, Any]


class TamperingConnection:
    """A connection that may change anything."""

    def __init__(self, journal: Journal) -> None:
        self._file = journal.database.file
        url = journal.database.url.set(drivername="postgresql")
        self._url = url.render_as_string(hide_password=False)
        self._connection: Any = self._connect()
        if self._file is not None:
            for (name,) in self.run("SELECT name FROM sqlite_master WHERE type = 'trigger'"):
                self.run(f"DROP TRIGGER {name}")
            return
        found = "SELECT conrelid::regclass::text, conname FROM pg_constraint WHERE contype = 'c' AND conrelid <> 0"
        for table, name in self.run(found):
            self.run(f"ALTER TABLE {table} DROP CONSTRAINT {name}")

    def _connect(self) -> Any:
        if self._file is None:
            server = psycopg.connect(self._url, autocommit=True)
            server.execute("SET session_replication_role = replica")
            return server
        file = sqlite3.connect(self._file, isolation_level=None)
        file.execute("PRAGMA foreign_keys = OFF")
        file.execute("PRAGMA ignore_check_constraints = ON")
        return file

    def close(self) -> None:
        self._connection.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()

    def run(self, statement: str, values: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
        done = self._connection.execute(statement if self._file else statement.replace("?", "%s"), values)
        return list(done.fetchall()) if done.description else []

    def rows(self, table: str) -> list[dict[str, Any]]:
        columns = _columns(table)
        keys = _keys(table)
        found = self.run(f"SELECT {', '.join(columns)} FROM {table}")
        rows = [dict(zip(columns, row, strict=True)) for row in found]
        return sorted(rows, key=lambda row: [row[key] for key in keys])

    def change(self, table: str, row: Values, column: str, value: object) -> dict[str, Any]:
        """Change one value and return the changed row."""
        keys = _keys(table)
        which = " AND ".join(f"{key} = ?" for key in keys)
        values = (value, *(row[key] for key in keys))
        self.run(f"UPDATE {table} SET {column} = ? WHERE {which}", values)
        return {**row, column: value}

    def is_taken(self, table: str, row: Values, column: str, value: object) -> bool:
        """Return whether a change would give a row the key of another row."""
        keys, now = _keys(table), {**row, column: value}
        return column in keys and any(all(one[key] == now[key] for key in keys) for one in self.rows(table))

    def delete(self, table: str, row: Values) -> None:
        keys = _keys(table)
        which = " AND ".join(f"{key} = ?" for key in keys)
        self.run(f"DELETE FROM {table} WHERE {which}", tuple(row[key] for key in keys))

    def insert(self, table: str, row: Values) -> None:
        marks = ", ".join("?" for _ in row)
        self.run(f"INSERT INTO {table} ({', '.join(row)}) VALUES ({marks})", tuple(row.values()))


def _columns(table: str) -> list[str]:
    return ["version_num"] if table == "alembic_version" else metadata.tables[table].columns.keys()


def _keys(table: str) -> list[str]:
    return ["version_num"] if table == "alembic_version" else [one.name for one in metadata.tables[table].primary_key]


COLUMNS = [(table, column) for table in (*metadata.tables, "alembic_version") for column in _columns(table)]


def flipped_bits(value: Any) -> list[Any]:
    """Return copies of a value with one flipped bit: at the beginning, in the middle and at the end."""
    if value is None:
        return []
    if isinstance(value, int):
        return [value ^ 1, value ^ (1 << 20)]
    places = sorted({0, len(value) // 3, len(value) - 1})
    return [value[:place] + chr(ord(value[place]) ^ 16) + value[place + 1 :] for place in places]
