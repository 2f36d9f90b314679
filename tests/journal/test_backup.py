"""Backups of either database, restored into either database."""

from __future__ import annotations

import json
import stat
import threading
from pathlib import Path

import pytest

from support.journal_session import JournalSession, play_sample_session
from support.postgres import Postgres
from trueodds.journal import (
    BackupError,
    Journal,
    StaleEpochError,
    bought_in,
    check_journal,
    open_journal,
    restore_backup,
    write_backup,
)
from trueodds.journal.schema import VERSION


@pytest.fixture(scope="module")
def second(postgres: Postgres) -> str:
    url = postgres.new_database()
    open_journal(url).close()
    return url


@pytest.fixture(params=["sqlite", "postgresql"])
def target(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    if request.param == "sqlite":
        return str(tmp_path / "restored.db")
    server: Postgres = request.getfixturevalue("postgres")
    return server.empty(request.getfixturevalue("second"))


@pytest.fixture
def session(journal: Journal) -> JournalSession:
    person = journal.people.create("Ann \u2660", 5, kind="registered", password_hash="secret")
    journal.people.change_self_limits(person.person_id, lambda _: {"loss_cents": 1})
    journal.people.delete(journal.people.create("Bob", 5).person_id, 6)
    return play_sample_session(journal)


@pytest.mark.parametrize("name", ["copy.db", "lines.jsonl"])
def test_a_backup_is_restored_into_either_database(
    journal: Journal, session: JournalSession, target: str, tmp_path: Path, name: str
) -> None:
    file = tmp_path / name
    write_backup(journal, file)
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert sorted(path.name for path in tmp_path.iterdir() if "part" in path.name) == []
    done = restore_backup(file, target)
    assert done.problems == ()
    assert done.row_count > 50
    with open_journal(target) as restored:
        assert restored.load_state("t1") == journal.load_state("t1")
        assert restored.events("t1") == journal.events("t1")
        assert restored.find_reply("t1", "p1", "7-3") == journal.find_reply("t1", "p1", "7-3")
        assert restored.people.find_by_name("ANN \u2660") == journal.people.find_by_name("ann \u2660")
        assert check_journal(restored) == ()
        # Whoever wrote before cannot write to what was restored.
        assert restored.read_lease("t1").owner is None
        with pytest.raises(StaleEpochError):
            restored.append([session.request(bought_in("p1", 1))])
        again = JournalSession(restored, owner="another")
        assert again.epoch > session.epoch
        again.append(bought_in("p1", 1))
        assert check_journal(restored) == ()


def test_a_backup_is_a_snapshot_of_a_running_journal(journal: Journal, tmp_path: Path) -> None:
    session = play_sample_session(journal, actions=5)
    stop = threading.Event()

    def write() -> None:
        while not stop.is_set():
            session.append(bought_in("p1", 1))

    writer = threading.Thread(target=write)
    writer.start()
    try:
        for name in ("copy.db", "lines.jsonl"):
            write_backup(journal, tmp_path / name)
            assert restore_backup(tmp_path / name, str(tmp_path / f"{name}.restored")).problems == ()
    finally:
        stop.set()
        writer.join()
    assert check_journal(journal) == ()


def test_a_backup_is_not_written_over_a_file(journal: Journal, tmp_path: Path) -> None:
    (tmp_path / "b.jsonl").write_text("mine")
    with pytest.raises(BackupError, match="already exists"):
        write_backup(journal, tmp_path / "b.jsonl")
    assert (tmp_path / "b.jsonl").read_text() == "mine"
    with pytest.raises(BackupError, match="cannot write"):
        write_backup(journal, tmp_path / "no" / "b.jsonl")


@pytest.mark.usefixtures("session")
def test_a_backup_is_restored_into_an_empty_database_only(journal: Journal, tmp_path: Path) -> None:
    write_backup(journal, tmp_path / "b.jsonl")
    before = journal.load_state("t1")
    with pytest.raises(BackupError, match="must be empty"):
        restore_backup(tmp_path / "b.jsonl", str(journal.database.url.render_as_string(hide_password=False)))
    assert journal.load_state("t1") == before


def _lines(tmp_path: Path, change: str) -> Path:
    with open_journal(str(tmp_path / "from.db")) as journal:
        play_sample_session(journal, actions=5)
        file = tmp_path / "b.jsonl"
        write_backup(journal, file)
    lines = file.read_text().splitlines(keepends=True)
    match change:
        case "cut":
            lines = lines[:-3]
        case "missing line":
            del lines[4]
        case "altered":
            lines[5] = lines[5].replace("p1", "p9").replace("anchor", "anchxr").replace("t1", "t1 ")
        case "no JSON":
            lines[3] = "{\n"
        case "more":
            lines.append("[1]\n")
        case "no backup":
            lines = ["{}\n"]
        case "other version":
            lines[0] = lines[0].replace(VERSION, "9999")
        case "strange":
            lines[3] = json.dumps(["hats", 1]) + "\n"
        case "short":
            lines[1] = json.dumps(["tables", "t1"]) + "\n"
        case "no number":
            lines[2] = json.dumps(["table_states", "t1", "many", "0", "0"]) + "\n"
        case _:
            lines = [json.dumps(["tables", "t1"])]
    file.write_text("".join(lines))
    return file


@pytest.mark.parametrize(
    "change",
    ["cut", "missing line", "altered", "no JSON", "more", "no backup", "other version", "strange", "short",
     "no number", "first"],
)  # fmt: skip
def test_an_incomplete_backup_is_refused(tmp_path: Path, target: str, change: str) -> None:
    file = _lines(tmp_path, change)
    with pytest.raises(BackupError):
        restore_backup(file, target)
    with open_journal(target) as restored:
        assert restored.headers() == ()


def test_a_file_that_is_not_a_backup_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BackupError, match="cannot read"):
        restore_backup(tmp_path / "nothing", str(tmp_path / "a.db"))
    (tmp_path / "broken").write_bytes(b"SQLite format 3\x00" + b"x" * 5000)
    with pytest.raises(BackupError, match="cannot read"):
        restore_backup(tmp_path / "broken", str(tmp_path / "a.db"))
