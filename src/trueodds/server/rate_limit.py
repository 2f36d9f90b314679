"""How often somebody may ask: buckets that fill again with time."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from threading import Lock
from typing import Final

from trueodds.server.settings import Rate

_REMEMBERED: Final = 20_000


class Buckets:
    """One bucket for each client; the clients that came least lately are forgotten first.

    >>> buckets = Buckets(Rate(2, 1), lambda: 0)
    >>> [buckets.wait_ms("ann") for _ in range(3)]
    [0, 0, 1000]
    """

    def __init__(self, rate: Rate, clock: Callable[[], int]) -> None:
        self._rate = rate
        self._clock = clock
        self._lock = Lock()
        self._levels: OrderedDict[str, tuple[float, int]] = OrderedDict()

    def wait_ms(self, client: str) -> int:
        """Take one; 0 when it may be, or how many milliseconds are missing."""
        now = self._clock()
        with self._lock:
            level, at = self._levels.pop(client, (float(self._rate.burst), now))
            level = min(self._rate.burst, level + max(0, now - at) * self._rate.per_second / 1000)
            granted = level >= 1
            self._levels[client] = (level - 1 if granted else level, now)
            if len(self._levels) > _REMEMBERED:
                self._levels.popitem(last=False)
        return 0 if granted else max(1, int((1 - level) * 1000 / self._rate.per_second))
