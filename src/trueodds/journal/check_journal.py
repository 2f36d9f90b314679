"""Checking a journal: every altered byte is found, and named by table, row and what it is."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Final, NamedTuple

import sqlalchemy as sa
from sqlalchemy.exc import DatabaseError

from trueodds.journal.codec import write_position
from trueodds.journal.coming import Coming, coming_of
from trueodds.journal.command import command_seal
from trueodds.journal.damage import damage, lenient
from trueodds.journal.errors import JournalError
from trueodds.journal.finding import Finding
from trueodds.journal.header import Header
from trueodds.journal.journal import Journal, read_rows
from trueodds.journal.lease import Lease
from trueodds.journal.ledger import Posting, post_all, postings, stakes_up
from trueodds.journal.migrate import version
from trueodds.journal.people import person_seal
from trueodds.journal.record import ANCHORED, Record
from trueodds.journal.row import Content, Row, row_hash
from trueodds.journal.schema import VERSION, balances, comings, commands, heads, leases, people, rows, tables
from trueodds.journal.schema import postings as stored_postings
from trueodds.table import NoRoll, Position, Rolled, fold
from trueodds.table.fold import FoldError

_AT_A_TIME: Final = 1000
_BEFORE_ALL: Final = -(2**63)
"""Before any number there can be, lawful or not."""


class Thrown(NamedTuple):
    """A throw to be verified: its row and event, and the records that prove it.

    `records` are those since the throw before, `anchors` all `anchored` records of the table so far, `position` is how
    the table stood when the dice were thrown, where that is known.
    """

    header: Header
    row: Row
    event: Rolled | NoRoll
    records: tuple[Row, ...]
    anchors: tuple[Row, ...]
    position: Position | None = None


VerifyRoll = Callable[[Thrown], str | None]
"""Says what is wrong with a throw; None when nothing is."""


def check_journal(journal: Journal, verify_roll: VerifyRoll | None = None) -> tuple[Finding, ...]:
    """Walk a whole database, as it is at one moment, and tell everything that is not as it was written."""
    found: list[Finding] = []
    with journal.database.reading() as connection, lenient(connection):
        try:
            found.extend(_check(connection, verify_roll))
        except DatabaseError as error:
            found.append(Finding(None, None, f"file: {error.orig}"))
    return tuple(found)


def _check(connection: sa.Connection, verify_roll: VerifyRoll | None) -> Iterator[Finding]:
    known = version(connection)
    if known != VERSION:
        yield Finding(None, None, f"alembic_version: the database says it is {known}, and its tables are {VERSION}")
    yield from damage(connection)
    headers = [(Header(*fields), header_hash) for *fields, header_hash in _all(connection, tables)]
    for header, header_hash in headers:
        yield from _TableCheck(connection, header, verify_roll).run(header_hash)
    yield from _check_strays(connection, {header.table_id for header, _ in headers})
    yield from _check_leases(connection)
    for person in _all(connection, people):
        if person.seal != person_seal(person._asdict()):
            yield Finding(None, None, f"people: {person.person_id} was altered, or the seal was")


def _all(connection: sa.Connection, table: sa.Table) -> Sequence[Any]:
    return connection.execute(sa.select(table)).all()


def _check_leases(connection: sa.Connection) -> Iterator[Finding]:
    for *fields, seal in _all(connection, leases):
        lease = Lease(*fields)
        if seal != lease.seal:
            yield Finding(lease.table_id, None, "leases: the lease was altered, or its seal was")


def _check_strays(connection: sa.Connection, known: set[str]) -> Iterator[Finding]:
    """Find what belongs to no table, and tables without a head or a lease."""
    for table in (heads, rows, stored_postings, balances, comings, commands, leases):
        found = set(connection.execute(sa.select(table.c.table_id).distinct()).scalars())
        for stray in sorted(found - known):
            yield Finding(stray, None, f"{table.name}: belongs to no table")
        if table in {heads, leases}:
            for lost in sorted(known - found):
                yield Finding(lost, None, f"{table.name}: there is none for this table")


class _TableCheck:
    """The check of one table, row by row."""

    def __init__(self, connection: sa.Connection, header: Header, verify_roll: VerifyRoll | None) -> None:
        self._connection = connection
        self._header = header
        self._id = header.table_id
        self._verify_roll = verify_roll
        self._previous: set[str] = set()
        self._position: Position | None = Position()
        self._balances: dict[str, int] = {}
        self._comings: dict[int, Coming] = {}
        self._records: list[Row] = []
        self._anchors: list[Row] = []

    def run(self, header_hash: str) -> Iterator[Finding]:
        """Check header, rows, postings, balances, comings, the stored state and the answers."""
        wanted = self._header.digest
        if wanted != header_hash:
            yield self._finding("header: does not hash to what stands beside it")
        try:
            self._header.check_schema()
            readable = True
        except JournalError as error:
            yield self._finding(f"header: {error}; only its hashes can be checked")
            readable = False
        self._previous = {wanted, header_hash}
        last, after = 0, _BEFORE_ALL
        while some := list(read_rows(self._connection, self._id, after, _AT_A_TIME)):
            posted = self._stored_postings(after, some[-1].sequence)
            for row in some:
                if row.sequence != last + 1:
                    yield self._finding(f"rows: row {last + 1} must stand here", row.sequence)
                yield from self._check_hash(row)
                if readable:
                    yield from self._check_content(row, posted.pop(row.sequence, ()))
                last = after = row.sequence
            for sequence in sorted(posted) if readable else ():
                yield self._finding("postings: there is no such row", sequence)
        for sequence in sorted(self._stored_postings(after, None)):
            yield self._finding("postings: there is no such row", sequence)
        yield from self._check_head(last, readable)
        yield from self._check_answers(last, header_hash)
        if readable:
            yield from self._check_balances()
            yield from self._check_comings()

    def _finding(self, what: str, sequence: int | None = None) -> Finding:
        return Finding(self._id, sequence, what)

    def _stored_postings(self, after: int, until: int | None) -> dict[int, tuple[Posting, ...]]:
        wanted = sa.select(stored_postings).where(
            stored_postings.c.table_id == self._id, stored_postings.c.sequence > after
        )
        if until is not None:
            wanted = wanted.where(stored_postings.c.sequence <= until)
        found: dict[int, list[Posting]] = {}
        for one in self._connection.execute(wanted):
            found.setdefault(one.sequence, []).append(Posting(one.account, one.cents))
        return {sequence: tuple(sorted(posted)) for sequence, posted in found.items()}

    def _check_hash(self, row: Row) -> Iterator[Finding]:
        """Hold a row against the one before it, which may be stored wrongly; then both hashes of that will do."""
        hashes = {row_hash(previous, *row[:-1]) for previous in self._previous}
        self._previous = {row.hash}
        if row.hash not in hashes:
            self._previous |= hashes
            yield self._finding(f"rows: this {row.kind} or its hash was altered, or the row before it", row.sequence)

    def _check_content(self, row: Row, stored: tuple[Posting, ...]) -> Iterator[Finding]:
        try:
            content = row.content()
            moved = postings(content)
        except JournalError as error:
            yield self._finding(f"rows: the body cannot be read: {error}", row.sequence)
            self._position = None
            return
        coming = coming_of(row)
        if coming is not None:
            self._comings[row.sequence] = coming
        if moved != stored:
            yield self._finding(f"postings: {_say(stored)} stand where the row says {_say(moved)}", row.sequence)
        try:
            post_all(self._balances, moved)
        except JournalError as error:
            yield self._finding(f"balances: {error}", row.sequence)
        before = self._position
        if not isinstance(content, Record) and self._position is not None:
            try:
                self._position = fold(self._position, content)
            except FoldError as error:
                yield self._finding(f"rows: cannot have happened: {error}", row.sequence)
                self._position = None
        yield from self._check_throw(row, content, before)

    def _check_throw(self, row: Row, content: Content, before: Position | None) -> Iterator[Finding]:
        if isinstance(content, Record):
            self._records.append(row)
            if content.kind == ANCHORED:
                self._anchors.append(row)
        if not isinstance(content, Rolled | NoRoll):
            return
        thrown = Thrown(self._header, row, content, tuple(self._records), tuple(self._anchors), before)
        self._records.clear()
        wrong = self._verify_roll(thrown) if self._verify_roll else None
        if wrong is not None:
            yield self._finding(f"roll: {wrong}", row.sequence)

    def _check_head(self, last: int, readable: bool) -> Iterator[Finding]:
        found = self._connection.execute(sa.select(heads).where(heads.c.table_id == self._id)).first()
        if found is None:
            return
        if found.sequence != last:
            yield self._finding(f"heads: sequence is {found.sequence}, and the last row is {last}")
        if found.hash not in self._previous:
            yield self._finding("heads: hash is not that of the last row")
        if readable and self._position is None:
            yield self._finding("heads: position cannot be checked, since a row cannot be read")
        elif readable and self._position is not None and found.position != write_position(self._position):
            yield self._finding("heads: position is not what the rows come to")

    def _check_answers(self, last: int, header_hash: str) -> Iterator[Finding]:
        same = sa.and_(rows.c.table_id == commands.c.table_id, rows.c.sequence == commands.c.last_sequence)
        wanted = sa.select(commands, rows.c.hash).outerjoin(rows, same).where(commands.c.table_id == self._id)
        for one in self._connection.execute(wanted):
            name = f"commands: {one.player} {one.command_id}"
            if not 0 <= one.first_sequence - 1 <= one.last_sequence <= last:
                yield self._finding(f"{name} refers to rows {one.first_sequence} to {one.last_sequence}")
            elif one.seal != command_seal(one._asdict(), one.hash or header_hash):
                yield self._finding(f"{name}, its seal or the hash of its last row was altered", one.last_sequence)

    def _check_balances(self) -> Iterator[Finding]:
        columns = (balances.c.account, balances.c.cents)
        wanted = sa.select(*columns).where(balances.c.table_id == self._id)
        stored = {account: cents for account, cents in self._connection.execute(wanted)}  # noqa: C416  as in load
        for account in sorted(stored.keys() | self._balances.keys()):
            if stored.get(account) != self._balances.get(account):
                yield self._finding(
                    f"balances: {account} has {stored.get(account)}, and its postings come to "
                    f"{self._balances.get(account)}"
                )
        if sum(stored.values()):
            yield self._finding(f"balances: they add up to {sum(stored.values())}, not to nothing")
        if self._position is not None:
            yield from self._check_stakes(self._position)

    def _check_comings(self) -> Iterator[Finding]:
        columns = [comings.c[name] for name in Coming._fields]
        wanted = sa.select(*columns).where(comings.c.table_id == self._id)
        stored = {one.sequence: Coming(*one) for one in self._connection.execute(wanted)}
        for sequence in sorted(stored.keys() | self._comings.keys()):
            if stored.get(sequence) != self._comings.get(sequence):
                yield self._finding("comings: not what the row says", sequence)

    def _check_stakes(self, position: Position) -> Iterator[Finding]:
        up: Mapping[str, int] = stakes_up(position)
        for account, cents in self._balances.items():
            if account.startswith("layout:") and up.get(account, 0) != cents:
                yield self._finding(f"balances: {account} comes to {cents}, and {up.get(account, 0)} are up")


def _say(moved: tuple[Posting, ...]) -> str:
    return ", ".join(f"{account} {cents:+}" for account, cents in moved) or "none"
