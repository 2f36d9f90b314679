"""SQLite's own integrity checks, and reading a damaged file."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager

import sqlalchemy as sa

from trueodds.journal.journal_problem import JournalProblem


def sqlite_problems(connection: sa.Connection) -> Iterator[JournalProblem]:
    """Yield what SQLite finds wrong with its pages, types, indexes, constraints and foreign keys."""
    if connection.dialect.name != "sqlite":
        return
    for (result,) in connection.exec_driver_sql("PRAGMA integrity_check").all():
        if result != "ok":
            yield JournalProblem(None, None, f"file: {result}")
    for table, _, parent, _ in connection.exec_driver_sql("PRAGMA foreign_key_check").all():
        yield JournalProblem(None, None, f"file: {table} refers to a missing row of {parent}")


@contextmanager
def tolerate_invalid_utf8(connection: sa.Connection) -> Iterator[None]:
    """Decode invalid UTF-8 as surrogates, which differ from any valid text, instead of raising."""
    driver = connection.connection.driver_connection
    if not isinstance(driver, sqlite3.Connection):
        yield
        return
    text_factory = driver.text_factory
    driver.text_factory = _decode_with_surrogates
    try:
        yield
    finally:
        driver.text_factory = text_factory


def _decode_with_surrogates(octets: bytes) -> str:
    return octets.decode("utf-8", "surrogateescape")
