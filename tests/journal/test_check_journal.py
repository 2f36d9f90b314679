"""One altered byte anywhere is found, and named by table, row and what it is."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from random import Random
from typing import Any

import pytest

from evening import Evening, usual_evening
from postgres import Postgres
from tampering import COLUMNS, Tamper, altered
from trueodds.journal import DamagedError, Finding, Journal, JournalError, Record, Thrown, check_journal, open_journal
from trueodds.journal.schema import metadata
from trueodds.table import Rolled

SECTIONS = {"tables": "header:"}


def _fill(journal: Journal) -> None:
    """A little of everything, so that every column of every table has something in it."""
    usual_evening(journal, "t1", actions=12)
    journal.create_table(usual_evening(journal, "t2", actions=3).journal.load("t2").header._replace(table_id="t3"))
    person = journal.people.create("Ann", 1000, kind="registered", password_hash="hash")
    journal.people.change_limits(person.person_id, lambda _: {"loss_cents": 5000})
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
def tamper(filled: Journal) -> Iterator[Tamper]:
    assert check_journal(filled) == ()
    with Tamper(filled) as opened:
        yield opened


def _names(finding: Finding, table: str, rows: tuple[dict[str, Any], ...]) -> bool:
    """Whether a finding names the table of the database, the table of the game, and the row."""
    if not finding.what.startswith(SECTIONS.get(table, f"{table}:")):
        return False
    if "table_id" not in rows[0]:
        return True
    if finding.table_id not in {row["table_id"] for row in rows}:
        return False
    moved = rows[0]["table_id"] != rows[-1]["table_id"]
    return table not in {"rows", "postings"} or moved or finding.sequence in {row["sequence"] for row in rows}


@pytest.mark.parametrize(("table", "column"), COLUMNS, ids=[f"{table}.{column}" for table, column in COLUMNS])
def test_one_flipped_bit_is_found_and_named(filled: Journal, tamper: Tamper, table: str, column: str) -> None:
    rows = [row for row in tamper.rows(table) if row[column] is not None]
    tried = 0
    for row in (rows[0], rows[2 * len(rows) // 3]):
        for value in altered(row[column]):
            if tamper.is_taken(table, row, column, value):
                continue
            now = tamper.change(table, row, column, value)
            found = check_journal(filled)
            tamper.change(table, now, column, row[column])
            assert any(_names(one, table, (row, now)) for one in found), (row[column], value, found)
            tried += 1
    assert tried
    assert check_journal(filled) == ()


@pytest.mark.parametrize("table", [name for name in metadata.tables if name not in {"tables", "people", "commands"}])
def test_what_was_deleted_is_found_and_named(filled: Journal, tamper: Tamper, table: str) -> None:
    rows = tamper.rows(table)
    for row in (rows[0], rows[len(rows) // 2]):
        tamper.delete(table, row)
        found = check_journal(filled)
        tamper.insert(table, row)
        near = {**row, "sequence": row["sequence"] + 1} if table == "rows" else row
        assert any(_names(one, table, (row, near)) for one in found), (row, found)
    assert check_journal(filled) == ()


def test_a_table_that_was_deleted_leaves_strays(filled: Journal, tamper: Tamper) -> None:
    header = tamper.rows("tables")[0]
    tamper.delete("tables", header)
    found = check_journal(filled)
    tamper.insert("tables", header)
    assert Finding("t1", None, "rows: belongs to no table") in found
    assert check_journal(filled) == ()


def test_what_was_added_is_found_and_named(filled: Journal, tamper: Tamper) -> None:
    last = filled.load("t1").sequence
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
    assert Finding("t1", None, "balances: rack:p9 has 5, and its postings come to None") in found
    assert Finding("t1", None, "balances: they add up to 5, not to nothing") in found


def test_a_forger_who_hashes_anew_is_found_by_what_follows(filled: Journal, tamper: Tamper) -> None:
    """A row and its hash are altered together: the next row does not follow."""
    row = tamper.rows("rows")[4]
    now = tamper.change("rows", row, "hash", "0" * 64)
    now = tamper.change("rows", now, "at_ms", 5)
    found = check_journal(filled)
    tamper.change("rows", now, "at_ms", row["at_ms"])
    tamper.change("rows", row, "hash", row["hash"])
    assert [one.sequence for one in found if one.what.startswith("rows:")] == [
        row["sequence"],
        row["sequence"] + 1,
    ]


def test_a_body_that_cannot_have_happened(filled: Journal, tamper: Tamper) -> None:
    row = next(one for one in tamper.rows("rows") if one["kind"] == "joined")
    now = tamper.change("rows", row, "kind", "left")
    now = tamper.change("rows", now, "body", '{"player":"p9"}')
    found = [one.what for one in check_journal(filled) if one.table_id == row["table_id"]]
    tamper.change("rows", now, "body", row["body"])
    tamper.change("rows", now, "kind", row["kind"])
    assert any("cannot have happened: 'p9' is not at this table" in what for what in found)
    assert any("position cannot be checked" in what for what in found)


def test_rolls_are_verified_by_whoever_can(journal: Journal) -> None:
    evening = Evening(journal)
    evening.write(Record("anchored", {"anchor": "a"}))
    evening.sit("p1", 50_000)
    for number, dice in enumerate(("3-4", "1-1", "5-6")):
        evening.write(Record("locked", {"roll": number}))
        evening.write(Record("revealed", {"roll": number}), *evening.table.roll(dice))
    asked: list[Thrown] = []

    def verify(thrown: Thrown) -> str | None:
        asked.append(thrown)
        assert isinstance(thrown.event, Rolled)
        return "the dice say otherwise" if str(thrown.event.dice) == "1-1" else None

    (found,) = check_journal(journal, verify)
    assert str(found) == f"table t1, row {asked[1].row.sequence}: roll: the dice say otherwise"
    kinds = [[row.kind for row in one.records] for one in asked]
    assert kinds == [["anchored", "bought_in", "locked", "revealed"], *[["locked", "revealed"]] * 2]
    assert [[row.body for row in one.anchors] for one in asked] == [['{"anchor":"a"}']] * 3


def test_a_flipped_byte_in_the_file_is_found(tmp_path: Path) -> None:
    """Wherever a byte of what was written lies in the file of SQLite, be it in a table or in an index."""
    seed = Random().getrandbits(32)
    print("seed", seed)
    random = Random(seed)
    whole = tmp_path / "whole.db"
    with open_journal(str(whole)) as journal:
        _fill(journal)
        with Tamper(journal) as tamper:
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


def test_a_file_that_is_no_database_any_more(tmp_path: Path) -> None:
    file = tmp_path / "journal.db"
    with open_journal(str(file)) as journal:
        usual_evening(journal)
    with closing(sqlite3.connect(file)) as connection:
        connection.execute("PRAGMA journal_mode = DELETE")
    octets = bytearray(file.read_bytes())
    octets[8192:] = b"\xff" * (len(octets) - 8192)
    file.write_bytes(octets)
    with pytest.raises(DamagedError, match="malformed"):
        open_journal(str(file))
    file.write_bytes(octets[:100])
    with pytest.raises(JournalError):
        open_journal(str(file))


def test_pages_that_are_lost_while_it_is_open(tmp_path: Path) -> None:
    file = tmp_path / "journal.db"
    with open_journal(str(file)) as journal:
        usual_evening(journal)
        with closing(sqlite3.connect(file)) as connection:
            connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        with file.open("r+b") as opened:
            opened.seek(4 * 4096)
            opened.write(b"\xff" * (file.stat().st_size - 4 * 4096))
        assert any(one.what.startswith("file:") for one in check_journal(journal))


def test_a_table_of_another_shape_is_held_to_its_hashes(filled: Journal, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("trueodds.journal.header.schema_digest", lambda: "0" * 64)
    found = check_journal(filled)
    assert {one.table_id for one in found} == {"t1", "t2", "t3"}
    assert all("another shape of events; only its hashes can be checked" in one.what for one in found)
