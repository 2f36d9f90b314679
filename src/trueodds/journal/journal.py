"""The journal: the truth of a table service, in one database."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from types import TracebackType
from typing import NamedTuple, Self

import sqlalchemy as sa
from sqlalchemy.exc import IntegrityError

from trueodds.journal.append import Append, Appended, Writer, read_state
from trueodds.journal.codec import write_position
from trueodds.journal.command import Answer, Key, find_answers
from trueodds.journal.database import Database
from trueodds.journal.errors import NoSuchTableError, TableExistsError
from trueodds.journal.header import Header
from trueodds.journal.lease import Clock, Lease, Leases
from trueodds.journal.leaver import left_behind
from trueodds.journal.migrate import check_version, migrate
from trueodds.journal.news import Listener
from trueodds.journal.people import People
from trueodds.journal.row import Row
from trueodds.journal.schema import balances, heads, leases, rows, tables
from trueodds.journal.standing import Standings
from trueodds.journal.state import TableState


class Glance(NamedTuple):
    """Where a table stands: the number of its last row, and the position as JSON."""

    sequence: int
    position: str


class Journal:
    """Every table as an append-only log with its ledger; see docs/journal.md.

    One thread writes; any thread may read.
    """

    def __init__(self, database: Database, clock: Clock | None = None) -> None:
        self.database = database
        self.people = People(database)
        self.standings = Standings(database)
        self._writer = Writer(database)
        self._leases = Leases(database, clock)

    def create_table(self, header: Header) -> TableState:
        """Begin a table: nobody there, no row, nobody's lease."""
        header.check_schema()
        state = TableState.new(header)
        lease = Lease(header.table_id, None, 0, 0)
        head = {"table_id": header.table_id, "sequence": 0, "hash": state.hash}
        try:
            with self.database.writing() as connection:
                connection.execute(sa.insert(tables).values(**header._asdict(), header_hash=state.hash))
                connection.execute(sa.insert(heads).values(**head, position=write_position(state.position)))
                connection.execute(sa.insert(leases).values(**lease._asdict(), seal=lease.seal))
        except IntegrityError:
            raise TableExistsError(f"there is a table {header.table_id!r} already") from None
        return state

    def tables(self) -> tuple[Header, ...]:
        """List the tables, the oldest first."""
        columns = [tables.c[name] for name in Header._fields]
        with self.database.reading() as connection:
            found = [Header(*one) for one in connection.execute(sa.select(*columns))]
        return tuple(sorted(found, key=lambda header: (header.created_ms, header.table_id)))

    def header(self, table_id: str) -> Header:
        """Read what never changes about a table."""
        columns = [tables.c[name] for name in Header._fields]
        with self.database.reading() as connection:
            found = connection.execute(sa.select(*columns).where(tables.c.table_id == table_id)).first()
        if found is None:
            raise NoSuchTableError(f"there is no table {table_id!r}")
        return Header(*found)

    def tables_of(self, player: str) -> tuple[str, ...]:
        """Name the tables where a player ever had chips."""
        wanted = sa.select(balances.c.table_id).where(balances.c.account == f"rack:{player}")
        with self.database.reading() as connection:
            return tuple(connection.execute(wanted.order_by(balances.c.table_id)).scalars())

    def tables_with_leavers(self) -> tuple[str, ...]:
        """Name the tables that somebody has asked to leave whose wagers are still up."""
        with self.database.reading() as connection:
            return left_behind(connection)

    def load(self, table_id: str) -> TableState:
        """Read where a table stands."""
        with self.database.reading() as connection:
            return read_state(connection, table_id)

    def rows(self, table_id: str, after: int = 0, limit: int = 1000) -> tuple[Row, ...]:
        """Read the rows of a table that follow a number, in order."""
        with self.database.reading() as connection:
            return tuple(read_rows(connection, table_id, after, limit))

    def rows_of(self, table_id: str, kind: str, skip: int = 0, limit: int = 1000) -> tuple[Row, ...]:
        """Read the rows of a table that are of one kind, in order, without the first so many."""
        columns = [rows.c[name] for name in Row._fields]
        which = (rows.c.table_id == table_id, rows.c.kind == kind)
        wanted = sa.select(*columns).where(*which).order_by(rows.c.sequence).offset(skip).limit(limit)
        with self.database.reading() as connection:
            return tuple(Row(*one) for one in connection.execute(wanted))

    def rows_before(self, table_id: str, before: int, kinds: Collection[str]) -> tuple[Row, ...]:
        """Read all rows of a table before a number that are of some kinds, in order."""
        columns = [rows.c[name] for name in Row._fields]
        which = (rows.c.table_id == table_id, rows.c.sequence < before, rows.c.kind.in_(list(kinds)))
        with self.database.reading() as connection:
            return tuple(
                Row(*one) for one in connection.execute(sa.select(*columns).where(*which).order_by(rows.c.sequence))
            )

    def last_of(self, table_id: str, kind: str) -> Row | None:
        """Read the last row of a table that is of a kind."""
        columns = [rows.c[name] for name in Row._fields]
        which = (rows.c.table_id == table_id, rows.c.kind == kind)
        wanted = sa.select(*columns).where(*which).order_by(rows.c.sequence.desc()).limit(1)
        with self.database.reading() as connection:
            found = connection.execute(wanted).first()
        return None if found is None else Row(*found)

    def glance(self, table_ids: Collection[str]) -> dict[str, Glance]:
        """Read where several tables stand, as it is written."""
        wanted = sa.select(heads.c.table_id, heads.c.sequence, heads.c.position)
        with self.database.reading() as connection:
            found = connection.execute(wanted.where(heads.c.table_id.in_(list(table_ids))))
            return {table_id: Glance(sequence, position) for table_id, sequence, position in found}

    def lease(self, table_id: str, owner: str, seconds: float) -> int:
        """Become the writer of a table and get the epoch to append with; raises `LeaseHeldError`."""
        return self._leases.take(table_id, owner, seconds)

    def renew(self, table_id: str, epoch: int, seconds: float) -> None:
        """Stay the writer of a table; raises `LeaseHeldError` when somebody else is."""
        self._leases.renew(table_id, epoch, seconds)

    def release(self, table_id: str, epoch: int) -> None:
        """Stop being the writer of a table."""
        self._leases.release(table_id, epoch)

    def lease_of(self, table_id: str) -> Lease:
        """Say who writes a table."""
        return self._leases.read(table_id)

    def append(self, batch: Sequence[Append]) -> tuple[Appended, ...]:
        """Write a batch in one transaction, all or nothing; raises an `AppendError` that says which and why."""
        return self._writer.append(batch)

    def answer(self, table_id: str, player: str, command_id: str) -> Answer | None:
        """Give what a command was answered, however long ago; None for a new one."""
        with self.database.reading() as connection:
            key = (table_id, player, command_id)
            return find_answers(connection, [key]).get(key)

    def answers(self, keys: Sequence[Key]) -> dict[Key, Answer]:
        """Give what commands of tables and players were answered; one that is new is left out."""
        with self.database.reading() as connection:
            return find_answers(connection, keys)

    def listen(self) -> Listener:
        """Hear which tables other processes wrote; on SQLite there are none."""
        return Listener(self.database)

    def close(self) -> None:
        """Close every connection."""
        self.database.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()


def read_rows(connection: sa.Connection, table_id: str, after: int, limit: int) -> Iterator[Row]:
    """Read rows of a table in order."""
    columns = [rows.c[name] for name in Row._fields]
    which = (rows.c.table_id == table_id, rows.c.sequence > after)
    wanted = sa.select(*columns).where(*which).order_by(rows.c.sequence).limit(limit)
    return (Row(*one) for one in connection.execute(wanted))


def open_journal(url: str, *, clock: Clock | None = None, create: bool = True) -> Journal:
    """Open a journal and bring its tables up to date.

    Without `create` nothing is made or migrated: a journal that is not there or is of another edition is an error.
    `clock` gives milliseconds for leases instead of the database's own clock.
    """
    database = Database(url)
    try:
        (migrate if create else check_version)(database)
    except BaseException:
        database.close()
        raise
    return Journal(database, clock)
