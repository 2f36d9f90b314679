"""Table managers for tests, with clocks that tests control."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from trueodds.fair import ServerKey
from trueodds.journal import Journal
from trueodds.service.pace import Pace
from trueodds.service.table_manager import TableManager

KEY = ServerKey(bytes(range(32)))
QUICK = Pace(
    min_roll_interval_ms=0,
    betting_window_ms=0,
    seed_timeout_ms=100,
    shooter_timeout_ms=600_000,
    offer_timeout_ms=600_000,
)

BRISK = Pace(
    min_roll_interval_ms=0, betting_window_ms=20, seed_timeout_ms=100, shooter_timeout_ms=600, offer_timeout_ms=300
)


class Clock:
    """A clock that advances by a millisecond at each reading."""

    def __init__(self) -> None:
        self.now_ms = 1_700_000_000_000

    def __call__(self) -> int:
        self.now_ms += 1
        return self.now_ms


class RealClock:
    """The real time plus an offset."""

    def __init__(self) -> None:
        self.ahead_ms = 0

    def __call__(self) -> int:
        return time.time_ns() // 1_000_000 + self.ahead_ms


@pytest.fixture
def open_manager(journal: Journal) -> Iterator[Callable[..., TableManager]]:
    managers: list[TableManager] = []
    clock = Clock()

    def make(pace: Pace = QUICK, owner: str = "", clock: Callable[[], int] = clock) -> TableManager:
        managers.append(TableManager(journal, KEY, clock, pace=pace, owner=owner))
        return managers[-1]

    yield make
    for manager in managers:
        manager.close()


def submit(manager: TableManager, table: str, player: str, command_id: str, **data: Any) -> dict[str, Any]:
    return manager.submit(table, player, command_id, data).result(20)


def rolls(journal: Journal, table: str) -> int:
    return len(journal.events_of_kind(table, "rolled"))


def until(is_so: Callable[[], bool]) -> None:
    """Wait for something that the manager does by itself."""
    end = time.monotonic() + 60
    while not is_so():
        assert time.monotonic() < end
        time.sleep(0.005)
