"""Calls from other threads to an event loop, delivered in order and in batches."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable
from concurrent.futures import Future
from contextlib import suppress
from typing import Final, ParamSpec, TypeVar
from weakref import WeakKeyDictionary, ref

from trueodds.server.errors import ApiError

P = ParamSpec("P")
T = TypeVar("T")

RESULT_TIMEOUT_S: Final = 30.0
"""How long a request waits for the table manager."""


class LoopBridge:
    """Runs callbacks of other threads on one event loop. Many pending callbacks wake the loop only once."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        # A weak reference: bridges are found by their loop and would keep it alive.
        self._loop = ref(loop)
        self._calls: deque[Callable[[], None]] = deque()
        self._is_scheduled = False

    def call_soon(self, callback: Callable[P, None], *args: P.args, **kwargs: P.kwargs) -> None:
        """Run a callback on the loop. It never blocks, even if the loop is closed."""
        self._calls.append(lambda: callback(*args, **kwargs))
        if not self._is_scheduled:
            self._is_scheduled = True
            loop = self._loop()
            if loop is not None:
                with suppress(RuntimeError):
                    loop.call_soon_threadsafe(self._run)

    def _run(self) -> None:
        # Reset first: a call appended from now on wakes the loop again, and earlier ones are in the deque.
        self._is_scheduled = False
        for _ in range(len(self._calls)):
            call = self._calls.popleft()
            try:
                call()
            except Exception as error:
                loop = asyncio.get_running_loop()
                loop.call_exception_handler({"message": "A call from another thread failed", "exception": error})


_BRIDGES: Final[WeakKeyDictionary[asyncio.AbstractEventLoop, LoopBridge]] = WeakKeyDictionary()


def current_loop_bridge() -> LoopBridge:
    """Return the bridge of the running event loop."""
    loop = asyncio.get_running_loop()
    bridge = _BRIDGES.get(loop)
    if bridge is None:
        bridge = _BRIDGES[loop] = LoopBridge(loop)
    return bridge


async def wait_for_result(future: Future[T]) -> T:
    """Return the result of a future of another thread, or raise a 503 error after a timeout."""
    loop, bridge = asyncio.get_running_loop(), current_loop_bridge()
    result: asyncio.Future[T] = loop.create_future()
    future.add_done_callback(lambda done: bridge.call_soon(_copy_result, result, done))
    timeout = loop.call_later(RESULT_TIMEOUT_S, _time_out, result)
    try:
        return await result
    finally:
        timeout.cancel()


def _copy_result(result: asyncio.Future[T], done: Future[T]) -> None:
    if result.done():
        return
    error = done.exception()
    if error is None:
        result.set_result(done.result())
    else:
        result.set_exception(error)


def _time_out(result: asyncio.Future[T]) -> None:
    if not result.done():
        message = "The table manager did not answer in time"
        result.set_exception(ApiError(503, "unavailable", message, retry_after_ms=1000))
