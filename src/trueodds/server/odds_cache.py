"""Cards with exact odds: worked out beside the loop, one after the other, each once, and kept within bounds."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Final, Generic, TypeVar

from trueodds.rulebook import House, Spot
from trueodds.server.errors import ApiError

T = TypeVar("T")
KEPT: Final = 1024
WAITING: Final = 64
"""How many cards may wait to be worked out before others are sent away."""
PATIENCE_S: Final = 20.0


class Cards(Generic[T]):
    """Cards of houses and spots. Asked on the loop alone; the work is done in one thread of its own.

    Somebody who goes away does not take the card from those who wait for the same.
    """

    def __init__(self, work: Callable[[House, Spot], T], kept: int = KEPT, waiting: int = WAITING) -> None:
        self._work = work
        self._most_kept = kept
        self._most_waiting = waiting
        self._worker = ThreadPoolExecutor(1, "cards")
        self._kept: OrderedDict[tuple[str, Spot], Future[T]] = OrderedDict()

    def close(self) -> None:
        """Work out nothing more; what is being worked out is not waited for here."""
        self._worker.shutdown(wait=False, cancel_futures=True)

    async def of(self, house: House, spot: Spot) -> T:
        """Give the card of a spot under a house; raises what the work raised, or `ApiError` where it takes too long."""
        promise = asyncio.wrap_future(self._promise(house, spot))
        promise.add_done_callback(_heard)
        done, _ = await asyncio.wait([promise], timeout=PATIENCE_S)
        if not done:
            raise _busy()
        return promise.result()

    def _promise(self, house: House, spot: Spot) -> Future[T]:
        key = (house.digest, spot)
        promise = self._kept.pop(key, None)
        if promise is None or (promise.done() and promise.exception() is not None):
            if sum(not one.done() for one in self._kept.values()) >= self._most_waiting:
                raise _busy()
            promise = self._worker.submit(self._work, house, spot)
        self._kept[key] = promise
        if len(self._kept) > self._most_kept:
            self._kept.popitem(last=False)
        return promise


def _heard(promise: asyncio.Future[T]) -> None:
    """Look at what went wrong, so that it is not logged as unseen where whoever asked has gone."""
    if not promise.cancelled():
        promise.exception()


def _busy() -> ApiError:
    return ApiError(503, "unavailable", "too much is being worked out just now", wait_ms=1000)
