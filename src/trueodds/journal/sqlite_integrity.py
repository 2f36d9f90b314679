"""Damage to an SQLite file: what the database itself finds, and reading past it."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager

import sqlalchemy as sa

from trueodds.journal.finding import Finding


def damage(connection: sa.Connection) -> Iterator[Finding]:
    """Ask SQLite for pages, types, indexes, constraints and references that are not right."""
    if connection.dialect.name != "sqlite":
        return
    for (said,) in connection.exec_driver_sql("PRAGMA integrity_check").all():
        if said != "ok":
            yield Finding(None, None, f"file: {said}")
    for table, _, parent, _ in connection.exec_driver_sql("PRAGMA foreign_key_check").all():
        yield Finding(None, None, f"file: {table} refers to {parent} that are not there")


@contextmanager
def lenient(connection: sa.Connection) -> Iterator[None]:
    """Read bytes that are no text as something that differs from all text, rather than fail."""
    driver = connection.connection.driver_connection
    if not isinstance(driver, sqlite3.Connection):
        yield
        return
    before = driver.text_factory
    driver.text_factory = _decode
    try:
        yield
    finally:
        driver.text_factory = before


def _decode(octets: bytes) -> str:
    return octets.decode("utf-8", "surrogateescape")
