"""A feed: what waits to be sent to one client. It is bounded, and nobody waits for a client that falls behind."""

from __future__ import annotations

import asyncio
from collections import deque

from trueodds.journal import Row

Frame = dict[str, object]


class Feed:
    """Rows and frames in order. Everything here happens on the event loop."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._waiting: deque[Row | Frame] = deque()
        self._some = asyncio.Event()
        self.over = asyncio.Event()
        self.why = ""

    def put(self, items: tuple[Row, ...] | tuple[Frame, ...]) -> None:
        """Add what is to be sent; ends the feed when too much waits."""
        if self.over.is_set():
            return
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
        self.why = self.why or why
        self._waiting.clear()
        self.over.set()

    async def take(self) -> list[Row | Frame]:
        """Wait for something to send, and take all of it."""
        while not self._waiting:
            self._some.clear()
            await self._some.wait()
        taken = list(self._waiting)
        self._waiting.clear()
        return taken
