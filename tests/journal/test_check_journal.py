"""One altered byte anywhere is found, and its table and event are named."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from random import Random
from typing import Any

import pytest

from support.journal_session import JournalSession, play_sample_session
from support.postgres import Postgres
from support.tampering import COLUMNS, TamperingConnection, flipped_bits
from trueodds.journal import (
    CorruptDatabaseError,
    Journal,
    JournalError,
    JournalProblem,
    RollEvidence,
    ServiceEvent,
    check_journal,
    open_journal,
)
from trueodds.journal.schema import metadata
from trueodds.table import Rolled

SECTIONS = {"tables": "header:"}


def _fill(journal: Journal) -> None:
    """Fill every column of every table."""
    play_sample_session(journal, "t1", actions=12)
    journal.create_table(
        play_sample_session(journal, "t2", actions=3).journal.load_state("t2").header._replace(table_id="t3")
    )
    person = journal.people.create("Ann", 1000, kind="registered", password_hash="hash")
    journal.people.change_self_limits(person.person_id, lambda _: {"loss_cents": 5000})
    gone = journal.people.create("Bob", 1000)
    journal.people.delete(gone.person_id, 2000)


@pytest.fixture(scope="module", params=["sqlite", "postgresql"])
def filled(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Journal]:
    if request.param == "sqlite":
        url = str(tmp_path_factory.mktemp("check") / "journal.db")
    else:
        server: Postgres = request.getfixturevalue("postgres")
        url = server.new_database()
    with open_journal(url) as journal:
        _fill(journal)
        yield journal


@pytest.fixture(scope="module")
def tamper(filled: Journal) -> Iterator[TamperingConnection]:
    assert check_journal(filled) == ()
    with TamperingConnection(filled) as opened:
        yield opened


def _names(finding: JournalProblem, table: str, rows: tuple[dict[str, Any], ...]) -> bool:
    """Return whether a problem names the database table, the craps table and the event."""
    if not finding.message.startswith(SECTIONS.get(table, f"{table}:")):
        return False
    if "table_id" not in rows[0]:
        return True
    if finding.table_id not in {row["table_id"] for row in rows}:
        return False
    moved = rows[0]["table_id"] != rows[-1]["table_id"]
    return table not in {"events", "postings"} or moved or finding.sequence in {row["sequence"] for row in rows}


@pytest.mark.parametrize(("table", "column"), COLUMNS, ids=[f"{table}.{column}" for table, column in COLUMNS])
def test_a_flipped_bit_is_found(filled: Journal, tamper: TamperingConnection, table: str, column: str) -> None:
    rows = [row for row in tamper.rows(table) if row[column] is not None]
    tried = 0
    for row in (rows[0], rows[2 * len(rows) // 3]):
        for value in flipped_bits(row[column]):
            if tamper.is_taken(table, row, column, value):
                continue
            now = tamper.change(table, row, column, value)
            found = check_journal(filled)
            tamper.change(table, now, column, row[column])
            assert any(_names(one, table, (row, now)) for one in found), (row[column], value, found)
            tried += 1
    assert tried
    assert check_journal(filled) == ()


@pytest.mark.parametrize(
    "table", [name for name in metadata.tables if name not in {"tables", "people", "command_replies"}]
)
def test_a_deleted_row_is_found(filled: Journal, tamper: TamperingConnection, table: str) -> None:
    rows = tamper.rows(table)
    for row in (rows[0], rows[len(rows) // 2]):
        tamper.delete(table, row)
        found = check_journal(filled)
        tamper.insert(table, row)
        near = {**row, "sequence": row["sequence"] + 1} if table == "events" else row
        assert any(_names(one, table, (row, near)) for one in found), (row, found)
    assert check_journal(filled) == ()


def test_a_deleted_table_leaves_orphans(filled: Journal, tamper: TamperingConnection) -> None:
    header = tamper.rows("tables")[0]
    tamper.delete("tables", header)
    found = check_journal(filled)
    tamper.insert("tables", header)
    assert JournalProblem("t1", None, "events: belongs to no table") in found
    assert check_journal(filled) == ()


def test_an_added_row_is_found(filled: Journal, tamper: TamperingConnection) -> None:
    last = filled.load_state("t1").sequence
    for row in (
        {"table_id": "t1", "sequence": last + 1, "account": "rack:p1", "cents": 5},
        {"table_id": "t1", "sequence": 1, "account": "rack:p1", "cents": 5},
        {"table_id": "t4", "sequence": 1, "account": "rack:p1", "cents": 5},
    ):
        tamper.insert("postings", row)
        found = check_journal(filled)
        tamper.delete("postings", row)
        assert any(_names(one, "postings", (row, row)) or one.table_id == "t4" for one in found), found
    balance = {"table_id": "t1", "account": "rack:p9", "cents": 5}
    tamper.insert("balances", balance)
    found = check_journal(filled)
    tamper.delete("balances", balance)
    assert JournalProblem("t1", None, "balances: rack:p9 is 5, but its postings add up to None") in found
    assert JournalProblem("t1", None, "balances: must add up to zero, got 5") in found


def test_an_event_altered_with_its_hash_is_found_by_the_next_event(
    filled: Journal, tamper: TamperingConnection
) -> None:
    """The next event does not follow."""
    row = tamper.rows("events")[4]
    now = tamper.change("events", row, "hash", "0" * 64)
    now = tamper.change("events", now, "at_ms", 5)
    found = check_journal(filled)
    tamper.change("events", now, "at_ms", row["at_ms"])
    tamper.change("events", row, "hash", row["hash"])
    assert [one.sequence for one in found if one.message.startswith("events:")] == [
        row["sequence"],
        row["sequence"] + 1,
    ]


def test_an_impossible_event_is_found(filled: Journal, tamper: TamperingConnection) -> None:
    row = next(one for one in tamper.rows("events") if one["kind"] == "player_joined")
    now = tamper.change("events", row, "kind", "player_left")
    now = tamper.change("events", now, "body", '{"player":"p9"}')
    found = [one.message for one in check_journal(filled) if one.table_id == row["table_id"]]
    tamper.change("events", now, "body", row["body"])
    tamper.change("events", now, "kind", row["kind"])
    assert any("cannot happen here: 'p9' is not at this table" in what for what in found)
    assert any("position cannot be checked" in what for what in found)


def test_rolls_are_verified(journal: Journal) -> None:
    session = JournalSession(journal)
    session.append(ServiceEvent("anchor_published", {"anchor": "a"}))
    session.join("p1", 50_000)
    for number, dice in enumerate(("3-4", "1-1", "5-6")):
        session.append(ServiceEvent("roll_locked", {"roll": number}))
        session.append(ServiceEvent("secret_revealed", {"roll": number}), *session.table.roll(dice))
    asked: list[RollEvidence] = []

    def verify(evidence: RollEvidence) -> str | None:
        asked.append(evidence)
        assert isinstance(evidence.event, Rolled)
        return "the dice say otherwise" if str(evidence.event.dice) == "1-1" else None

    (found,) = check_journal(journal, verify)
    assert str(found) == f"table t1, event {asked[1].stored_event.sequence}: roll: the dice say otherwise"
    kinds = [[row.kind for row in one.service_events] for one in asked]
    assert kinds == [
        ["anchor_published", "bought_in", "roll_locked", "secret_revealed"],
        *[["roll_locked", "secret_revealed"]] * 2,
    ]
    assert [[row.body for row in one.anchor_events] for one in asked] == [['{"anchor":"a"}']] * 3


def test_a_flipped_byte_in_the_file_is_found(tmp_path: Path) -> None:
    """Anywhere in the SQLite file, in a table or in an index."""
    seed = Random().getrandbits(32)
    print("seed", seed)
    random = Random(seed)
    whole = tmp_path / "whole.db"
    with open_journal(str(whole)) as journal:
        _fill(journal)
        with TamperingConnection(journal) as tamper:
            texts = [
                value
                for table in metadata.tables
                for row in tamper.rows(table)
                for column, value in row.items()
                if isinstance(value, str) and len(value) > 8 and column != "house"
            ]
    with closing(sqlite3.connect(whole)) as connection:
        connection.execute("PRAGMA journal_mode = DELETE")
    octets = whole.read_bytes()
    for text in random.sample(texts, 60):
        begin = octets.find(text.encode())
        if begin < 0:
            continue  # longer than a page
        place = begin + random.randrange(len(text))
        damaged = bytearray(octets)
        damaged[place] ^= 1 << random.randrange(8)
        file = tmp_path / "damaged.db"
        file.write_bytes(damaged)
        with open_journal(str(file)) as journal:
            assert check_journal(journal), (place, text)


def test_a_destroyed_file(tmp_path: Path) -> None:
    file = tmp_path / "journal.db"
    with open_journal(str(file)) as journal:
        play_sample_session(journal)
    with closing(sqlite3.connect(file)) as connection:
        connection.execute("PRAGMA journal_mode = DELETE")
    octets = bytearray(file.read_bytes())
    octets[8192:] = b"\xff" * (len(octets) - 8192)
    file.write_bytes(octets)
    with pytest.raises(CorruptDatabaseError, match="malformed"):
        open_journal(str(file))
    file.write_bytes(octets[:100])
    with pytest.raises(JournalError):
        open_journal(str(file))


def test_pages_lost_while_the_file_is_open(tmp_path: Path) -> None:
    file = tmp_path / "journal.db"
    with open_journal(str(file)) as journal:
        play_sample_session(journal)
        with closing(sqlite3.connect(file)) as connection:
            connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        with file.open("r+b") as opened:
            opened.seek(4 * 4096)
            opened.write(b"\xff" * (file.stat().st_size - 4 * 4096))
        assert any(one.message.startswith("file:") for one in check_journal(journal))


def test_only_hashes_are_checked_under_another_event_schema(filled: Journal, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("trueodds.journal.table_header.schema_digest", lambda: "0" * 64)
    found = check_journal(filled)
    assert {one.table_id for one in found} == {"t1", "t2", "t3"}
    assert all("another event schema; only its hashes can be checked" in one.message for one in found)
