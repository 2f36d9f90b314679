"""Backups: an SQLite copy, or JSON lines that either kind of database can restore."""

from __future__ import annotations

import hashlib
import json
import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing, suppress
from pathlib import Path
from typing import Final, NamedTuple

import sqlalchemy as sa
from sqlalchemy.exc import StatementError

from trueodds.journal.canonical_json import Json, encode_canonical_unchecked
from trueodds.journal.check_journal import VerifyRoll, check_journal
from trueodds.journal.errors import BackupError
from trueodds.journal.journal import Journal, open_journal
from trueodds.journal.journal_problem import JournalProblem
from trueodds.journal.lease import Lease
from trueodds.journal.run_migrations import current_version
from trueodds.journal.schema import VERSION, leases, metadata

BACKUP_FORMAT: Final = "trueodds journal backup 1"
JSONL_SUFFIX: Final = ".jsonl"
_SQLITE_MAGIC: Final = b"SQLite format 3\x00"
_BATCH_SIZE: Final = 1000


class RestoreResult(NamedTuple):
    """How many rows were restored, and the problems that a check of the result found."""

    row_count: int
    problems: tuple[JournalProblem, ...]


def write_backup(journal: Journal, file: Path) -> None:
    """Write a backup that only its owner can read. The file appears only when it is complete.

    SQLite is copied as a database unless the name ends in .jsonl; PostgreSQL is always written as JSON lines.
    """
    if file.exists():
        raise BackupError(f"{file} already exists")
    part = file.with_name(file.name + ".part")
    part.unlink(missing_ok=True)
    try:
        os.close(os.open(part, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
        if journal.database.file is not None and file.suffix != JSONL_SUFFIX:
            _copy_sqlite(journal.database.file, part)
        else:
            _write_jsonl(journal, part)
        part.replace(file)
    except OSError as error:
        raise BackupError(f"cannot write {file}: {error.strerror}") from None
    finally:
        with suppress(OSError):
            part.unlink(missing_ok=True)


def _copy_sqlite(database: Path, file: Path) -> None:
    """Copy with SQLite's online backup, which does not block writers."""
    with closing(sqlite3.connect(database)) as source, closing(sqlite3.connect(file)) as target:
        source.execute("PRAGMA busy_timeout=5000")
        source.backup(target)
        target.execute("PRAGMA journal_mode=DELETE")


def _write_jsonl(journal: Journal, file: Path) -> None:
    row_count, digest = 0, hashlib.sha256()
    with journal.database.read_transaction() as connection, file.open("w", encoding="ascii", newline="\n") as lines:

        def write(value: Json) -> None:
            line = encode_canonical_unchecked(value) + "\n"
            digest.update(line.encode())
            lines.write(line)

        write({"format": BACKUP_FORMAT, "version": current_version(connection)})
        for table in metadata.sorted_tables:
            for row in connection.execution_options(yield_per=_BATCH_SIZE).execute(sa.select(table)):
                write([table.name, *row])
                row_count += 1
        lines.write(encode_canonical_unchecked({"rows": row_count, "sha256": digest.hexdigest()}) + "\n")
        lines.flush()
        os.fsync(lines.fileno())


def restore_backup(file: Path, url: str, verify_roll: VerifyRoll | None = None) -> RestoreResult:
    """Restore a backup into an empty database of either kind, then check it.

    All leases are released in the result, so that a process that held one cannot write to it.
    """
    try:
        with file.open("rb") as opened:
            is_copy = opened.read(len(_SQLITE_MAGIC)) == _SQLITE_MAGIC
    except OSError as error:
        raise BackupError(f"cannot read {file}: {error.strerror}") from None
    read = _read_sqlite if is_copy else _read_jsonl
    with open_journal(url) as journal:
        with journal.database.write_transaction() as connection:
            if any(connection.execute(sa.select(table).limit(1)).first() for table in metadata.sorted_tables):
                raise BackupError("the database to restore into must be empty")
            try:
                count = _insert_rows(connection, read(file))
            except StatementError as error:
                raise BackupError(f"cannot restore {file}: {error.orig}") from None
        return RestoreResult(count, check_journal(journal, verify_roll))


def _insert_rows(connection: sa.Connection, rows: Iterator[tuple[str, list[Json]]]) -> int:
    count, pending, name = 0, list[dict[str, Json]](), ""

    def flush() -> None:
        if pending:
            connection.execute(sa.insert(metadata.tables[name]), pending)
            pending.clear()

    for found, values in rows:
        if found != name or len(pending) >= _BATCH_SIZE:
            flush()
            name = found
        pending.append(_restored_row(found, values))
        count += 1
    flush()
    return count


def _restored_row(name: str, values: list[Json]) -> dict[str, Json]:
    """Return a row as columns. A lease is restored as released."""
    table = metadata.tables.get(name)
    if table is None or len(table.columns) != len(values):
        raise BackupError(
            f"the backup has a row of {name!r} with {len(values)} columns, which the journal does not have"
        )
    columns = dict(zip(table.columns.keys(), values, strict=True))
    if table is leases:
        lease = Lease(columns["table_id"], None, columns["epoch"] + 1, 0)
        return {**lease._asdict(), "checksum": lease.checksum}
    return columns


def _read_sqlite(file: Path) -> Iterator[tuple[str, list[Json]]]:
    """Yield the rows of an SQLite file without writing to it."""
    try:
        with closing(sqlite3.connect(f"{file.absolute().as_uri()}?mode=ro&immutable=1", uri=True)) as source:
            (found,) = source.execute("SELECT version_num FROM alembic_version").fetchone() or (None,)
            _check_version(found)
            for table in metadata.sorted_tables:
                columns = ", ".join(table.columns.keys())
                # The names are from our schema.
                for row in source.execute(f"SELECT {columns} FROM {table.name}"):  # noqa: S608
                    yield table.name, list(row)
    except sqlite3.DatabaseError as error:
        raise BackupError(f"cannot read {file}: {error}") from None


def _read_jsonl(file: Path) -> Iterator[tuple[str, list[Json]]]:
    """Yield the rows of a JSON-lines backup. The checksum at the end reveals missing or altered lines."""
    row_count, digest, last = 0, hashlib.sha256(), None
    with file.open("rb") as lines:
        for number, line in enumerate(lines, 1):
            try:
                value = json.loads(line)
            except ValueError:
                raise BackupError(f"{file}, line {number}: invalid JSON") from None
            if number == 1:
                if type(value) is not dict or value.get("format") != BACKUP_FORMAT:
                    raise BackupError(f"{file} is not a journal backup")
                _check_version(value.get("version"))
            elif type(value) is list and value and last is None:
                yield str(value[0]), value[1:]
                row_count += 1
            elif last is None:
                last = value
                continue
            else:
                raise BackupError(f"{file}, line {number}: unexpected line after the checksum")
            digest.update(line)
    if last != {"rows": row_count, "sha256": digest.hexdigest()}:
        raise BackupError(f"{file} is incomplete or was altered")


def _check_version(found: object) -> None:
    if found != VERSION:
        raise BackupError(f"backup version must be {VERSION}, got {found}")
