"""Backups: a copy of an SQLite file while it is written, or lines of JSON that either database can read."""

from __future__ import annotations

import hashlib
import json
import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing, suppress
from pathlib import Path
from typing import Any, Final, NamedTuple

import sqlalchemy as sa
from sqlalchemy.exc import StatementError

from trueodds.journal.check import VerifyRoll, check_journal
from trueodds.journal.encoding import encode_json
from trueodds.journal.errors import BackupError
from trueodds.journal.finding import Finding
from trueodds.journal.journal import Journal, open_journal
from trueodds.journal.lease import Lease
from trueodds.journal.migrate import version
from trueodds.journal.schema import VERSION, leases, metadata

FORMAT: Final = "trueodds journal backup 1"
LINES: Final = ".jsonl"
_SQLITE: Final = b"SQLite format 3\x00"
_AT_A_TIME: Final = 1000


class Restored(NamedTuple):
    """How much was restored, and what a check of the result found."""

    records: int
    findings: tuple[Finding, ...]


def back_up(journal: Journal, file: Path) -> None:
    """Write a backup, readable by its owner only, and only under its name when it is complete.

    SQLite is copied as a database, unless the name ends in .jsonl; PostgreSQL is always written as lines.
    """
    if file.exists():
        raise BackupError(f"{file} is there already")
    part = file.with_name(file.name + ".part")
    part.unlink(missing_ok=True)
    try:
        os.close(os.open(part, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
        if journal.database.file is not None and file.suffix != LINES:
            _copy(journal.database.file, part)
        else:
            _write_lines(journal, part)
        part.replace(file)
    except OSError as error:
        raise BackupError(f"{file} cannot be written: {error.strerror}") from None
    finally:
        with suppress(OSError):
            part.unlink(missing_ok=True)


def _copy(database: Path, file: Path) -> None:
    """Copy with the online backup of SQLite: writers go on meanwhile."""
    with closing(sqlite3.connect(database)) as source, closing(sqlite3.connect(file)) as target:
        source.execute("PRAGMA busy_timeout=5000")
        source.backup(target)
        target.execute("PRAGMA journal_mode=DELETE")


def _write_lines(journal: Journal, file: Path) -> None:
    counted, summed = 0, hashlib.sha256()
    with journal.database.reading() as connection, file.open("w", encoding="ascii", newline="\n") as lines:

        def write(value: Any) -> None:
            line = encode_json(value) + "\n"
            summed.update(line.encode())
            lines.write(line)

        write({"format": FORMAT, "version": version(connection)})
        for table in metadata.sorted_tables:
            for one in connection.execution_options(yield_per=_AT_A_TIME).execute(sa.select(table)):
                write([table.name, *one])
                counted += 1
        lines.write(encode_json({"records": counted, "sha256": summed.hexdigest()}) + "\n")
        lines.flush()
        os.fsync(lines.fileno())


def restore(file: Path, url: str, verify_roll: VerifyRoll | None = None) -> Restored:
    """Read a backup into an empty database of either kind, then check it.

    Everybody's lease is over in the result, so that a process of before cannot write to it.
    """
    try:
        with file.open("rb") as opened:
            is_copy = opened.read(len(_SQLITE)) == _SQLITE
    except OSError as error:
        raise BackupError(f"{file} cannot be read: {error.strerror}") from None
    read = _read_copy if is_copy else _read_lines
    with open_journal(url) as journal:
        with journal.database.writing() as connection:
            if any(connection.execute(sa.select(table).limit(1)).first() for table in metadata.sorted_tables):
                raise BackupError("a backup is restored into an empty database, and this one is not")
            try:
                count = _fill(connection, read(file))
            except StatementError as error:
                raise BackupError(f"{file} cannot be restored: {error.orig}") from None
        return Restored(count, check_journal(journal, verify_roll))


def _fill(connection: sa.Connection, records: Iterator[tuple[str, list[Any]]]) -> int:
    count, waiting, name = 0, list[dict[str, Any]](), ""

    def flush() -> None:
        if waiting:
            connection.execute(sa.insert(metadata.tables[name]), waiting)
            waiting.clear()

    for found, values in records:
        if found != name or len(waiting) >= _AT_A_TIME:
            flush()
            name = found
        waiting.append(_ended(found, values))
        count += 1
    flush()
    return count


def _ended(name: str, values: list[Any]) -> dict[str, Any]:
    """Name the columns of a record; a lease is over in what is restored."""
    table = metadata.tables.get(name)
    if table is None or len(table.columns) != len(values):
        raise BackupError(f"the backup has a {name!r} that is no record of a journal")
    written = dict(zip(table.columns.keys(), values, strict=True))
    if table is leases:
        lease = Lease(written["table_id"], None, written["epoch"] + 1, 0)
        return {**lease._asdict(), "seal": lease.seal}
    return written


def _read_copy(file: Path) -> Iterator[tuple[str, list[Any]]]:
    """Read the tables of an SQLite file without touching it."""
    try:
        with closing(sqlite3.connect(f"{file.absolute().as_uri()}?mode=ro&immutable=1", uri=True)) as source:
            (found,) = source.execute("SELECT version_num FROM alembic_version").fetchone() or (None,)
            _check_version(found)
            for table in metadata.sorted_tables:
                columns = ", ".join(table.columns.keys())
                # Names of our own tables and columns.
                for one in source.execute(f"SELECT {columns} FROM {table.name}"):  # noqa: S608
                    yield table.name, list(one)
    except sqlite3.DatabaseError as error:
        raise BackupError(f"{file} cannot be read: {error}") from None


def _read_lines(file: Path) -> Iterator[tuple[str, list[Any]]]:
    """Read lines; one that is missing or altered is found by the sum at the end."""
    counted, summed, last = 0, hashlib.sha256(), None
    with file.open("rb") as lines:
        for number, line in enumerate(lines, 1):
            try:
                value = json.loads(line)
            except ValueError:
                raise BackupError(f"{file}, line {number} is not JSON") from None
            if number == 1:
                if type(value) is not dict or value.get("format") != FORMAT:
                    raise BackupError(f"{file} is no backup of a journal")
                _check_version(value.get("version"))
            elif type(value) is list and value and last is None:
                yield str(value[0]), value[1:]
                counted += 1
            elif last is None:
                last = value
                continue
            else:
                raise BackupError(f"{file}, line {number} comes after the end")
            summed.update(line)
    if last != {"records": counted, "sha256": summed.hexdigest()}:
        raise BackupError(f"{file} is not complete, or was altered")


def _check_version(found: object) -> None:
    if found != VERSION:
        raise BackupError(f"the backup is of version {found}, and this edition reads {VERSION}")
