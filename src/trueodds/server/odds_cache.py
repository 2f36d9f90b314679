"""A cache of exact odds, computed in one background thread."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Final, Generic, TypeVar

from trueodds.rulebook import House, Spot
from trueodds.server.errors import ApiError

T = TypeVar("T")
MAX_CACHED: Final = 1024
MAX_PENDING: Final = 64
"""How many computations may be queued. Further requests are refused."""
TIMEOUT_S: Final = 20.0


class OddsCache(Generic[T]):
    """Results by house and spot. Use it on the event loop only.

    A request that is cancelled does not cancel the computation, since others may wait for the same result.
    """

    def __init__(
        self, compute: Callable[[House, Spot], T], max_cached: int = MAX_CACHED, max_pending: int = MAX_PENDING
    ) -> None:
        self._compute = compute
        self._max_cached = max_cached
        self._max_pending = max_pending
        self._worker = ThreadPoolExecutor(1, "odds")
        self._cached: OrderedDict[tuple[str, Spot], Future[T]] = OrderedDict()

    def close(self) -> None:
        """Cancel queued computations. A running one is not waited for."""
        self._worker.shutdown(wait=False, cancel_futures=True)

    async def get(self, house: House, spot: Spot) -> T:
        """Return the result for a spot under a house.

        Raise what the computation raised, or a 503 error if it takes too long.
        """
        future = asyncio.wrap_future(self._future(house, spot))
        future.add_done_callback(_retrieve_exception)
        done, _ = await asyncio.wait([future], timeout=TIMEOUT_S)
        if not done:
            raise _busy()
        return future.result()

    def _future(self, house: House, spot: Spot) -> Future[T]:
        key = (house.digest, spot)
        future = self._cached.pop(key, None)
        if future is None or (future.done() and future.exception() is not None):
            if sum(not other.done() for other in self._cached.values()) >= self._max_pending:
                raise _busy()
            future = self._worker.submit(self._compute, house, spot)
        self._cached[key] = future
        if len(self._cached) > self._max_cached:
            self._cached.popitem(last=False)
        return future


def _retrieve_exception(future: asyncio.Future[T]) -> None:
    """Retrieve the exception so that asyncio does not log it when the request was cancelled."""
    if not future.cancelled():
        future.exception()


def _busy() -> ApiError:
    return ApiError(503, "unavailable", "Too many odds are being computed: try again", retry_after_ms=1000)
