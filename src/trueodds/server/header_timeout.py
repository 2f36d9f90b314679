"""Heads of requests: small, and in time. Nobody holds a connection by saying little or nothing."""

from __future__ import annotations

import asyncio
from typing import Any

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol, RequestResponseCycle


class Heads(H11Protocol):
    """HTTP by h11, which reads heads of up to 16 KiB, while a faster parser would read on for ever.

    Who has not finished a head `head_s` after it was due is hung up on.
    """

    head_s = 20.0

    def __init__(self, *given: Any, **named: Any) -> None:
        super().__init__(*given, **named)
        self._hanging_up: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]  # as in uvicorn
        """Begin to wait for the first head."""
        super().connection_made(transport)
        self._wait()

    def data_received(self, data: bytes) -> None:
        """Take in a piece: wait on where no request is under way."""
        super().data_received(data)
        cycle: RequestResponseCycle | None = self.cycle
        if cycle is not None and not cycle.response_complete:
            self._wait_no_longer()
        elif self._hanging_up is None and self.transport.get_protocol() is self:
            self._wait()

    def handle_websocket_upgrade(self, event: h11.Request) -> None:
        """Hand over to the socket, which has its own ways to end."""
        self._wait_no_longer()
        super().handle_websocket_upgrade(event)

    def connection_lost(self, exc: Exception | None) -> None:
        """Stop waiting."""
        self._wait_no_longer()
        super().connection_lost(exc)

    def _wait(self) -> None:
        self._hanging_up = self.loop.call_later(self.head_s, self.transport.close)

    def _wait_no_longer(self) -> None:
        if self._hanging_up is not None:
            self._hanging_up.cancel()
            self._hanging_up = None
