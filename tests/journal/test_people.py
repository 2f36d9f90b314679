"""People live apart from the journal: forgetting one leaves it intact."""

from __future__ import annotations

import sqlite3
from pathlib import Path
from threading import Timer

import pytest

from evening import Evening
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
    with pytest.raises(PersonError, match="registered already"):
        people.register(guest.person_id, "Bob", HASH)
    assert check_journal(journal) == ()


def test_names_are_taken_once(journal: Journal) -> None:
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
        with pytest.raises(PersonError, match="a name is"):
            people.create(name, 0)


def test_limits(journal: Journal) -> None:
    people = journal.people
    person = people.create("Ann", 0)
    assert people.limits(person.person_id) == {}
    people.change_limits(person.person_id, lambda _: {"loss_cents": 5000, "until_ms": None})
    assert people.limits(person.person_id) == {"loss_cents": 5000, "until_ms": None}
    with pytest.raises(CodecError):
        people.change_limits(person.person_id, lambda _: {"loss": 0.5})
    with pytest.raises(PersonError, match="nobody with the id"):
        people.limits("nobody")
    with pytest.raises(PersonError, match="nobody with the id"):
        people.change_limits("nobody", lambda _: {})
    assert people.find("nobody") is None


def test_forgetting_somebody_leaves_the_journal_intact(journal: Journal) -> None:
    person = journal.people.create(NAME, 0, kind="registered", password_hash=HASH)
    Evening(journal).sit(person.person_id, 5000)
    log = journal.rows("t1")
    assert all(NAME not in row.body for row in log)
    gone = journal.people.delete(person.person_id, 77)
    assert gone == (person.person_id, None, "registered", None, 0, {}, 77, 0)
    assert journal.people.find(person.person_id) == gone
    assert journal.people.find_by_name(NAME) is None
    assert journal.rows("t1") == log
    assert check_journal(journal) == ()
    again = journal.people.create(NAME, 1)
    assert again.person_id != person.person_id
    for change in (lambda: journal.people.delete(person.person_id, 1), lambda: journal.people.limits(person.person_id)):
        with pytest.raises(PersonError, match="nobody"):
            change()


def test_a_forgotten_name_is_gone_from_the_file(tmp_path: Path) -> None:
    def files() -> bytes:
        return b"".join(path.read_bytes() for path in tmp_path.iterdir())

    with open_journal(str(tmp_path / "journal.db")) as journal:
        person = journal.people.create(NAME, 0, kind="registered", password_hash=HASH)
        assert NAME.encode() in files()
        journal.people.delete(person.person_id, 1)
        assert NAME.encode() not in files()
        assert NAME.casefold().encode() not in files()
        assert HASH.encode() not in files()


def test_a_forgotten_name_is_gone_from_the_file_though_somebody_reads(tmp_path: Path) -> None:
    """For longer than the database waits for whoever is busy."""
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


def test_people_of_the_house(journal: Journal) -> None:
    """Each name is made once, is nobody else's, and serves any number of tables, but one seat at each."""
    taken = journal.people.create("Molly 2 (bot)", 1)
    first = journal.people.hire("Molly", 2)
    assert (first.name, first.kind, first.password_hash) == ("Molly (bot)", "house", None)
    assert journal.people.hire("Molly", 3) == first
    second = journal.people.hire("Molly", 4, busy=[first.person_id])
    assert second.name == "Molly 3 (bot)"
    assert taken.person_id not in {first.person_id, second.person_id}
    with pytest.raises(PersonError):
        journal.people.create("molly (BOT)", 5)
    with pytest.raises(PersonError):
        journal.people.register(first.person_id, "Mine", "hash")
    assert not check_journal(journal)


def test_who_cannot_be_hired_is_an_error_and_not_a_search_without_end(journal: Journal) -> None:
    with pytest.raises(PersonError):
        journal.people.hire("M" * 60, 1)
