"""A feed: what waits to be sent to one client. It is bounded, and nobody waits for a client that falls behind."""

from __future__ import annotations

import asyncio
from collections import deque

from trueodds.journal import Row
from trueodds.server.wire import Frame


class Feed:
    """Rows and frames in order. Everything here happens on the event loop.

    `is_idle` says that everything was sent and whoever takes from here waits: what comes now may as well go past.
    """

    def __init__(self, most: int) -> None:
        self._most = most
        self._waiting: deque[Row | Frame] = deque()
        self._some = asyncio.Event()
        self.over = asyncio.Event()
        self.why = ""
        self.is_idle = False

    def put(self, items: tuple[Row, ...] | tuple[Frame, ...]) -> None:
        """Add what is to be sent; ends the feed when too much waits."""
        if self.over.is_set():
            return
        self.is_idle = False
        self._waiting.extend(items)
        self._some.set()
        if len(self._waiting) > self._most:
            self.end("slow")

    @property
    def waits(self) -> bool:
        """Whether something is to be sent."""
        return bool(self._waiting)

    def end(self, why: str) -> None:
        """Give up: the client is to be dropped."""
        self.is_idle = False
        self.why = self.why or why
        self._waiting.clear()
        self.over.set()

    async def take(self) -> list[Row | Frame]:
        """Wait for something to send, and take all of it."""
        while not self._waiting:
            self._some.clear()
            self.is_idle = not self.over.is_set()
            await self._some.wait()
        taken = list(self._waiting)
        self._waiting.clear()
        return taken
