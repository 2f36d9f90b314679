"""Check a journal: find every altered byte, and name its table and event."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final, NamedTuple

import sqlalchemy as sa
from sqlalchemy.exc import DatabaseError

from trueodds.journal.batch_writer import read_balances
from trueodds.journal.errors import JournalError
from trueodds.journal.event_codec import encode_position
from trueodds.journal.journal import Journal, read_events
from trueodds.journal.journal_problem import JournalProblem
from trueodds.journal.lease import Lease
from trueodds.journal.ledger import Posting, apply_postings, layout_balances, postings_for_event
from trueodds.journal.people import person_checksum
from trueodds.journal.player_activity import PlayerActivity, activity_from_event
from trueodds.journal.run_migrations import current_version
from trueodds.journal.schema import (
    VERSION,
    balances,
    command_replies,
    events,
    leases,
    people,
    player_activity,
    table_states,
    tables,
)
from trueodds.journal.schema import postings as stored_postings
from trueodds.journal.service_event import ANCHOR_PUBLISHED, ServiceEvent
from trueodds.journal.sqlite_integrity import sqlite_problems, tolerate_invalid_utf8
from trueodds.journal.stored_event import AnyEvent, StoredEvent, event_hash
from trueodds.journal.stored_reply import reply_checksum
from trueodds.journal.table_header import TableHeader
from trueodds.table import NoRoll, Position, Rolled, apply_event
from trueodds.table.apply_event import EventError

_BATCH_SIZE: Final = 1000
_BEFORE_FIRST: Final = -(2**63)
"""Below any sequence number that a damaged database could hold."""


class RollEvidence(NamedTuple):
    """A roll to be verified, and what proves it.

    `service_events` are those since the previous roll, `anchor_events` all published anchors of the table so far.
    `position` is the position before the roll, if it is known.
    """

    header: TableHeader
    stored_event: StoredEvent
    event: Rolled | NoRoll
    service_events: tuple[StoredEvent, ...]
    anchor_events: tuple[StoredEvent, ...]
    position: Position | None = None


VerifyRoll = Callable[[RollEvidence], str | None]
"""Returns what is wrong with a roll, or None."""


def check_journal(journal: Journal, verify_roll: VerifyRoll | None = None) -> tuple[JournalProblem, ...]:
    """Check one snapshot of a database and return every problem found."""
    problems: list[JournalProblem] = []
    with journal.database.read_transaction() as connection, tolerate_invalid_utf8(connection):
        try:
            problems.extend(_check_database(connection, verify_roll))
        except DatabaseError as error:
            problems.append(JournalProblem(None, None, f"file: {error.orig}"))
    return tuple(problems)


def _check_database(connection: sa.Connection, verify_roll: VerifyRoll | None) -> Iterator[JournalProblem]:
    version = current_version(connection)
    if version != VERSION:
        yield JournalProblem(None, None, f"alembic_version: expected {VERSION}, stored {version}")
    yield from sqlite_problems(connection)
    headers = [(TableHeader(*fields), header_hash) for *fields, header_hash in _all_rows(connection, tables)]
    for header, header_hash in headers:
        yield from _TableCheck(connection, header, verify_roll).run(header_hash)
    yield from _check_orphans(connection, {header.table_id for header, _ in headers})
    yield from _check_leases(connection)
    for person in _all_rows(connection, people):
        if person.checksum != person_checksum(person._asdict()):
            yield JournalProblem(None, None, f"people: {person.person_id} or its checksum was altered")


def _all_rows(connection: sa.Connection, table: sa.Table) -> Sequence[Any]:
    return connection.execute(sa.select(table)).all()


def _check_leases(connection: sa.Connection) -> Iterator[JournalProblem]:
    for *fields, checksum in _all_rows(connection, leases):
        lease = Lease(*fields)
        if checksum != lease.checksum:
            yield JournalProblem(lease.table_id, None, "leases: the lease or its checksum was altered")


def _check_orphans(connection: sa.Connection, known: set[str]) -> Iterator[JournalProblem]:
    """Find rows that belong to no table, and tables without a state or a lease."""
    for table in (table_states, events, stored_postings, balances, player_activity, command_replies, leases):
        found = set(connection.execute(sa.select(table.c.table_id).distinct()).scalars())
        for orphan in sorted(found - known):
            yield JournalProblem(orphan, None, f"{table.name}: belongs to no table")
        if table in {table_states, leases}:
            for table_id in sorted(known - found):
                yield JournalProblem(table_id, None, f"{table.name}: no row for this table")


class _TableCheck:
    """Checks one table, event by event."""

    def __init__(self, connection: sa.Connection, header: TableHeader, verify_roll: VerifyRoll | None) -> None:
        self._connection = connection
        self._header = header
        self._id = header.table_id
        self._verify_roll = verify_roll
        self._previous: set[str] = set()
        self._position: Position | None = Position()
        self._balances: dict[str, int] = {}
        self._activity: dict[int, PlayerActivity] = {}
        self._service_events: list[StoredEvent] = []
        self._anchor_events: list[StoredEvent] = []

    def run(self, header_hash: str) -> Iterator[JournalProblem]:
        """Check the header, events, postings, balances, activity, state and replies."""
        expected_hash = self._header.hash
        if expected_hash != header_hash:
            yield self._problem("header: the header or its hash was altered")
        try:
            self._header.check_schema()
            readable = True
        except JournalError as error:
            yield self._problem(f"header: {error}; only its hashes can be checked")
            readable = False
        self._previous = {expected_hash, header_hash}
        last, after = 0, _BEFORE_FIRST
        while batch := list(read_events(self._connection, self._id, after, _BATCH_SIZE)):
            posted = self._stored_postings(after, batch[-1].sequence)
            for event in batch:
                if event.sequence != last + 1:
                    yield self._problem(f"events: expected event {last + 1} here", event.sequence)
                yield from self._check_hash(event)
                if readable:
                    yield from self._check_event(event, posted.pop(event.sequence, ()))
                last = after = event.sequence
            for sequence in sorted(posted) if readable else ():
                yield self._problem("postings: there is no such event", sequence)
        for sequence in sorted(self._stored_postings(after, None)):
            yield self._problem("postings: there is no such event", sequence)
        yield from self._check_state(last, readable)
        yield from self._check_replies(last, header_hash)
        if readable:
            yield from self._check_balances()
            yield from self._check_activity()

    def _problem(self, message: str, sequence: int | None = None) -> JournalProblem:
        return JournalProblem(self._id, sequence, message)

    def _stored_postings(self, after: int, until: int | None) -> dict[int, tuple[Posting, ...]]:
        select = sa.select(stored_postings).where(
            stored_postings.c.table_id == self._id, stored_postings.c.sequence > after
        )
        if until is not None:
            select = select.where(stored_postings.c.sequence <= until)
        found: dict[int, list[Posting]] = {}
        for row in self._connection.execute(select):
            found.setdefault(row.sequence, []).append(Posting(row.account, row.cents))
        return {sequence: tuple(sorted(posted)) for sequence, posted in found.items()}

    def _check_hash(self, event: StoredEvent) -> Iterator[JournalProblem]:
        """Check the hash of an event against the one before. If that one was wrong, accept either of its hashes."""
        hashes = {event_hash(previous, *event[:-1]) for previous in self._previous}
        self._previous = {event.hash}
        if event.hash not in hashes:
            self._previous |= hashes
            yield self._problem(
                f"events: this {event.kind}, its hash or the event before it was altered", event.sequence
            )

    def _check_event(self, stored_event: StoredEvent, stored: tuple[Posting, ...]) -> Iterator[JournalProblem]:
        sequence = stored_event.sequence
        try:
            event = stored_event.decode()
            postings = postings_for_event(event)
        except JournalError as error:
            yield self._problem(f"events: invalid body: {error}", sequence)
            self._position = None
            return
        activity = activity_from_event(stored_event)
        if activity is not None:
            self._activity[sequence] = activity
        if postings != stored:
            yield self._problem(
                f"postings: stored {_format_postings(stored)}, expected {_format_postings(postings)}", sequence
            )
        try:
            apply_postings(self._balances, postings)
        except JournalError as error:
            yield self._problem(f"balances: {error}", sequence)
        before = self._position
        if not isinstance(event, ServiceEvent) and self._position is not None:
            try:
                self._position = apply_event(self._position, event)
            except EventError as error:
                yield self._problem(f"events: cannot happen here: {error}", sequence)
                self._position = None
        yield from self._check_roll(stored_event, event, before)

    def _check_roll(
        self, stored_event: StoredEvent, event: AnyEvent, before: Position | None
    ) -> Iterator[JournalProblem]:
        if isinstance(event, ServiceEvent):
            self._service_events.append(stored_event)
            if event.kind == ANCHOR_PUBLISHED:
                self._anchor_events.append(stored_event)
        if not isinstance(event, Rolled | NoRoll):
            return
        evidence = RollEvidence(
            self._header, stored_event, event, tuple(self._service_events), tuple(self._anchor_events), before
        )
        self._service_events.clear()
        problem = self._verify_roll(evidence) if self._verify_roll else None
        if problem is not None:
            yield self._problem(f"roll: {problem}", stored_event.sequence)

    def _check_state(self, last: int, readable: bool) -> Iterator[JournalProblem]:
        row = self._connection.execute(sa.select(table_states).where(table_states.c.table_id == self._id)).first()
        if row is None:
            return
        if row.sequence != last:
            yield self._problem(f"table_states: sequence is {row.sequence}, but the last event is {last}")
        if row.hash not in self._previous:
            yield self._problem("table_states: hash is not that of the last event")
        if readable and self._position is None:
            yield self._problem("table_states: position cannot be checked because an event is invalid")
        elif readable and self._position is not None and row.position != encode_position(self._position):
            yield self._problem("table_states: position is not what the events lead to")

    def _check_replies(self, last: int, header_hash: str) -> Iterator[JournalProblem]:
        last_event = sa.and_(
            events.c.table_id == command_replies.c.table_id, events.c.sequence == command_replies.c.last_sequence
        )
        select = (
            sa.select(command_replies, events.c.hash)
            .outerjoin(events, last_event)
            .where(command_replies.c.table_id == self._id)
        )
        for row in self._connection.execute(select):
            name = f"command_replies: {row.player} {row.command_id}"
            if not 0 <= row.first_sequence - 1 <= row.last_sequence <= last:
                yield self._problem(f"{name} refers to events {row.first_sequence} to {row.last_sequence}")
            elif row.checksum != reply_checksum(row._asdict(), row.hash or header_hash):
                yield self._problem(
                    f"{name}, its checksum or the hash of its last event was altered", row.last_sequence
                )

    def _check_balances(self) -> Iterator[JournalProblem]:
        stored = read_balances(self._connection, self._id)
        for account in sorted(stored.keys() | self._balances.keys()):
            if stored.get(account) != self._balances.get(account):
                yield self._problem(
                    f"balances: {account} is {stored.get(account)}, but its postings add up to "
                    f"{self._balances.get(account)}"
                )
        if sum(stored.values()):
            yield self._problem(f"balances: must add up to zero, got {sum(stored.values())}")
        if self._position is not None:
            yield from self._check_layout_balances(self._position)

    def _check_activity(self) -> Iterator[JournalProblem]:
        columns = [player_activity.c[name] for name in PlayerActivity._fields]
        select = sa.select(*columns).where(player_activity.c.table_id == self._id)
        stored = {row.sequence: PlayerActivity(*row) for row in self._connection.execute(select)}
        for sequence in sorted(stored.keys() | self._activity.keys()):
            if stored.get(sequence) != self._activity.get(sequence):
                yield self._problem("player_activity: does not match the event", sequence)

    def _check_layout_balances(self, position: Position) -> Iterator[JournalProblem]:
        expected = layout_balances(position)
        for account, cents in self._balances.items():
            if account.startswith("layout:") and expected.get(account, 0) != cents:
                yield self._problem(
                    f"balances: {account} is {cents}, but the wagers add up to {expected.get(account, 0)}"
                )


def _format_postings(postings: tuple[Posting, ...]) -> str:
    return ", ".join(f"{account} {cents:+}" for account, cents in postings) or "none"
