"""Append batches of events: each batch is one transaction, all or nothing."""

from __future__ import annotations

from collections.abc import Sequence
from types import MappingProxyType
from typing import Final, NamedTuple

import sqlalchemy as sa

from trueodds.journal.batch_sql import insert_rows, select_by_keys, update_rows
from trueodds.journal.canonical_json import encode_canonical
from trueodds.journal.database import Database
from trueodds.journal.errors import (
    AppendError,
    CodecError,
    DuplicateCommandError,
    InvalidEventError,
    NoSuchTableError,
    StaleEpochError,
    StaleSequenceError,
)
from trueodds.journal.event_codec import decode_position, encode_position
from trueodds.journal.notifications import notify
from trueodds.journal.player_activity import activity_from_event
from trueodds.journal.schema import balances, command_replies, events, player_activity, postings, table_states, tables
from trueodds.journal.stored_event import AnyEvent, StoredEvent
from trueodds.journal.stored_reply import CommandKey, CommandReply, StoredReply, find_replies, reply_checksum
from trueodds.journal.table_header import TableHeader
from trueodds.journal.table_state import AppliedEvents, TableState, apply_events

_MAX_CACHED_STATES: Final = 1024
"""How many table states are kept in memory, so that they need not be read again."""


class AppendRequest(NamedTuple):
    """Events to append to one table at one time.

    `epoch` is the epoch of the lease, `expected_sequence` the last event that the writer knows. There may be no
    events at all if a command is answered: a refusal is an answer too. A writer that has already applied the events
    passes the result as `applied`; it is used if it starts from the stored state.
    """

    table_id: str
    epoch: int
    expected_sequence: int
    at_ms: int
    events: Sequence[AnyEvent]
    command_reply: CommandReply | None = None
    applied: AppliedEvents | None = None


class AppendResult(NamedTuple):
    """The events stored for one request, and the state of the table after them."""

    events: tuple[StoredEvent, ...]
    state: TableState


class _LockedTable(NamedTuple):
    """A row of `table_states`, locked until the transaction ends."""

    sequence: int
    hash: str
    owner: str | None
    epoch: int


