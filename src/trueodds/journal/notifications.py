"""News between processes that share a PostgreSQL database: which table went on, and to which row."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from types import TracebackType
from typing import Final, NamedTuple, Self

import sqlalchemy as sa

from trueodds.journal.database import Database
from trueodds.journal.errors import UnavailableError
from trueodds.journal.header import TABLE_ID

CHANNEL: Final = "trueodds_journal"
_PAYLOAD: Final = re.compile(rf"({TABLE_ID.pattern}) ([0-9]{{1,19}})")


class News(NamedTuple):
    """A table has rows up to this number now; a writer hears its own news, too."""

    table_id: str
    sequence: int


def tell(connection: sa.Connection, heads: Sequence[tuple[str, int]]) -> None:
    """Tell everybody who listens, when the transaction is committed."""
    for table_id, sequence in heads:
        connection.execute(sa.select(sa.func.pg_notify(CHANNEL, f"{table_id} {sequence}")))


class Listener:
    """Gives news as they come. On SQLite there is nobody to hear from, and nothing comes.

    Listening has begun when this is made: read the rows after that, and nothing is missed.
    """

    def __init__(self, database: Database) -> None:
        self._connection = None
        self._closed = False
        if not database.is_sqlite:
            import psycopg  # noqa: PLC0415  only those who use PostgreSQL have it

            plain = database.url.set(drivername="postgresql").render_as_string(hide_password=False)
            try:
                self._connection = psycopg.connect(plain, autocommit=True)
                self._connection.execute(f"LISTEN {CHANNEL}")
            except psycopg.Error as error:
                raise UnavailableError(str(error).strip()) from error

    def wait(self, seconds: float) -> Iterator[News]:
        """Give the news of the next seconds; gives nothing at once on SQLite."""
        if self._connection is None:
            return
        import psycopg  # noqa: PLC0415  as above

        try:
            for notice in self._connection.notifies(timeout=seconds):
                if told := _PAYLOAD.fullmatch(notice.payload):
                    yield News(told[1], int(told[2]))
        except psycopg.Error as error:
            if not self._closed:
                raise UnavailableError(str(error).strip()) from error

    def __iter__(self) -> Iterator[News]:
        """Give news until the listener is closed."""
        while self._connection is not None and not self._closed:
            yield from self.wait(1.0)

    def close(self) -> None:
        """Stop listening; any thread may."""
        self._closed = True
        if self._connection is not None:
            self._connection.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()
