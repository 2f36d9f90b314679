"""Several processes that share a database, and one that is killed: nothing is lost."""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path
from random import Random

from support import append_process
from support.append_process import TABLES
from support.journal_session import JournalSession, table_header
from trueodds.journal import Journal, bought_in, check_journal, open_journal

SCRIPT = Path(append_process.__file__)


def run(*words: str | int) -> subprocess.Popen[str]:
    return subprocess.Popen([sys.executable, str(SCRIPT), *map(str, words)], stdout=subprocess.PIPE, text=True)


def wait(*processes: subprocess.Popen[str]) -> list[int]:
    for one in processes:
        one.communicate(timeout=60)
    return [one.returncode for one in processes]


def test_480_of_480_read_then_write_transactions_of_two_processes_count(journal: Journal, url: str) -> None:
    """With the default transactions of the SQLite driver most of them are lost silently."""
    person = journal.people.create("counter", 0)
    assert wait(run("count", url, 240), run("count", url, 240)) == [0, 0]
    found = journal.people.find(person.person_id)
    assert found is not None
    assert found.created_ms == 480


def test_480_of_480_appends_of_two_processes_count(journal: Journal, url: str) -> None:
    session = JournalSession(journal)
    assert wait(run("add", url, session.epoch, 240), run("add", url, session.epoch, 240)) == [0, 0]
    state = journal.load_state("t1")
    assert state.sequence == 480
    assert state.balances == {"rack:p1": 480, "cashier": -480}
    assert check_journal(journal) == ()


def test_acknowledged_batches_survive_a_kill(journal: Journal, url: str) -> None:
    """Two processes are killed at random; no batch is half written."""
    random = Random(time.time_ns())
    for table in TABLES:
        journal.create_table(table_header(table))
    acknowledged = 0
    for _ in range(2):
        doomed = run("forever", url, acknowledged + 1)
        assert doomed.stdout is not None
        for _ in range(10):
            acknowledged = int(doomed.stdout.readline())
        time.sleep(random.random() / 20)
        doomed.kill()
        rest = doomed.stdout.read().split()
        doomed.stdout.close()
        doomed.wait(30)
        acknowledged = int(rest[-1]) if rest else acknowledged
        with open_journal(url) as reopened:
            assert check_journal(reopened) == ()
            states = [reopened.load_state(table) for table in TABLES]
            assert states[0].balances == states[1].balances
            done = states[0].racks_cents["p1"]
            assert done in {acknowledged, acknowledged + 1}
            for table in TABLES:
                answers = [reopened.find_reply(table, "p1", str(number)) for number in range(1, done + 1)]
                assert [one.reply if one else None for one in answers] == list(range(1, done + 1))
        acknowledged = done


def test_processes_may_open_a_new_database_at_once(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'new.db'}"
    started = [run("count", url, 0) for _ in range(2)]
    assert wait(*started) == [0, 0]
    with open_journal(url) as journal:
        assert check_journal(journal) == ()


def test_readers_do_not_wait_for_the_writer(journal: Journal) -> None:
    session = JournalSession(journal)
    session.append(bought_in("p1", 5))
    with journal.database.write_transaction():
        # A reader that waited for this transaction would fail: it only ends after the read.
        assert journal.load_state("t1").racks_cents == {"p1": 5}
