"""Leases: one writer at a time, and an old one finds out."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from evening import header
from trueodds.journal import Append, Journal, LeaseHeldError, StaleEpochError, bought_in, check_journal, open_journal


class Clock:
    """Milliseconds that pass when the test says so."""

    def __init__(self) -> None:
        self.now_ms = 0

    def __call__(self) -> int:
        return self.now_ms


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def timed(url: str, clock: Clock) -> Iterator[Journal]:
    with open_journal(url, clock=clock) as journal:
        journal.create_table(header())
        yield journal


def test_a_lease_is_taken_when_it_is_free_or_over(timed: Journal, clock: Clock) -> None:
    assert timed.lease("t1", "a", 10) == 1
    with pytest.raises(LeaseHeldError, match="a holds the lease on t1 for 10000 ms more"):
        timed.lease("t1", "b", 10)
    clock.now_ms = 9_999
    with pytest.raises(LeaseHeldError):
        timed.lease("t1", "b", 10)
    clock.now_ms = 10_000
    assert timed.lease("t1", "b", 10) == 2
    assert timed.lease_of("t1") == ("t1", "b", 2, 20_000)
    assert check_journal(timed) == ()


def test_whoever_lost_a_lease_cannot_write(timed: Journal, clock: Clock) -> None:
    old = timed.lease("t1", "a", 10)
    timed.append([Append("t1", old, 0, 0, [bought_in("p1", 1)])])
    clock.now_ms = 20_000
    # Over, but nobody else's: the epoch decides, not the clock.
    timed.append([Append("t1", old, 1, 0, [bought_in("p1", 1)])])
    new = timed.lease("t1", "b", 10)
    with pytest.raises(StaleEpochError):
        timed.append([Append("t1", old, 2, 0, [bought_in("p1", 1)])])
    with pytest.raises(LeaseHeldError):
        timed.renew("t1", old, 10)
    timed.append([Append("t1", new, 2, 0, [bought_in("p1", 1)])])
    assert timed.load("t1").racks == {"p1": 3}


def test_a_lease_is_renewed(timed: Journal, clock: Clock) -> None:
    epoch = timed.lease("t1", "a", 10)
    clock.now_ms = 12_000
    timed.renew("t1", epoch, 10)
    clock.now_ms = 21_000
    with pytest.raises(LeaseHeldError):
        timed.lease("t1", "b", 10)
    timed.append([Append("t1", epoch, 0, 0, [bought_in("p1", 1)])])


def test_a_lease_is_given_up(timed: Journal) -> None:
    epoch = timed.lease("t1", "a", 10)
    timed.release("t1", epoch)
    timed.release("t1", epoch)
    with pytest.raises(StaleEpochError):
        timed.append([Append("t1", epoch, 0, 0, [bought_in("p1", 1)])])
    with pytest.raises(LeaseHeldError):
        timed.renew("t1", epoch, 10)
    after = timed.lease("t1", "b", 10)
    assert after > epoch
    timed.release("t1", epoch)
    assert timed.lease_of("t1").owner == "b"
    assert check_journal(timed) == ()


def test_the_clock_of_the_database_will_do(journal: Journal) -> None:
    journal.create_table(header())
    epoch = journal.lease("t1", "a", 60)
    with pytest.raises(LeaseHeldError):
        journal.lease("t1", "b", 60)
    assert journal.lease("t1", "a", -1) == epoch + 1
    assert journal.lease("t1", "b", 60) == epoch + 2
