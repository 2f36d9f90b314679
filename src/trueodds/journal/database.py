"""The database under a journal: SQLite in one file or PostgreSQL, and transactions that lose nothing."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

import sqlalchemy as sa
from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import ArgumentError, DatabaseError, InterfaceError, NoSuchModuleError, OperationalError
from sqlalchemy.exc import TimeoutError as PoolTimeout

from trueodds.journal.errors import DamagedError, JournalError, UnavailableError

_PRAGMAS: Final = (
    "busy_timeout=5000",
    "journal_mode=WAL",
    "synchronous=FULL",
    "foreign_keys=ON",
    "secure_delete=ON",
)
"""FULL, since NORMAL can lose commits that were acknowledged; what is deleted is overwritten."""


class Database:
    """Where a journal is kept: `writing()` and `reading()` give a connection within one transaction."""

    def __init__(self, url: str) -> None:
        self.url = read_url(url)
        self.is_sqlite = self.url.get_backend_name() == "sqlite"
        self.engine = sa.create_engine(self.url, pool_pre_ping=not self.is_sqlite, max_overflow=20)
        if self.is_sqlite:
            sa.event.listen(self.engine, "connect", _set_up)
            sa.event.listen(self.engine, "begin", _begin)
            self._reader = self.engine.execution_options(trueodds_reading=True)
        else:
            self._reader = self.engine.execution_options(isolation_level="REPEATABLE READ", postgresql_readonly=True)

    @property
    def file(self) -> Path | None:
        """The file of an SQLite database."""
        return Path(str(self.url.database)) if self.is_sqlite else None

    @contextmanager
    def writing(self) -> Iterator[sa.Connection]:
        """Give a connection whose transaction is committed at the end, or rolled back by any error."""
        with _told_clearly(), self.engine.begin() as connection:
            yield connection

    @contextmanager
    def reading(self) -> Iterator[sa.Connection]:
        """Give a connection that sees one moment of the database and waits for no writer."""
        with _told_clearly(), self._reader.connect() as connection:
            yield connection

    def now_ms(self, connection: sa.Connection) -> int:
        """Read the clock that everybody who shares the database shares."""
        if self.is_sqlite:
            return time.time_ns() // 1_000_000
        now = sa.func.extract("epoch", sa.func.clock_timestamp()) * 1000
        return int(connection.execute(sa.select(sa.cast(now, sa.BigInteger))).scalar_one())

    def close(self) -> None:
        """Close every connection."""
        self.engine.dispose()


def read_url(text: str) -> URL:
    """Read a database URL; a plain path is an SQLite file.

    >>> read_url("evening.db").render_as_string(), read_url("postgres://db/craps").drivername
    ('sqlite:///evening.db', 'postgresql+psycopg')
    """
    try:
        url = make_url(text if "://" in text else f"sqlite:///{text}")
        if url.drivername in {"postgres", "postgresql"}:
            url = url.set(drivername="postgresql+psycopg")
        url.get_dialect()
    except (ArgumentError, NoSuchModuleError, ValueError):
        raise JournalError(f"a database is sqlite:///FILE or postgresql://..., not {text!r}") from None
    if url.get_backend_name() not in {"sqlite", "postgresql"}:
        raise JournalError(f"a journal is kept in SQLite or PostgreSQL, not in {url.get_backend_name()}")
    if url.get_backend_name() == "sqlite" and (not url.database or ":memory:" in url.database):
        raise JournalError("a journal is kept in a file, not in memory")
    return url


def _set_up(connection: sqlite3.Connection, _: Any) -> None:
    """Take transactions out of the hands of the driver, which would begin them too late and lose updates."""
    connection.isolation_level = None
    for pragma in _PRAGMAS:
        connection.execute(f"PRAGMA {pragma}").close()


def _begin(connection: sa.Connection) -> None:
    """Take the lock before anything is read that will be written; readers take none."""
    reading = connection.get_execution_options().get("trueodds_reading", False)
    connection.exec_driver_sql("BEGIN" if reading else "BEGIN IMMEDIATE")


@contextmanager
def _told_clearly() -> Iterator[None]:
    try:
        yield
    except (OperationalError, InterfaceError) as error:
        raise UnavailableError(str(error.orig).strip()) from error
    except PoolTimeout as error:
        raise UnavailableError("every connection is in use") from error
    except DatabaseError as error:
        # The kinds of it, such as a broken constraint, are for the caller; this is what SQLite says of bad pages.
        if type(error) is not DatabaseError:
            raise
        raise DamagedError(str(error.orig).strip()) from error
