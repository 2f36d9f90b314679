"""News: on PostgreSQL every process hears which table went on; on SQLite there is nobody to hear."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator

import pytest

from evening import Evening
from trueodds.journal import Journal, Listener, News, UnavailableError, bought_in, open_journal


def test_others_hear_of_a_commit(url: str) -> None:
    with open_journal(url) as writer, open_journal(url) as reader, reader.listen() as listener:
        first, second = Evening(writer, "t1"), Evening(writer, "t2")
        first.sit("p1", 500)
        writer.append([first.next(bought_in("p1", 1)), second.next(bought_in("p1", 1))])
        expected = [News("t1", 2), News("t1", 3), News("t2", 1)] if url.startswith("postgresql") else []
        heard: list[News] = []
        until = time.monotonic() + 20
        while len(heard) < len(expected) and time.monotonic() < until:
            heard += listener.wait(1)
        assert heard == expected
        assert list(listener.wait(0.05)) == []


def test_what_is_rolled_back_is_no_news(url: str) -> None:
    with open_journal(url) as journal, journal.listen() as listener:
        evening = Evening(journal)
        with pytest.raises(Exception, match="at row 1"):
            journal.append([evening.next(bought_in("p1", 1)), evening.next(bought_in("p1", 1))])
        assert list(listener.wait(0.2)) == []


def test_a_listener_goes_on_until_it_is_closed(url: str) -> None:
    with open_journal(url) as journal, journal.listen() as listener:
        evening = Evening(journal)
        timer = threading.Timer(0.1, lambda: evening.sit("p1", 500))
        timer.start()
        heard = []
        for news in listener:
            heard.append(news)
            listener.close()
        timer.join()
        assert heard == ([News("t1", 2)] if url.startswith("postgresql") else [])


def test_a_database_that_is_not_there(tmp_path: object) -> None:
    with pytest.raises(UnavailableError):
        open_journal(f"postgresql://nobody@/nothing?host={tmp_path}")
    with pytest.raises(UnavailableError):
        open_journal(f"sqlite:///{tmp_path}/no/such/folder/journal.db")


@pytest.fixture
def listener(journal: Journal) -> Iterator[Listener]:
    with journal.listen() as listening:
        yield listening


def test_nothing_comes_when_nothing_happens(listener: Listener) -> None:
    assert list(listener.wait(0.05)) == []
