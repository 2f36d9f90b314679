"""A uvicorn HTTP protocol that closes connections whose request headers arrive too slowly."""

from __future__ import annotations

import asyncio
from typing import Any

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol, RequestResponseCycle


class HeaderTimeoutProtocol(H11Protocol):
    """HTTP with h11, which limits headers to 16 KiB. The faster httptools parser has no limit.

    A connection is closed if complete headers have not arrived within `header_timeout_s`.
    """

    header_timeout_s = 20.0

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._timeout: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]  # as in uvicorn
        """Start the timeout for the first request."""
        super().connection_made(transport)
        self._start_timeout()

    def data_received(self, data: bytes) -> None:
        """Stop the timeout when a request has started, and restart it when none is in progress."""
        super().data_received(data)
        cycle: RequestResponseCycle | None = self.cycle
        if cycle is not None and not cycle.response_complete:
            self._cancel_timeout()
        elif self._timeout is None and self.transport.get_protocol() is self:
            self._start_timeout()

    def handle_websocket_upgrade(self, event: h11.Request) -> None:
        """Stop the timeout: WebSockets have their own."""
        self._cancel_timeout()
        super().handle_websocket_upgrade(event)

    def connection_lost(self, exc: Exception | None) -> None:
        """Stop the timeout."""
        self._cancel_timeout()
        super().connection_lost(exc)

    def _start_timeout(self) -> None:
        self._timeout = self.loop.call_later(self.header_timeout_s, self.transport.close)

    def _cancel_timeout(self) -> None:
        if self._timeout is not None:
            self._timeout.cancel()
            self._timeout = None
