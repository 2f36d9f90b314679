"""The bounded queue of events and frames that wait to be sent to one client."""

from __future__ import annotations

import asyncio
from collections import deque

from trueodds.journal import StoredEvent
from trueodds.server.frames import Frame


class Outbox:
    """Events and frames in order. Use it on the event loop only.

    `is_idle` is true while everything was sent and the sender waits, so that new frames may be written directly.
    """

    def __init__(self, max_items: int) -> None:
        self._max_items = max_items
        self._items: deque[StoredEvent | Frame] = deque()
        self._has_items = asyncio.Event()
        self.closed = asyncio.Event()
        self.close_reason = ""
        self.is_idle = False

    def put(self, items: tuple[StoredEvent, ...] | tuple[Frame, ...]) -> None:
        """Add items. Close the outbox if it holds too many."""
        if self.closed.is_set():
            return
        self.is_idle = False
        self._items.extend(items)
        self._has_items.set()
        if len(self._items) > self._max_items:
            self.close("too_slow")

    @property
    def has_items(self) -> bool:
        """Whether items wait to be sent."""
        return bool(self._items)

    def close(self, reason: str) -> None:
        """Drop all items because the connection is to be closed. The first reason counts."""
        self.is_idle = False
        self.close_reason = self.close_reason or reason
        self._items.clear()
        self.closed.set()

    async def take_all(self) -> list[StoredEvent | Frame]:
        """Wait for items and remove all of them."""
        while not self._items:
            self._has_items.clear()
            self.is_idle = not self.closed.is_set()
            await self._has_items.wait()
        items = list(self._items)
        self._items.clear()
        return items
