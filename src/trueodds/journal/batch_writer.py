"""Appending: a batch of appends is one transaction, all or nothing."""

from __future__ import annotations

from collections.abc import Sequence
from types import MappingProxyType
from typing import Any, Final, NamedTuple

import sqlalchemy as sa

from trueodds.journal.codec import read_position, write_position
from trueodds.journal.coming import coming_of
from trueodds.journal.command import Answer, Command, Key, command_seal, find_answers
from trueodds.journal.database import Database
from trueodds.journal.encoding import write_json
from trueodds.journal.errors import (
    AnsweredError,
    AppendError,
    CodecError,
    MalformedError,
    NoSuchTableError,
    StaleEpochError,
    StaleHeadError,
)
from trueodds.journal.header import Header
from trueodds.journal.news import tell
from trueodds.journal.row import Content, Row
from trueodds.journal.schema import balances, comings, commands, heads, postings, rows, tables
from trueodds.journal.sql import insert, select_by_keys, update
from trueodds.journal.state import Step, TableState, follow

_REMEMBERED: Final = 1024
"""How many states are kept to go on from, rather than read again."""


class Append(NamedTuple):
    """What is to be written at one table at one moment.

    `epoch` is that of the lease, `head` the number of the last row that the writer knows. No rows at all are
    lawful where a command is answered: a refusal is an answer, too. Who has let the contents happen already gives the
    `step` that came of it, and it is not computed again if it was made from the state that is stored.
    """

    table_id: str
    epoch: int
    head: int
    at_ms: int
    contents: Sequence[Content]
    command: Command | None = None
    step: Step | None = None


class Appended(NamedTuple):
    """What was written for one append, and the state of its table after it."""

    rows: tuple[Row, ...]
    state: TableState


class _Held(NamedTuple):
    """A table as it stands in the database, locked until the transaction ends."""

    sequence: int
    hash: str
    owner: str | None
    epoch: int


