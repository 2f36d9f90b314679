"""`trueodds journal`, run in this process: check, export, backup and restore."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from support.journal_session import play_sample_session
from support.tampering import TamperingConnection
from trueodds.cli.app import app
from trueodds.journal import open_journal


def run(*words: str | Path, **variables: str) -> Result:
    return CliRunner().invoke(app, ["journal", *map(str, words)], env={"COLUMNS": "200", "NO_COLOR": "1", **variables})


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "evening.db"
    with open_journal(str(path)) as journal:
        play_sample_session(journal)
    return path


def test_check_without_problems(file: Path) -> None:
    done = run("check", "--database-url", f"sqlite:///{file}")
    assert (done.exit_code, done.output) == (0, "Checked 1 table: no problems found.\n")
    assert run("check", TRUEODDS_DATABASE_URL=str(file)).exit_code == 0
    assert json.loads(run("check", "--json", "--database-url", file).output) == []


def test_check_names_what_was_altered(file: Path) -> None:
    with open_journal(str(file)) as journal, TamperingConnection(journal) as tamper:
        tamper.run("UPDATE events SET at_ms = at_ms + 1 WHERE sequence = 7")
    done = run("check", "--database-url", file)
    assert done.exit_code == 1
    assert done.output.startswith("table t1, event 7: events: this ")
    (found,) = json.loads(run("check", "--json", "--database-url", file).output)
    assert (found["table_id"], found["sequence"]) == ("t1", 7)


def test_check_of_a_damaged_file(file: Path) -> None:
    octets = bytearray(file.read_bytes())
    octets[8192:] = b"\xff" * (len(octets) - 8192)
    file.write_bytes(octets)
    done = run("check", "--database-url", file)
    assert done.exit_code == 1
    assert "database: corrupt_database: " in done.output


def test_check_of_another_edition_changes_nothing(file: Path) -> None:
    with open_journal(str(file)) as journal, TamperingConnection(journal) as tamper:
        tamper.run("UPDATE alembic_version SET version_num = '9999'")
    done = run("check", "--database-url", file)
    assert done.exit_code == 1
    assert done.output.startswith("database: schema_version: database version must be 0001, got 9999")
    assert run("export", "--database-url", file).exit_code == 2


def test_what_is_not_there_is_said_in_a_line(tmp_path: Path) -> None:
    for words in (("check",), ("export",), ("backup", tmp_path / "b")):
        done = run(*words, "--database-url", tmp_path / "nothing.db")
        assert done.exit_code == 2
        assert "there is no journal at" in done.output
    assert not (tmp_path / "nothing.db").exists()
    assert run("restore", tmp_path / "nothing", "--database-url", tmp_path / "new.db").exit_code == 2


@pytest.mark.parametrize("content", ["hands", "statements"])
def test_export(file: Path, content: str) -> None:
    words = ("export", "--database-url", file, "--content", content, "--table", "t1", "--player", "p1", "--format")
    rows = list(csv.DictReader(io.StringIO(run(*words, "csv").output)))
    exported = json.loads(run(*words, "json").output)
    assert len(rows) == len(exported) > 5
    assert [{key: str(value) for key, value in row.items()} for row in exported] == rows
    assert {row["player"] for row in exported} <= {"p1", ""}
    assert any(row["clause"] and row["sentence"] for row in exported)


def test_export_of_nothing(tmp_path: Path) -> None:
    open_journal(str(tmp_path / "empty.db")).close()
    words = ("export", "--database-url", tmp_path / "empty.db", "--format")
    assert json.loads(run(*words, "json").output) == []
    assert run(*words, "csv").output.startswith("table_id,hand,")
    assert run(*words, "json", "--table", "t9").exit_code == 2


@pytest.mark.parametrize("name", ["copy.db", "lines.jsonl"])
def test_backup_and_restore(file: Path, tmp_path: Path, name: str) -> None:
    assert run("backup", tmp_path / name, "--database-url", file).exit_code == 0
    again = run("backup", tmp_path / name, "--database-url", file)
    assert again.exit_code == 2
    assert "already exists" in again.output
    done = run("restore", tmp_path / name, "--database-url", tmp_path / "new.db")
    assert done.exit_code == 0
    assert done.output.endswith("No problems found.\n")
    hands = run("export", "--database-url", tmp_path / "new.db").output
    assert hands == run("export", "--database-url", file).output


def test_restore_says_what_is_wrong_with_what_was_backed_up(file: Path, tmp_path: Path) -> None:
    with open_journal(str(file)) as journal, TamperingConnection(journal) as tamper:
        tamper.run("UPDATE balances SET cents = cents + 1 WHERE account = 'house'")
    run("backup", tmp_path / "b.jsonl", "--database-url", file)
    done = run("restore", tmp_path / "b.jsonl", "--database-url", tmp_path / "new.db")
    assert done.exit_code == 1
    assert "balances: house is" in done.output
