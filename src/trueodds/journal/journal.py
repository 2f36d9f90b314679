"""The journal: the events, ledger and leases of all tables, in one database."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from types import TracebackType
from typing import NamedTuple, Self

import sqlalchemy as sa
from sqlalchemy.exc import IntegrityError

from trueodds.journal.batch_writer import AppendRequest, AppendResult, BatchWriter, read_state
from trueodds.journal.database import Database
from trueodds.journal.errors import NoSuchTableError, TableExistsError
from trueodds.journal.event_codec import encode_position
from trueodds.journal.lease import Clock, Lease, LeaseStore
from trueodds.journal.notifications import NotificationListener
from trueodds.journal.pending_departures import tables_with_departing_players
from trueodds.journal.people import PersonStore
from trueodds.journal.player_totals import PlayerTotalsReader
from trueodds.journal.run_migrations import check_version, migrate
from trueodds.journal.schema import balances, events, leases, table_states, tables
from trueodds.journal.stored_event import StoredEvent
from trueodds.journal.stored_reply import CommandKey, StoredReply, find_replies
from trueodds.journal.table_header import TableHeader
from trueodds.journal.table_state import TableState


class StoredPosition(NamedTuple):
    """The last sequence of a table, and its position as JSON."""

    sequence: int
    position_json: str


class Journal:
    """Every table as an append-only log with its ledger; see docs/journal.md.

    One thread may write; any thread may read.
    """

    def __init__(self, database: Database, clock: Clock | None = None) -> None:
        self.database = database
        self.people = PersonStore(database)
        self.player_totals = PlayerTotalsReader(database)
        self._writer = BatchWriter(database)
        self._leases = LeaseStore(database, clock)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.database!r})"

    def create_table(self, header: TableHeader) -> TableState:
        """Create a table without events. Raise `TableExistsError` if the id is taken."""
        header.check_schema()
        state = TableState.new(header)
        lease = Lease(header.table_id, None, 0, 0)
        head = {"table_id": header.table_id, "sequence": 0, "hash": state.hash}
        try:
            with self.database.write_transaction() as connection:
                connection.execute(sa.insert(tables).values(**header._asdict(), header_hash=state.hash))
                connection.execute(sa.insert(table_states).values(**head, position=encode_position(state.position)))
                connection.execute(sa.insert(leases).values(**lease._asdict(), checksum=lease.checksum))
        except IntegrityError:
            raise TableExistsError(f"there is already a table {header.table_id!r}") from None
        return state

    def headers(self) -> tuple[TableHeader, ...]:
        """Return the headers of all tables, oldest first."""
        columns = [tables.c[name] for name in TableHeader._fields]
        with self.database.read_transaction() as connection:
            found = [TableHeader(*one) for one in connection.execute(sa.select(*columns))]
        return tuple(sorted(found, key=lambda header: (header.created_ms, header.table_id)))

    def header(self, table_id: str) -> TableHeader:
        """Return the header of a table."""
        columns = [tables.c[name] for name in TableHeader._fields]
        with self.database.read_transaction() as connection:
            found = connection.execute(sa.select(*columns).where(tables.c.table_id == table_id)).first()
        if found is None:
            raise NoSuchTableError(f"there is no table {table_id!r}")
        return TableHeader(*found)

    def table_ids_of_player(self, player: str) -> tuple[str, ...]:
        """Return the ids of the tables where a player ever had chips."""
        wanted = sa.select(balances.c.table_id).where(balances.c.account == f"rack:{player}")
        with self.database.read_transaction() as connection:
            return tuple(connection.execute(wanted.order_by(balances.c.table_id)).scalars())

    def tables_with_departing_players(self) -> tuple[str, ...]:
        """Return the ids of the tables where a departing player still has open bets."""
        with self.database.read_transaction() as connection:
            return tables_with_departing_players(connection)

    def load_state(self, table_id: str) -> TableState:
        """Return the current state of a table."""
        with self.database.read_transaction() as connection:
            return read_state(connection, table_id)

    def events(self, table_id: str, after: int = 0, limit: int = 1000) -> tuple[StoredEvent, ...]:
        """Return the events of a table after a sequence number, in order."""
        with self.database.read_transaction() as connection:
            return tuple(read_events(connection, table_id, after, limit))

    def events_of_kind(self, table_id: str, kind: str, offset: int = 0, limit: int = 1000) -> tuple[StoredEvent, ...]:
        """Return the events of one kind at a table, in order, after skipping `offset` of them."""
        columns = [events.c[name] for name in StoredEvent._fields]
        which = (events.c.table_id == table_id, events.c.kind == kind)
        wanted = sa.select(*columns).where(*which).order_by(events.c.sequence).offset(offset).limit(limit)
        with self.database.read_transaction() as connection:
            return tuple(StoredEvent(*one) for one in connection.execute(wanted))

    def events_before(self, table_id: str, before: int, kinds: Collection[str]) -> tuple[StoredEvent, ...]:
        """Return the events of some kinds at a table before a sequence number, in order."""
        columns = [events.c[name] for name in StoredEvent._fields]
        which = (events.c.table_id == table_id, events.c.sequence < before, events.c.kind.in_(list(kinds)))
        with self.database.read_transaction() as connection:
            return tuple(
                StoredEvent(*one)
                for one in connection.execute(sa.select(*columns).where(*which).order_by(events.c.sequence))
            )

    def last_event_of_kind(self, table_id: str, kind: str) -> StoredEvent | None:
        """Return the last event of a kind at a table, or None."""
        columns = [events.c[name] for name in StoredEvent._fields]
        which = (events.c.table_id == table_id, events.c.kind == kind)
        wanted = sa.select(*columns).where(*which).order_by(events.c.sequence.desc()).limit(1)
        with self.database.read_transaction() as connection:
            found = connection.execute(wanted).first()
        return None if found is None else StoredEvent(*found)

    def stored_positions(self, table_ids: Collection[str]) -> dict[str, StoredPosition]:
        """Return the stored positions of several tables."""
        wanted = sa.select(table_states.c.table_id, table_states.c.sequence, table_states.c.position)
        with self.database.read_transaction() as connection:
            found = connection.execute(wanted.where(table_states.c.table_id.in_(list(table_ids))))
            return {table_id: StoredPosition(sequence, position) for table_id, sequence, position in found}

    def acquire_lease(
        self, table_id: str, owner: str, seconds: float, is_gone: Callable[[str], bool] = lambda _: False
    ) -> int:
        """Become the writer of a table and return the epoch to append with.

        Raise `LeaseHeldError` if another owner holds the lease, unless `is_gone` says that this owner has ended.
        """
        return self._leases.acquire(table_id, owner, seconds, is_gone)

    def renew_lease(self, table_id: str, epoch: int, seconds: float) -> None:
        """Stay the writer of a table. Raise `LeaseHeldError` if another process took the lease."""
        self._leases.renew(table_id, epoch, seconds)

    def release_lease(self, table_id: str, epoch: int) -> None:
        """Stop being the writer of a table."""
        self._leases.release(table_id, epoch)

    def read_lease(self, table_id: str) -> Lease:
        """Return the lease on a table."""
        return self._leases.read(table_id)

    def append(self, batch: Sequence[AppendRequest]) -> tuple[AppendResult, ...]:
        """Append a batch in one transaction, all or nothing. Raise `AppendError` if any request is refused."""
        return self._writer.append(batch)

    def find_reply(self, table_id: str, player: str, command_id: str) -> StoredReply | None:
        """Return the reply to a command, or None if the command is new."""
        with self.database.read_transaction() as connection:
            key = (table_id, player, command_id)
            return find_replies(connection, [key]).get(key)

    def find_replies(self, keys: Sequence[CommandKey]) -> dict[CommandKey, StoredReply]:
        """Return the replies to some commands; new commands are left out."""
        with self.database.read_transaction() as connection:
            return find_replies(connection, keys)

    def listen(self) -> NotificationListener:
        """Return a listener for events that other processes append. On SQLite it receives nothing."""
        return NotificationListener(self.database)

    def close(self) -> None:
        """Close every connection."""
        self.database.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()


def read_events(connection: sa.Connection, table_id: str, after: int, limit: int) -> Iterator[StoredEvent]:
    """Return the events of a table in order."""
    columns = [events.c[name] for name in StoredEvent._fields]
    which = (events.c.table_id == table_id, events.c.sequence > after)
    wanted = sa.select(*columns).where(*which).order_by(events.c.sequence).limit(limit)
    return (StoredEvent(*one) for one in connection.execute(wanted))


def open_journal(url: str, *, clock: Clock | None = None, create: bool = True) -> Journal:
    """Open a journal, creating or migrating its tables.

    If `create` is false, raise `JournalError` for a missing journal or one of another version. `clock` returns the
    milliseconds for leases instead of the database's own clock.
    """
    database = Database(url)
    try:
        (migrate if create else check_version)(database)
    except BaseException:
        database.close()
        raise
    return Journal(database, clock)
