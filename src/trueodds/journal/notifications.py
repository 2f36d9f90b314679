"""Notifications of new events between processes that share a PostgreSQL database."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from types import TracebackType
from typing import Final, NamedTuple, Self

import sqlalchemy as sa

from trueodds.journal.database import Database
from trueodds.journal.errors import DatabaseUnavailableError
from trueodds.journal.table_header import TABLE_ID_PATTERN

CHANNEL: Final = "trueodds_journal"
_PAYLOAD: Final = re.compile(rf"({TABLE_ID_PATTERN.pattern}) ([0-9]{{1,19}})")


class TableNotification(NamedTuple):
    """A table has new events up to `sequence`. A writer also receives its own notifications."""

    table_id: str
    sequence: int


def notify(connection: sa.Connection, sequences: Sequence[tuple[str, int]]) -> None:
    """Notify all listeners when the transaction commits."""
    for table_id, sequence in sequences:
        connection.execute(sa.select(sa.func.pg_notify(CHANNEL, f"{table_id} {sequence}")))


class NotificationListener:
    """Receives notifications. On SQLite there are none.

    Listening starts in the constructor: read the events after creating a listener, and none are missed.
    """

    def __init__(self, database: Database) -> None:
        self._connection = None
        self._closed = False
        if not database.is_sqlite:
            import psycopg  # noqa: PLC0415  only needed for PostgreSQL

            url = database.url.set(drivername="postgresql").render_as_string(hide_password=False)
            try:
                self._connection = psycopg.connect(url, autocommit=True)
                self._connection.execute(f"LISTEN {CHANNEL}")
            except psycopg.Error as error:
                raise DatabaseUnavailableError(str(error).strip()) from error

    def wait(self, seconds: float) -> Iterator[TableNotification]:
        """Yield the notifications of the next seconds. On SQLite, return at once."""
        if self._connection is None:
            return
        import psycopg  # noqa: PLC0415  as above

        try:
            for notice in self._connection.notifies(timeout=seconds):
                if match := _PAYLOAD.fullmatch(notice.payload):
                    yield TableNotification(match[1], int(match[2]))
        except psycopg.Error as error:
            if not self._closed:
                raise DatabaseUnavailableError(str(error).strip()) from error

    def __iter__(self) -> Iterator[TableNotification]:
        """Yield notifications until the listener is closed."""
        while self._connection is not None and not self._closed:
            yield from self.wait(1.0)

    def close(self) -> None:
        """Stop listening. Any thread may call this."""
        self._closed = True
        if self._connection is not None:
            self._connection.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()