class Writer:
    """Writes batches and remembers the states it wrote; a state is only gone on from if its hash still stands."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._states: dict[str, TableState] = {}

    def append(self, batch: Sequence[Append]) -> tuple[Appended, ...]:
        """Write a batch; the first append that is refused rolls everything back.

        Checks, in this order: the table exists, the command is new, the epoch, the head, the contents, the chips.
        """
        if not batch:
            return ()
        with self._database.writing() as connection:
            work = _Work(connection, self._database.is_sqlite, self._states)
            held = work.hold({append.table_id for append in batch})
            work.know_answers(batch)
            done = []
            for index, append in enumerate(batch):
                try:
                    done.append(work.take(append, held))
                except AppendError as error:
                    error.index = index
                    raise
            work.write()
        self._remember(work.states)
        return tuple(done)

    def _remember(self, states: dict[str, TableState]) -> None:
        if len(self._states) + len(states) > _REMEMBERED:
            self._states.clear()
        self._states.update(states)


class _Work:
    """One transaction: what it takes in, and then writes in a few statements."""

    def __init__(self, connection: sa.Connection, is_sqlite: bool, remembered: dict[str, TableState]) -> None:
        self._connection = connection
        self._is_sqlite = is_sqlite
        self._remembered = remembered
        self.states: dict[str, TableState] = {}
        self._before: dict[str, TableState] = {}
        self._steps: list[Step] = []
        self._commands: dict[Key, dict[str, Any]] = {}
        self._answers: dict[Key, Answer] = {}

    def hold(self, table_ids: set[str]) -> dict[str, _Held]:
        """Lock the tables of a batch, in the order of their names so that no two batches wait for each other."""
        last = _IN_ORDER if self._is_sqlite else f"{_IN_ORDER} FOR UPDATE"
        keys = [(table_id,) for table_id in sorted(table_ids)]
        found = select_by_keys(self._connection, _HELD, ("heads.table_id",), keys, last)
        return {table_id: _Held(*held) for table_id, *held in found}

    def know_answers(self, batch: Sequence[Append]) -> None:
        """Look up which commands of a batch were answered before."""
        keys = [(one.table_id, *one.command[:2]) for one in batch if one.command and one.command.is_named]
        self._answers = find_answers(self._connection, keys) if keys else {}

    def take(self, append: Append, held: dict[str, _Held]) -> Appended:
        """Check one append and let it follow what its table has come to."""
        table_id = append.table_id
        if table_id not in held:
            raise NoSuchTableError(f"there is no table {table_id!r}")
        self._refuse_answered(append)
        lease = held[table_id]
        if lease.owner is None or lease.epoch != append.epoch:
            raise StaleEpochError(f"the lease on {table_id} is at epoch {lease.epoch}, not {append.epoch}")
        state = self.states.get(table_id) or self._begin(table_id, lease)
        if state.sequence != append.head:
            raise StaleHeadError(f"table {table_id} is at row {state.sequence}, not {append.head}")
        step = append.step
        if step is None or not step.is_of(state, append.at_ms) or len(step.rows) != len(append.contents):
            step = follow(state, append.at_ms, append.contents)
        self._steps.append(step)
        self.states[table_id] = step.state
        if append.command is not None:
            self._answer(append, step)
        return Appended(step.rows, step.state)

    def _begin(self, table_id: str, held: _Held) -> TableState:
        known = self._remembered.get(table_id)
        if known is None or (known.sequence, known.hash) != (held.sequence, held.hash):
            known = read_state(self._connection, table_id)
        self._before[table_id] = known
        return known

    def _refuse_answered(self, append: Append) -> None:
        command = append.command
        if command is None:
            return
        if not command.is_named:
            raise MalformedError(f"a command has the names of a player and of itself, not {command[:2]!r}")
        key = (append.table_id, command.player, command.command_id)
        if key in self._commands:
            raise MalformedError(f"command {command.command_id} stands twice in one batch")
        if key in self._answers:
            raise AnsweredError(command.command_id, self._answers[key].response)

    def _answer(self, append: Append, step: Step) -> None:
        table_id, (player, command_id, response) = append.table_id, append.command or Command("", "", None)
        try:
            text = write_json(response)
        except CodecError as error:
            raise MalformedError(f"the answer to command {command_id}: {error}") from None
        written = {
            "table_id": table_id,
            "player": player,
            "command_id": command_id,
            "first_sequence": append.head + 1,
            "last_sequence": step.state.sequence,
            "response": text,
        }
        written["seal"] = command_seal(written, step.state.hash)
        self._commands[table_id, player, command_id] = written

    def write(self) -> None:
        """Write what was taken in."""
        new_rows = [row for step in self._steps for row in step.rows]
        insert(self._connection, rows, new_rows)
        insert(self._connection, comings, [one for one in map(coming_of, new_rows) if one is not None])
        insert(self._connection, postings, self._moved())
        self._write_states()
        self._write_balances()
        insert(self._connection, commands, [tuple(written.values()) for written in self._commands.values()])

    def _moved(self) -> list[tuple[str, int, str, int]]:
        return [
            (row.table_id, row.sequence, account, cents)
            for step in self._steps
            for row, posted in zip(step.rows, step.posted, strict=True)
            for account, cents in posted
        ]

    def _write_states(self) -> None:
        changed = [
            (table_id, state)
            for table_id, state in self.states.items()
            if state.sequence != self._before[table_id].sequence
        ]
        new = [(state.sequence, state.hash, write_position(state.position), table_id) for table_id, state in changed]
        update(self._connection, heads, ("sequence", "hash", "position"), new)
        if not self._is_sqlite:
            tell(self._connection, [(table_id, state.sequence) for table_id, state in changed])

    def _write_balances(self) -> None:
        new = [
            (table_id, account, cents)
            for table_id, state in self.states.items()
            for account, cents in state.balances.items()
            if self._before[table_id].balances.get(account) != cents
        ]
        insert(self._connection, balances, new, over=("cents",))


_HELD: Final = """
    SELECT heads.table_id, heads.sequence, heads.hash, leases.owner, leases.epoch
    FROM heads JOIN leases ON leases.table_id = heads.table_id"""

_IN_ORDER: Final = "ORDER BY heads.table_id"


_HEADER: Final = [tables.c[name] for name in Header._fields]


def read_state(connection: sa.Connection, table_id: str) -> TableState:
    """Read the stored state of a table."""
    stored = sa.select(*_HEADER, heads.c.sequence, heads.c.hash, heads.c.position)
    joined = stored.join(heads, heads.c.table_id == tables.c.table_id)
    found = connection.execute(joined.where(tables.c.table_id == table_id)).first()
    if found is None:
        raise NoSuchTableError(f"there is no table {table_id!r}")
    *header, sequence, last, position = found
    Header(*header).check_schema()
    holds = sa.select(balances.c.account, balances.c.cents).where(balances.c.table_id == table_id)
    balance = {account: cents for account, cents in connection.execute(holds)}  # noqa: C416  rows are no pairs
    return TableState(Header(*header), sequence, last, read_position(position), MappingProxyType(balance))
