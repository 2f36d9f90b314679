"""Notifications: every process learns of new events on PostgreSQL; there are none on SQLite."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator

import pytest

from support.journal_session import JournalSession
from trueodds.journal import (
    DatabaseUnavailableError,
    Journal,
    NotificationListener,
    TableNotification,
    bought_in,
    open_journal,
)


def test_listeners_are_notified_of_a_commit(url: str) -> None:
    with open_journal(url) as writer, open_journal(url) as reader, reader.listen() as listener:
        first, second = JournalSession(writer, "t1"), JournalSession(writer, "t2")
        first.join("p1", 500)
        writer.append([first.request(bought_in("p1", 1)), second.request(bought_in("p1", 1))])
        expected = (
            [TableNotification("t1", 2), TableNotification("t1", 3), TableNotification("t2", 1)]
            if url.startswith("postgresql")
            else []
        )
        heard: list[TableNotification] = []
        until = time.monotonic() + 20
        while len(heard) < len(expected) and time.monotonic() < until:
            heard += listener.wait(1)
        assert heard == expected
        assert list(listener.wait(0.05)) == []


def test_a_rollback_is_not_notified(url: str) -> None:
    with open_journal(url) as journal, journal.listen() as listener:
        session = JournalSession(journal)
        with pytest.raises(Exception, match="at event 1"):
            journal.append([session.request(bought_in("p1", 1)), session.request(bought_in("p1", 1))])
        assert list(listener.wait(0.2)) == []


def test_a_listener_iterates_until_it_is_closed(url: str) -> None:
    with open_journal(url) as journal, journal.listen() as listener:
        session = JournalSession(journal)
        timer = threading.Timer(0.1, lambda: session.join("p1", 500))
        timer.start()
        heard = []
        for news in listener:
            heard.append(news)
            listener.close()
        timer.join()
        assert heard == ([TableNotification("t1", 2)] if url.startswith("postgresql") else [])


def test_a_listener_of_an_unreachable_database(tmp_path: object) -> None:
    with pytest.raises(DatabaseUnavailableError):
        open_journal(f"postgresql://nobody@/nothing?host={tmp_path}")
    with pytest.raises(DatabaseUnavailableError):
        open_journal(f"sqlite:///{tmp_path}/no/such/folder/journal.db")


@pytest.fixture
def listener(journal: Journal) -> Iterator[NotificationListener]:
    with journal.listen() as listening:
        yield listening


def test_no_notification_without_a_commit(listener: NotificationListener) -> None:
    assert list(listener.wait(0.05)) == []
