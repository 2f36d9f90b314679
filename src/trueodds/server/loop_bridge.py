"""A relay: what other threads have to say to the event loop, brought there together and in order."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from typing import Any, Final
from weakref import WeakKeyDictionary, ref


class Relay:
    """Runs calls of any thread on one event loop. The loop is woken once, however many calls wait for it."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        # Held weakly: a relay is found by its loop, and would keep it for ever.
        self._loop = ref(loop)
        self._calls: deque[tuple[Callable[..., None], tuple[Any, ...]]] = deque()
        self._is_awaited = False

    def call(self, work: Callable[..., None], *given: Any) -> None:
        """Have something done on the loop; never waits, not even for a loop that is gone."""
        self._calls.append((work, given))
        if not self._is_awaited:
            self._is_awaited = True
            loop = self._loop()
            if loop is not None:
                with suppress(RuntimeError):
                    loop.call_soon_threadsafe(self._run)

    def _run(self) -> None:
        # First of all: whoever comes from now on wakes the loop again, and whoever came before is among these.
        self._is_awaited = False
        for _ in range(len(self._calls)):
            work, given = self._calls.popleft()
            try:
                work(*given)
            except Exception as error:
                loop = asyncio.get_running_loop()
                loop.call_exception_handler({"message": "a call of another thread failed", "exception": error})


_RELAYS: Final[WeakKeyDictionary[asyncio.AbstractEventLoop, Relay]] = WeakKeyDictionary()


def relay_here() -> Relay:
    """Give the relay of the loop that runs here."""
    loop = asyncio.get_running_loop()
    relay = _RELAYS.get(loop)
    if relay is None:
        relay = _RELAYS[loop] = Relay(loop)
    return relay
