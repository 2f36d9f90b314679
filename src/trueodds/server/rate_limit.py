"""Rate limits with token buckets."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from threading import Lock
from typing import Final

from trueodds.server.settings import Rate

_MAX_CLIENTS: Final = 20_000


class RateLimiter:
    """One token bucket per client. The least recently used clients are dropped first.

    >>> limiter = RateLimiter(Rate(2, 1), lambda: 0)
    >>> [limiter.take("ann") for _ in range(3)]
    [0, 0, 1000]
    """

    def __init__(self, rate: Rate, clock: Callable[[], int]) -> None:
        self._rate = rate
        self._clock = clock
        self._lock = Lock()
        self._buckets: OrderedDict[str, tuple[float, int]] = OrderedDict()

    def take(self, client: str) -> int:
        """Take a token. Return 0, or how many milliseconds to wait for one."""
        now = self._clock()
        with self._lock:
            tokens, updated = self._buckets.pop(client, (float(self._rate.burst), now))
            tokens = min(self._rate.burst, tokens + max(0, now - updated) * self._rate.per_second / 1000)
            is_allowed = tokens >= 1
            self._buckets[client] = (tokens - 1 if is_allowed else tokens, now)
            if len(self._buckets) > _MAX_CLIENTS:
                self._buckets.popitem(last=False)
        return 0 if is_allowed else max(1, int((1 - tokens) * 1000 / self._rate.per_second))
