"""A match on many machines: a Dask cluster plays portions of it, and whoever plays what, the score is the same.

A portion that is lost with its worker is played again by another: sessions have numbers, and the seed and the number
decide every roll.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from itertools import count
from threading import Lock
from time import perf_counter
from typing import Any, Final

import cloudpickle  # comes with Dask
import numpy as np
from distributed import as_completed

from trueodds.chain.match import CHUNK, FIRST_CHUNK, Match, Score
from trueodds.chain.player import Game

LASTS_S: Final = 0.5
"""How long a portion should keep a worker: handing one over costs about 2 ms."""

LARGEST: Final = 64 * CHUNK


def play_far(client: Any, games: list[Game], sessions: int) -> Iterator[Score]:
    """Have a cluster play portions, and give each as it is done; never more of them in flight than keep it busy."""
    order, portions, running = cloudpickle.dumps(games), _Portions(sessions), as_completed(loop=client.loop)
    waiting: set[Any] = set()

    def hand_out() -> None:
        wanted = 2 * max(1, sum(client.nthreads().values()))
        while len(waiting) < wanted and (portion := portions.next()):
            future = client.submit(_play, order, *portion, key=f"trueodds-{id(portions)}-{next(numbers)}", pure=False)
            waiting.add(future)
            running.add(future)

    numbers = count()
    hand_out()
    try:
        for future in running:
            score, seconds = future.result()
            waiting.discard(future)
            portions.took(score.sessions, seconds)
            hand_out()
            yield score
    finally:
        client.cancel(list(waiting))


class _Portions:
    """Sessions in portions that last about as long as they should."""

    def __init__(self, sessions: int) -> None:
        self._sessions, self._begin, self._size = sessions, 0, FIRST_CHUNK

    def next(self) -> tuple[int, int] | None:
        """Give the first session of the next portion and the first after it."""
        if self._begin >= self._sessions:
            return None
        begin, self._begin = self._begin, min(self._begin + self._size, self._sessions)
        return begin, self._begin

    def took(self, sessions: int, seconds: float) -> None:
        """Learn how long a portion took."""
        wanted = int(sessions * LASTS_S / max(seconds, 1e-6))
        self._size = max(1, min(wanted, 4 * self._size, LARGEST))


_building = Lock()


@lru_cache(maxsize=4)
def _match(order: bytes) -> Match:
    return Match(cloudpickle.loads(order))


def _play(order: bytes, begin: int, end: int) -> tuple[Score, float]:
    """Play a portion, on a worker."""
    with _building:
        match = _match(order)
    start = perf_counter()
    score: Score | None = None
    for first in range(begin, end, CHUNK):
        part = match.play(np.arange(first, min(first + CHUNK, end)))
        score = part if score is None else score + part
    if score is None:
        raise ValueError("a portion has sessions")
    return score, perf_counter() - start
