"""Migrations: up and down on both databases, and the tables they make are those the code knows."""

from __future__ import annotations

from pathlib import Path

import pytest
import sqlalchemy as sa
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory

from evening import usual_evening
from postgres import Postgres
from trueodds import journal as room
from trueodds.journal import JournalError, Person, VersionError, check_journal, open_journal
from trueodds.journal.database import Database, read_url
from trueodds.journal.migrate import migrate, version
from trueodds.journal.schema import VERSION, metadata
from trueodds.journal.seal import seal


def _tables(database: Database) -> set[str]:
    with database.reading() as connection:
        return set(sa.inspect(connection).get_table_names()) - {"alembic_version"}


def test_up_and_down_and_up_again(new_url: str) -> None:
    database = Database(new_url)
    try:
        for _ in range(2):
            migrate(database)
            migrate(database)
            assert _tables(database) == set(metadata.tables)
            with database.reading() as connection:
                assert version(connection) == VERSION
                assert compare_metadata(MigrationContext.configure(connection), metadata) == []
            migrate(database, "base")
            assert _tables(database) == set()
            with database.reading() as connection:
                assert version(connection) is None
    finally:
        database.close()
    with open_journal(new_url) as journal:
        usual_evening(journal, actions=5)
        assert check_journal(journal) == ()


def test_comings_are_taken_out_of_the_rows_that_are_there(new_url: str) -> None:
    """A journal of the first edition, with evenings in it, is the same as one that was written by this edition."""
    with open_journal(new_url) as journal:
        usual_evening(journal, actions=5)
        before = journal.standings.everywhere("p2", 2_000_000_000_000)
        assert before.total.cashed_cents == 500
        migrate(journal.database, "0001")
        assert "comings" not in _tables(journal.database)
    with open_journal(new_url) as journal:
        assert journal.standings.everywhere("p2", 2_000_000_000_000) == before
        assert check_journal(journal) == ()
        with (
            pytest.raises(sa.exc.DatabaseError, match="comings are only appended"),
            journal.database.writing() as writing,
        ):
            writing.execute(sa.text("DELETE FROM comings"))


def test_people_of_the_first_edition_stay_who_they_are(new_url: str) -> None:
    """They get an epoch, and a seal over it."""
    limits = '{"loss_cents":5000}'
    ann = ("a" * 32, "Änn", "änn", "registered", "x", 5, limits, None)
    gone = ("b" * 32, None, None, "guest", None, 6, "{}", 7)
    database = Database(new_url)
    migrate(database, "0001")
    with database.writing() as connection:
        for values in (ann, gone):
            named = {f"v{number}": value for number, value in enumerate((*values, seal("people", *values)))}
            connection.execute(sa.text(f"INSERT INTO people VALUES ({', '.join(f':{name}' for name in named)})"), named)
    database.close()
    with open_journal(new_url) as journal:
        found = Person(ann[0], "Änn", "registered", "x", 5, {"loss_cents": 5000}, None, 0)
        assert journal.people.find_by_name("änn") == found
        assert check_journal(journal) == ()
        assert journal.people.sign_out(found.person_id) == found._replace(epoch=1)
        assert check_journal(journal) == ()


def test_the_last_migration_is_the_version_the_code_knows() -> None:
    assert room.__file__ is not None
    config = Config()
    config.set_main_option("script_location", str(Path(room.__file__).parent / "migrations"))
    assert ScriptDirectory.from_config(config).get_heads() == [VERSION]


def test_a_database_of_a_later_edition_is_refused(new_url: str) -> None:
    with open_journal(new_url) as journal, journal.database.writing() as connection:
        connection.execute(sa.text("UPDATE alembic_version SET version_num = '9999'"))
    with pytest.raises(VersionError, match="another edition of trueodds"):
        open_journal(new_url)
    with pytest.raises(VersionError, match="of version 9999"):
        open_journal(new_url, create=False)


def test_pragmas_of_sqlite(tmp_path: Path) -> None:
    with open_journal(str(tmp_path / "journal.db")) as journal, journal.database.reading() as connection:
        asked = ("journal_mode", "synchronous", "foreign_keys", "busy_timeout", "secure_delete")
        told = [connection.exec_driver_sql(f"PRAGMA {name}").scalar_one() for name in asked]
        assert told == ["wal", 2, 1, 5000, 1]


@pytest.mark.parametrize("url", ["sqlite://", "sqlite:///:memory:", "mysql://x/y", "oracle+nothing://x", "://"])
def test_what_is_no_database_for_a_journal(url: str) -> None:
    with pytest.raises(JournalError):
        read_url(url)


def test_a_journal_that_must_be_there(tmp_path: Path, postgres: Postgres) -> None:
    with pytest.raises(JournalError, match="there is no journal at"):
        open_journal(str(tmp_path / "journal.db"), create=False)
    assert not list(tmp_path.iterdir())
    empty = postgres.new_database()
    with pytest.raises(JournalError, match="there is no journal at postgresql"):
        open_journal(empty, create=False)
    database = Database(empty)
    assert _tables(database) == set()
    database.close()


def test_people_of_the_house_come_with_the_third_edition(new_url: str) -> None:
    """Those who were there stay, with their seals, on the way up and on the way down."""
    with open_journal(new_url) as journal:
        ann = journal.people.create("Ann", 5)
        migrate(journal.database, "0002")
    with open_journal(new_url) as journal:
        assert journal.people.find(ann.person_id) == ann
        bot = journal.people.hire("Molly", 6)
        assert bot.kind == "house"
        assert check_journal(journal) == ()
