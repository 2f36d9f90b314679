"""The database of a journal, SQLite or PostgreSQL, and its transactions."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

import sqlalchemy as sa
from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import (
    ArgumentError,
    DatabaseError,
    DisconnectionError,
    InterfaceError,
    NoSuchModuleError,
    OperationalError,
)
from sqlalchemy.exc import TimeoutError as PoolTimeout

from trueodds.journal.errors import CorruptDatabaseError, DatabaseUnavailableError, JournalError

_PRAGMAS: Final = (
    "busy_timeout=5000",
    "journal_mode=WAL",
    "synchronous=FULL",
    "foreign_keys=ON",
    "secure_delete=ON",
)
"""FULL because NORMAL can lose acknowledged commits; secure_delete overwrites deleted data."""


class Database:
    """A database that gives connections within one transaction, for writing or for reading."""

    def __init__(self, url: str) -> None:
        self.url = parse_database_url(url)
        self.is_sqlite = self.url.get_backend_name() == "sqlite"
        self.engine = sa.create_engine(self.url, pool_pre_ping=not self.is_sqlite, max_overflow=20)
        if self.is_sqlite:
            sa.event.listen(self.engine, "connect", _configure_sqlite)
            sa.event.listen(self.engine, "checkout", _check_sqlite_file)
            sa.event.listen(self.engine, "begin", _begin_sqlite)
            self._reader = self.engine.execution_options(trueodds_reading=True)
        else:
            self._reader = self.engine.execution_options(isolation_level="REPEATABLE READ", postgresql_readonly=True)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.url.render_as_string()!r})"

    @property
    def file(self) -> Path | None:
        """The file of an SQLite database, or None for PostgreSQL."""
        return Path(str(self.url.database)) if self.is_sqlite else None

    @contextmanager
    def write_transaction(self) -> Iterator[sa.Connection]:
        """Yield a connection whose transaction commits at the end, or rolls back on an exception.

        Raise `DatabaseUnavailableError` and write nothing if the file of the database is gone.
        """
        with _translate_errors(), self.engine.begin() as connection:
            yield connection
            if self.is_sqlite and not _has_its_file(connection.info):
                connection.invalidate()
                raise DatabaseUnavailableError(f"{self.file} was deleted or replaced")

    def check_writable(self) -> None:
        """Write something that changes nothing. Raise `DatabaseUnavailableError` if that fails, as on a full disk."""
        with self.write_transaction() as connection:
            connection.exec_driver_sql("UPDATE alembic_version SET version_num = version_num")

    @contextmanager
    def read_transaction(self) -> Iterator[sa.Connection]:
        """Yield a connection that reads one snapshot of the database and never waits for a writer.

        Raise `DatabaseUnavailableError` if the file of the database is gone.
        """
        with _translate_errors(), self._reader.connect() as connection:
            yield connection

    def now_ms(self, connection: sa.Connection) -> int:
        """Return the time of the clock that all users of the database share."""
        if self.is_sqlite:
            return time.time_ns() // 1_000_000
        now = sa.func.extract("epoch", sa.func.clock_timestamp()) * 1000
        return int(connection.execute(sa.select(sa.cast(now, sa.BigInteger))).scalar_one())

    def close(self) -> None:
        """Close every connection."""
        self.engine.dispose()


def parse_database_url(text: str) -> URL:
    """Return a database URL; a plain path means an SQLite file. Raise `JournalError` if it is not supported.

    >>> parse_database_url("craps.db").render_as_string(), parse_database_url("postgres://db/craps").drivername
    ('sqlite:///craps.db', 'postgresql+psycopg')
    """
    try:
        url = make_url(text if "://" in text else f"sqlite:///{text}")
        if url.drivername in {"postgres", "postgresql"}:
            url = url.set(drivername="postgresql+psycopg")
        url.get_dialect()
    except (ArgumentError, NoSuchModuleError, ValueError):
        raise JournalError(f"a database URL must be sqlite:///FILE or postgresql://..., got {text!r}") from None
    if url.get_backend_name() not in {"sqlite", "postgresql"}:
        raise JournalError(f"a journal must be in SQLite or PostgreSQL, got {url.get_backend_name()}")
    if url.get_backend_name() == "sqlite" and (not url.database or ":memory:" in url.database or url.query):
        raise JournalError(f"an SQLite journal must be a plain file, got {text!r}")
    return url


def _configure_sqlite(connection: sqlite3.Connection, record: sa.pool.ConnectionPoolEntry) -> None:
    """Set the pragmas, and turn off the driver's own transactions: it begins them too late and loses updates."""
    connection.isolation_level = None
    for pragma in _PRAGMAS:
        connection.execute(f"PRAGMA {pragma}").close()
    ((_, _, path),) = connection.execute("PRAGMA database_list").fetchall()
    record.info.update(path=Path(path), file_id=_file_id(Path(path)))


def _check_sqlite_file(_: sqlite3.Connection, record: sa.pool.ConnectionPoolEntry, __: object) -> None:
    """Check a connection before it is used. If the file was replaced, connect to the new one.

    Raise `DatabaseUnavailableError` if there is no file, for which SQLite would make an empty one.
    """
    if _has_its_file(record.info):
        return
    if not record.info["path"].exists():
        raise DatabaseUnavailableError(f"{record.info['path']} was deleted")
    raise DisconnectionError


def _has_its_file(info: Mapping[str, Any]) -> bool:
    """Return whether the file that a connection has open is still the one of that name."""
    return bool(info["file_id"] == _file_id(info["path"]))


def _file_id(path: Path) -> tuple[int, int] | None:
    """Return what identifies a file, whatever its name, or None if there is no file of that name."""
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_dev, found.st_ino


def _begin_sqlite(connection: sa.Connection) -> None:
    """Begin a transaction. A writer takes the lock before it reads what it will change."""
    reading = connection.get_execution_options().get("trueodds_reading", False)
    connection.exec_driver_sql("BEGIN" if reading else "BEGIN IMMEDIATE")


@contextmanager
def _translate_errors() -> Iterator[None]:
    try:
        yield
    except (OperationalError, InterfaceError) as error:
        raise DatabaseUnavailableError(str(error.orig).strip()) from error
    except PoolTimeout as error:
        raise DatabaseUnavailableError("all database connections are in use") from error
    except DatabaseError as error:
        # Subclasses, such as a violated constraint, are for the caller. SQLite raises the base class for bad pages.
        if type(error) is not DatabaseError:
            raise
        raise CorruptDatabaseError(str(error.orig).strip()) from error
