"""Leases: one writer at a time."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from support.journal_session import table_header
from trueodds.journal import (
    AppendRequest,
    Journal,
    LeaseHeldError,
    StaleEpochError,
    bought_in,
    check_journal,
    open_journal,
)


class Clock:
    """A manual clock, in milliseconds."""

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
        journal.create_table(table_header())
        yield journal


def test_a_free_or_expired_lease_can_be_acquired(timed: Journal, clock: Clock) -> None:
    assert timed.acquire_lease("t1", "a", 10) == 1
    with pytest.raises(LeaseHeldError, match="a holds the lease on t1 for another 10000 ms"):
        timed.acquire_lease("t1", "b", 10)
    clock.now_ms = 9_999
    with pytest.raises(LeaseHeldError):
        timed.acquire_lease("t1", "b", 10)
    clock.now_ms = 10_000
    assert timed.acquire_lease("t1", "b", 10) == 2
    assert timed.read_lease("t1") == ("t1", "b", 2, 20_000)
    assert check_journal(timed) == ()


def test_a_lease_made_while_a_clock_was_ahead_is_over(timed: Journal, clock: Clock) -> None:
    """A server that was killed while its clock was two hours ahead must not lock its tables for two hours."""
    clock.now_ms = 7_200_000
    timed.acquire_lease("t1", "a", 10)
    clock.now_ms = 0
    assert timed.acquire_lease("t1", "b", 10) == 2


def test_a_lease_that_is_longer_than_that_of_the_next_owner_holds(timed: Journal) -> None:
    timed.acquire_lease("t1", "a", 60)
    with pytest.raises(LeaseHeldError):
        timed.acquire_lease("t1", "b", 10)
    with pytest.raises(ValueError, match="at most 60 seconds, got 61"):
        timed.acquire_lease("t1", "a", 61)


def test_the_lease_of_an_owner_that_is_gone_is_over(timed: Journal) -> None:
    timed.acquire_lease("t1", "a", 10)
    with pytest.raises(LeaseHeldError):
        timed.acquire_lease("t1", "b", 10, lambda owner: owner != "a")
    assert timed.acquire_lease("t1", "b", 10, lambda owner: owner == "a") == 2


def test_a_writer_that_lost_its_lease_cannot_append(timed: Journal, clock: Clock) -> None:
    old = timed.acquire_lease("t1", "a", 10)
    timed.append([AppendRequest("t1", old, 0, 0, [bought_in("p1", 1)])])
    clock.now_ms = 20_000
    # Over, but nobody else's: the epoch decides, not the clock.
    timed.append([AppendRequest("t1", old, 1, 0, [bought_in("p1", 1)])])
    new = timed.acquire_lease("t1", "b", 10)
    with pytest.raises(StaleEpochError):
        timed.append([AppendRequest("t1", old, 2, 0, [bought_in("p1", 1)])])
    with pytest.raises(LeaseHeldError):
        timed.renew_lease("t1", old, 10)
    timed.append([AppendRequest("t1", new, 2, 0, [bought_in("p1", 1)])])
    assert timed.load_state("t1").racks_cents == {"p1": 3}


def test_a_lease_is_renewed(timed: Journal, clock: Clock) -> None:
    epoch = timed.acquire_lease("t1", "a", 10)
    clock.now_ms = 12_000
    timed.renew_lease("t1", epoch, 10)
    clock.now_ms = 21_000
    with pytest.raises(LeaseHeldError):
        timed.acquire_lease("t1", "b", 10)
    timed.append([AppendRequest("t1", epoch, 0, 0, [bought_in("p1", 1)])])


def test_a_lease_is_released(timed: Journal) -> None:
    epoch = timed.acquire_lease("t1", "a", 10)
    timed.release_lease("t1", epoch)
    timed.release_lease("t1", epoch)
    with pytest.raises(StaleEpochError):
        timed.append([AppendRequest("t1", epoch, 0, 0, [bought_in("p1", 1)])])
    with pytest.raises(LeaseHeldError):
        timed.renew_lease("t1", epoch, 10)
    after = timed.acquire_lease("t1", "b", 10)
    assert after > epoch
    timed.release_lease("t1", epoch)
    assert timed.read_lease("t1").owner == "b"
    assert check_journal(timed) == ()


def test_the_clock_of_the_database(journal: Journal) -> None:
    journal.create_table(table_header())
    epoch = journal.acquire_lease("t1", "a", 60)
    with pytest.raises(LeaseHeldError):
        journal.acquire_lease("t1", "b", 60)
    assert journal.acquire_lease("t1", "a", -1) == epoch + 1
    assert journal.acquire_lease("t1", "b", 60) == epoch + 2
