"""The database of a journal."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest
import sqlalchemy as sa

from trueodds.journal import DatabaseUnavailableError, open_journal
from trueodds.journal.database import Database


@pytest.mark.parametrize("is_replaced", [False, True])
def test_nothing_is_written_to_a_file_that_is_gone(tmp_path: Path, is_replaced: bool) -> None:
    """SQLite would go on writing to a deleted file, which no other process can read."""
    path = tmp_path / "journal.db"
    database = Database(str(path))
    create, insert = sa.text("CREATE TABLE notes (text TEXT)"), sa.text("INSERT INTO notes VALUES ('a')")
    with database.write_transaction() as connection:
        connection.execute(create)
    database.close()  # so that everything is in one file
    with database.write_transaction():
        pass
    path.rename(tmp_path / "moved.db")
    if is_replaced:
        path.write_bytes(b"")
    with (
        pytest.raises(DatabaseUnavailableError, match="no such table" if is_replaced else r"journal\.db was deleted"),
        database.write_transaction() as connection,
    ):
        connection.execute(insert)
    assert path.exists() is is_replaced
    for file in tmp_path.glob("journal.db*"):
        file.unlink()
    (tmp_path / "moved.db").rename(path)
    with database.write_transaction() as connection:
        connection.execute(insert)
    with database.read_transaction() as connection:
        assert connection.execute(sa.text("SELECT count(*) FROM notes")).scalar_one() == 1
    database.close()


def test_a_file_that_is_deleted_in_a_transaction(tmp_path: Path) -> None:
    path = tmp_path / "journal.db"
    database = Database(str(path))
    with pytest.raises(DatabaseUnavailableError, match="was deleted or replaced"), database.write_transaction():
        path.unlink()
    database.close()


def test_the_write_check(tmp_path: Path) -> None:
    with open_journal(f"sqlite:///{tmp_path / 'journal.db'}") as journal:
        journal.database.check_writable()
        sa.event.listen(journal.database.engine, "checkout", _forbid_writing)
        with pytest.raises(DatabaseUnavailableError, match="readonly"):
            journal.database.check_writable()


def _forbid_writing(connection: sqlite3.Connection, *_: object) -> None:
    connection.execute("PRAGMA query_only=ON").close()


def test_an_exhausted_pool_is_an_unavailable_database(tmp_path: Path) -> None:
    database = Database(str(tmp_path / "journal.db"))
    small = sa.create_engine(database.url, pool_size=1, max_overflow=0, pool_timeout=0.05)
    database._reader = small.execution_options()
    with (
        database.read_transaction(),
        pytest.raises(DatabaseUnavailableError, match="in use"),
        database.read_transaction(),
    ):
        pass
    small.dispose()
    database.close()
