"""Owners of leases, and whether their process has ended."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from trueodds.fair import ServerKey
from trueodds.journal import open_journal
from trueodds.rulebook import House
from trueodds.service import process_identity
from trueodds.service.process_identity import ProcessIdentity, is_gone
from trueodds.service.table_manager import TableManager

PRINT_IDENTITY = """
import sys
from trueodds.service.process_identity import ProcessIdentity
print(ProcessIdentity.current(), flush=True)
sys.stdin.read()
"""


def test_a_killed_process_is_gone() -> None:
    process = subprocess.Popen(
        [sys.executable, "-c", PRINT_IDENTITY], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    owner = process.stdout.readline().strip()
    assert not is_gone(owner)
    process.kill()
    process.wait()
    process.communicate()
    assert is_gone(owner)


def test_a_process_that_has_the_id_of_an_earlier_one_is_another_process() -> None:
    here = ProcessIdentity.current()
    assert not is_gone(str(here))
    assert is_gone(str(here._replace(started="1")))


@pytest.mark.parametrize("owner", ["", "another", "a/b/c/d", "host/0/1/2", "/1/1/2"])
def test_nothing_is_known_about_processes_elsewhere(owner: str) -> None:
    assert not is_gone(owner)


def test_a_system_that_does_not_say_knows_nothing(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(process_identity, "PROC", tmp_path)
    here = ProcessIdentity.current()
    assert (here.namespace, here.started) == ("", "")
    assert not is_gone(str(here._replace(pid=1)))


def test_a_process_that_the_system_hides_is_not_gone(monkeypatch: pytest.MonkeyPatch) -> None:
    """Some systems hide the processes of other users."""
    here = ProcessIdentity.current()
    monkeypatch.setattr(process_identity, "_stat_fields", lambda _: [])
    assert not is_gone(str(here))


def test_owners_in_one_process_are_different() -> None:
    assert ProcessIdentity.parse(str(ProcessIdentity.current())) != ProcessIdentity.current()


def test_the_tables_of_a_killed_process_open_at_once(tmp_path: Path) -> None:
    """The lease has not expired, and the clock of the journal does not move."""
    gone = ProcessIdentity.current()._replace(started="1")
    with open_journal(f"sqlite:///{tmp_path / 'journal.db'}", clock=lambda: 1000) as journal:
        first = TableManager(journal, ServerKey(bytes(32)), lambda: 1000)
        table = first.create_table(House("new_jersey"), "t1").result()
        first.close()
        journal.acquire_lease(table, str(gone), 10)
        second = TableManager(journal, ServerKey(bytes(32)), lambda: 1000)
        try:
            assert second.live_table(table).result().state.header.table_id == table
        finally:
            second.close()
