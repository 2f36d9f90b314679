"""Migrations: up and down on both databases, and they create the tables of the schema."""

from __future__ import annotations

from pathlib import Path

import pytest
import sqlalchemy as sa
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory

from support.journal_session import play_sample_session
from support.postgres import Postgres
from trueodds import journal as journal_package
from trueodds.journal import JournalError, SchemaVersionError, check_journal, open_journal
from trueodds.journal.database import Database, parse_database_url
from trueodds.journal.run_migrations import current_version, migrate
from trueodds.journal.schema import VERSION, metadata


def _tables(database: Database) -> set[str]:
    with database.read_transaction() as connection:
        return set(sa.inspect(connection).get_table_names()) - {"alembic_version"}


def test_up_and_down_and_up_again(new_url: str) -> None:
    database = Database(new_url)
    try:
        for _ in range(2):
            migrate(database)
            migrate(database)
            assert _tables(database) == set(metadata.tables)
            with database.read_transaction() as connection:
                assert current_version(connection) == VERSION
                assert compare_metadata(MigrationContext.configure(connection), metadata) == []
            migrate(database, "base")
            assert _tables(database) == set()
            with database.read_transaction() as connection:
                assert current_version(connection) is None
    finally:
        database.close()
    with open_journal(new_url) as journal:
        play_sample_session(journal, actions=5)
        assert check_journal(journal) == ()


@pytest.mark.parametrize("table", ["tables", "events", "postings", "player_activity"])
def test_append_only_tables_cannot_be_changed(new_url: str, table: str) -> None:
    with open_journal(new_url) as journal:
        play_sample_session(journal, actions=5)
        for statement in (f"DELETE FROM {table}", f"UPDATE {table} SET table_id = 'x'"):
            with (
                pytest.raises(sa.exc.DatabaseError, match=f"{table} is append-only"),
                journal.database.write_transaction() as connection,
            ):
                connection.execute(sa.text(statement))


def test_the_last_migration_is_the_schema_version() -> None:
    assert journal_package.__file__ is not None
    config = Config()
    config.set_main_option("script_location", str(Path(journal_package.__file__).parent / "migrations"))
    assert ScriptDirectory.from_config(config).get_heads() == [VERSION]


@pytest.mark.parametrize("version", ["0004", "9999"])
def test_a_database_of_another_version_is_refused(new_url: str, version: str) -> None:
    with open_journal(new_url) as journal, journal.database.write_transaction() as connection:
        connection.execute(sa.text(f"UPDATE alembic_version SET version_num = '{version}'"))
    with pytest.raises(SchemaVersionError, match="created by another version of trueodds"):
        open_journal(new_url)
    with pytest.raises(SchemaVersionError, match=f"database version must be {VERSION}, got {version}"):
        open_journal(new_url, create=False)


def test_pragmas_of_sqlite(tmp_path: Path) -> None:
    with open_journal(str(tmp_path / "journal.db")) as journal, journal.database.read_transaction() as connection:
        names = ("journal_mode", "synchronous", "foreign_keys", "busy_timeout", "secure_delete")
        values = [connection.exec_driver_sql(f"PRAGMA {name}").scalar_one() for name in names]
        assert values == ["wal", 2, 1, 5000, 1]


@pytest.mark.parametrize("url", ["sqlite://", "sqlite:///:memory:", "mysql://x/y", "oracle+nothing://x", "://"])
def test_an_unsupported_database_url_is_refused(url: str) -> None:
    with pytest.raises(JournalError):
        parse_database_url(url)


def test_a_missing_journal_is_refused_without_create(tmp_path: Path, postgres: Postgres) -> None:
    with pytest.raises(JournalError, match="there is no journal at"):
        open_journal(str(tmp_path / "journal.db"), create=False)
    assert not list(tmp_path.iterdir())
    empty = postgres.new_database()
    with pytest.raises(JournalError, match="there is no journal at postgresql"):
        open_journal(empty, create=False)
    database = Database(empty)
    assert _tables(database) == set()
    database.close()