class BatchWriter:
    """Writes batches. It caches the states it wrote, and uses one only if its hash is still the stored one."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._states: dict[str, TableState] = {}

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self._database!r})"

    def append(self, batch: Sequence[AppendRequest]) -> tuple[AppendResult, ...]:
        """Write a batch. The first request that is refused rolls everything back.

        The checks, in order: the table exists, the command is new, the epoch, the sequence, the events, the chips.
        """
        if not batch:
            return ()
        with self._database.write_transaction() as connection:
            transaction = _AppendTransaction(connection, self._database.is_sqlite, self._states)
            locked_tables = transaction.lock_tables({request.table_id for request in batch})
            transaction.load_replies(batch)
            results = []
            for index, request in enumerate(batch):
                try:
                    results.append(transaction.apply(request, locked_tables))
                except AppendError as error:
                    error.batch_index = index
                    raise
            transaction.write()
        self._cache_states(transaction.states)
        return tuple(results)

    def _cache_states(self, states: dict[str, TableState]) -> None:
        if len(self._states) + len(states) > _MAX_CACHED_STATES:
            self._states.clear()
        self._states.update(states)


class _NewReply(NamedTuple):
    """A row of `command_replies`."""

    table_id: str
    player: str
    command_id: str
    first_sequence: int
    last_sequence: int
    reply: str
    checksum: str


class _AppendTransaction:
    """One transaction: it collects requests, then writes them in a few statements."""

    def __init__(self, connection: sa.Connection, is_sqlite: bool, cached_states: dict[str, TableState]) -> None:
        self._connection = connection
        self._is_sqlite = is_sqlite
        self._cached_states = cached_states
        self.states: dict[str, TableState] = {}
        self._initial_states: dict[str, TableState] = {}
        self._applied: list[AppliedEvents] = []
        self._new_replies: dict[CommandKey, _NewReply] = {}
        self._stored_replies: dict[CommandKey, StoredReply] = {}

    def lock_tables(self, table_ids: set[str]) -> dict[str, _LockedTable]:
        """Lock the tables of a batch, sorted by id so that two batches cannot deadlock."""
        suffix = _ORDER_BY_TABLE if self._is_sqlite else f"{_ORDER_BY_TABLE} FOR UPDATE"
        keys = [(table_id,) for table_id in sorted(table_ids)]
        rows = select_by_keys(self._connection, _SELECT_LOCKED_TABLES, ("table_states.table_id",), keys, suffix)
        return {table_id: _LockedTable(*columns) for table_id, *columns in rows}

    def load_replies(self, batch: Sequence[AppendRequest]) -> None:
        """Look up which commands of a batch were already answered."""
        keys = [
            (request.table_id, request.command_reply.player, request.command_reply.command_id)
            for request in batch
            if request.command_reply and request.command_reply.has_valid_ids
        ]
        self._stored_replies = find_replies(self._connection, keys) if keys else {}

    def apply(self, request: AppendRequest, locked_tables: dict[str, _LockedTable]) -> AppendResult:
        """Check one request and apply its events to the state of its table."""
        table_id = request.table_id
        if table_id not in locked_tables:
            raise NoSuchTableError(f"there is no table {table_id!r}")
        self._require_new_command(request)
        locked = locked_tables[table_id]
        if locked.owner is None or locked.epoch != request.epoch:
            raise StaleEpochError(f"the lease on {table_id} is at epoch {locked.epoch}, not {request.epoch}")
        state = self.states.get(table_id) or self._initial_state(table_id, locked)
        if state.sequence != request.expected_sequence:
            raise StaleSequenceError(f"table {table_id} is at event {state.sequence}, not {request.expected_sequence}")
        applied = request.applied
        if (
            applied is None
            or not applied.starts_from(state, request.at_ms)
            or len(applied.events) != len(request.events)
        ):
            applied = apply_events(state, request.at_ms, request.events)
        self._applied.append(applied)
        self.states[table_id] = applied.state
        if request.command_reply is not None:
            self._add_reply(request, request.command_reply, applied)
        return AppendResult(applied.events, applied.state)

    def _initial_state(self, table_id: str, locked: _LockedTable) -> TableState:
        state = self._cached_states.get(table_id)
        if state is None or (state.sequence, state.hash) != (locked.sequence, locked.hash):
            state = read_state(self._connection, table_id)
        self._initial_states[table_id] = state
        return state

    def _require_new_command(self, request: AppendRequest) -> None:
        command = request.command_reply
        if command is None:
            return
        if not command.has_valid_ids:
            raise InvalidEventError(f"a command needs valid player and command ids, got {command[:2]!r}")
        key = (request.table_id, command.player, command.command_id)
        if key in self._new_replies:
            raise InvalidEventError(f"command {command.command_id} occurs twice in one batch")
        if key in self._stored_replies:
            raise DuplicateCommandError(command.command_id, self._stored_replies[key].reply)

    def _add_reply(self, request: AppendRequest, command: CommandReply, applied: AppliedEvents) -> None:
        try:
            reply = encode_canonical(command.reply)
        except CodecError as error:
            raise InvalidEventError(f"the reply to command {command.command_id}: {error}") from None
        key = (request.table_id, command.player, command.command_id)
        sequences = (request.expected_sequence + 1, applied.state.sequence)
        row = _NewReply(*key, *sequences, reply, "")
        self._new_replies[key] = row._replace(checksum=reply_checksum(row._asdict(), applied.state.hash))

    def write(self) -> None:
        """Write what was collected."""
        new_events = [event for applied in self._applied for event in applied.events]
        activity = [row for row in map(activity_from_event, new_events) if row is not None]
        insert_rows(self._connection, events, new_events)
        insert_rows(self._connection, player_activity, activity)
        insert_rows(self._connection, postings, self._posting_rows())
        self._write_states()
        self._write_balances()
        insert_rows(self._connection, command_replies, list(self._new_replies.values()))

    def _posting_rows(self) -> list[tuple[str, int, str, int]]:
        return [
            (event.table_id, event.sequence, account, cents)
            for applied in self._applied
            for event, event_postings in zip(applied.events, applied.postings, strict=True)
            for account, cents in event_postings
        ]

    def _write_states(self) -> None:
        changed = [
            (table_id, state)
            for table_id, state in self.states.items()
            if state.sequence != self._initial_states[table_id].sequence
        ]
        rows = [(state.sequence, state.hash, encode_position(state.position), table_id) for table_id, state in changed]
        update_rows(self._connection, table_states, ("sequence", "hash", "position"), rows)
        if not self._is_sqlite:
            notify(self._connection, [(table_id, state.sequence) for table_id, state in changed])

    def _write_balances(self) -> None:
        rows = [
            (table_id, account, cents)
            for table_id, state in self.states.items()
            for account, cents in state.balances.items()
            if self._initial_states[table_id].balances.get(account) != cents
        ]
        insert_rows(self._connection, balances, rows, on_conflict_update=("cents",))


_SELECT_LOCKED_TABLES: Final = """
    SELECT table_states.table_id, table_states.sequence, table_states.hash, leases.owner, leases.epoch
    FROM table_states JOIN leases ON leases.table_id = table_states.table_id"""

_ORDER_BY_TABLE: Final = "ORDER BY table_states.table_id"


_HEADER_COLUMNS: Final = [tables.c[name] for name in TableHeader._fields]


def read_state(connection: sa.Connection, table_id: str) -> TableState:
    """Return the stored state of a table. Raise `NoSuchTableError` if there is no such table."""
    state = sa.select(*_HEADER_COLUMNS, table_states.c.sequence, table_states.c.hash, table_states.c.position)
    joined = state.join(table_states, table_states.c.table_id == tables.c.table_id)
    row = connection.execute(joined.where(tables.c.table_id == table_id)).first()
    if row is None:
        raise NoSuchTableError(f"there is no table {table_id!r}")
    *header_columns, sequence, last_hash, position = row
    header = TableHeader(*header_columns)
    header.check_schema()
    return TableState(
        header, sequence, last_hash, decode_position(position), MappingProxyType(read_balances(connection, table_id))
    )


def read_balances(connection: sa.Connection, table_id: str) -> dict[str, int]:
    """Return the stored balances of a table, in cents by account."""
    select = sa.select(balances.c.account, balances.c.cents).where(balances.c.table_id == table_id)
    return {row.account: row.cents for row in connection.execute(select)}
