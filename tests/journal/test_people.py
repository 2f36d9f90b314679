"""People are stored apart from events, so deleting one leaves the journal intact."""

from __future__ import annotations

import sqlite3
from pathlib import Path
from threading import Timer

import pytest

from support.journal_session import JournalSession
from trueodds.journal import CodecError, Journal, PersonError, check_journal, open_journal

NAME = "Annabella Quixote"
HASH = "$argon2id$secret-of-annabella"


def test_a_guest_registers(journal: Journal) -> None:
    people = journal.people
    guest = people.create("Guest 7", 1000)
    assert (guest.kind, guest.password_hash, guest.created_ms) == ("guest", None, 1000)
    assert people.find(guest.person_id) == guest
    registered = people.register(guest.person_id, NAME, HASH)
    assert registered == guest._replace(name=NAME, kind="registered", password_hash=HASH)
    assert people.find_by_name(NAME.upper()) == registered
    assert people.find_by_name("Guest 7") is None
    with pytest.raises(PersonError, match="already registered"):
        people.register(guest.person_id, "Bob", HASH)
    assert check_journal(journal) == ()


def test_names_are_unique(journal: Journal) -> None:
    people = journal.people
    people.create("Ann", 0)
    other = people.create("Bob", 0, kind="registered", password_hash=HASH)
    for name in ("Ann", "ANN", "\uff21nn"):
        with pytest.raises(PersonError, match="taken"):
            people.create(name, 0)
    guest = people.create("Cid", 0)
    with pytest.raises(PersonError, match="taken"):
        people.register(guest.person_id, "ann", HASH)
    assert people.find(other.person_id) == other
    for name in ("", "  ", " Ann", "x" * 41, "A\nB"):
        with pytest.raises(PersonError, match="a name must be"):
            people.create(name, 0)


def test_self_limits_are_stored(journal: Journal) -> None:
    people = journal.people
    person = people.create("Ann", 0)
    assert person.self_limits == {}
    limits = {"loss_cents": 5000, "until_ms": None}
    assert people.change_self_limits(person.person_id, lambda _: limits).self_limits == limits
    assert people.find(person.person_id) == person._replace(self_limits=limits)
    with pytest.raises(CodecError):
        people.change_self_limits(person.person_id, lambda _: {"loss": 0.5})
    with pytest.raises(PersonError, match="no person with the id"):
        people.change_self_limits("nobody", lambda _: {})
    assert people.find("nobody") is None


def test_deleting_a_person_leaves_the_journal_intact(journal: Journal) -> None:
    person = journal.people.create(NAME, 0, kind="registered", password_hash=HASH)
    JournalSession(journal).join(person.person_id, 5000)
    log = journal.events("t1")
    assert all(NAME not in row.body for row in log)
    gone = journal.people.delete(person.person_id, 77)
    assert gone == (person.person_id, None, "registered", None, 0, {}, 77, 0)
    assert journal.people.find(person.person_id) == gone
    assert journal.people.find_by_name(NAME) is None
    assert journal.events("t1") == log
    assert check_journal(journal) == ()
    again = journal.people.create(NAME, 1)
    assert again.person_id != person.person_id
    with pytest.raises(PersonError, match="no person with the id"):
        journal.people.delete(person.person_id, 1)
    with pytest.raises(PersonError, match="no person with the id"):
        journal.people.change_self_limits(person.person_id, lambda limits: limits)


def test_a_deleted_name_is_gone_from_the_file(tmp_path: Path) -> None:
    def files() -> bytes:
        return b"".join(path.read_bytes() for path in tmp_path.iterdir())

    with open_journal(str(tmp_path / "journal.db")) as journal:
        person = journal.people.create(NAME, 0, kind="registered", password_hash=HASH)
        assert NAME.encode() in files()
        journal.people.delete(person.person_id, 1)
        assert NAME.encode() not in files()
        assert NAME.casefold().encode() not in files()
        assert HASH.encode() not in files()


def test_a_deleted_name_is_gone_from_the_file_despite_a_reader(tmp_path: Path) -> None:
    """A reader that reads for longer than the busy timeout."""
    with open_journal(str(tmp_path / "journal.db")) as journal:
        person = journal.people.create(NAME, 0)
        reader = sqlite3.connect(tmp_path / "journal.db", check_same_thread=False, isolation_level=None)
        reader.execute("BEGIN")
        reader.execute("SELECT count(*) FROM people").fetchone()
        done = Timer(6.5, reader.close)
        done.start()
        journal.people.delete(person.person_id, 1)
        done.join()
        assert NAME.encode() not in b"".join(path.read_bytes() for path in tmp_path.iterdir())


def test_bots_are_found_or_created(journal: Journal) -> None:
    """Each bot is created once and may play at many tables, in one seat at each."""
    taken = journal.people.create("Molly 2 (bot)", 1)
    first = journal.people.find_or_create_bot("Molly", 2)
    assert (first.name, first.kind, first.password_hash) == ("Molly (bot)", "bot", None)
    assert journal.people.find_or_create_bot("Molly", 3) == first
    second = journal.people.find_or_create_bot("Molly", 4, excluded_ids=[first.person_id])
    assert second.name == "Molly 3 (bot)"
    assert taken.person_id not in {first.person_id, second.person_id}
    with pytest.raises(PersonError):
        journal.people.create("molly (BOT)", 5)
    with pytest.raises(PersonError):
        journal.people.register(first.person_id, "Mine", "hash")
    assert not check_journal(journal)


def test_a_bot_that_cannot_be_created_is_an_error(journal: Journal) -> None:
    with pytest.raises(PersonError):
        journal.people.find_or_create_bot("M" * 60, 1)
