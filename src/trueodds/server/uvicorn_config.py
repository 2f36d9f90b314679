"""How the app is run."""

from __future__ import annotations

from typing import Any, cast

from fastapi import FastAPI
from uvicorn import Config
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.http11 import Request
from websockets.protocol import State

from trueodds.server.desk import Desk
from trueodds.server.heads import Heads
from trueodds.server.wire import EXTENSION


class SocketProtocol(WebSocketsSansIOProtocol):
    """Lets the app write frames that are ready, and says no to a handshake that cannot be read, such as one with
    headers beyond reason; uvicorn would say nothing.
    """

    def handle_connect(self, event: Request) -> None:
        """Begin: the app finds the wire in its scope."""
        super().handle_connect(event)
        if not self.close_sent:
            cast("dict[str, Any]", self.scope["extensions"])[EXTENSION] = self

    def write_frames(self, octets: bytes) -> bool:
        """Write whole frames, as `Wire` says."""
        is_open = self.conn.state is State.OPEN and not self.close_sent and not self.disconnected
        if not is_open or not self.writable.is_set() or self.transport.is_closing():
            return False
        self.transport.write(octets)
        return True

    def data_received(self, data: bytes) -> None:
        """Take in what a client sent."""
        super().data_received(data)
        if self.conn.handshake_exc is not None and not self.transport.is_closing():
            self.transport.write(b"".join(self.conn.data_to_send()))
            self.transport.close()


def server_config(app: FastAPI, host: str, port: int) -> Config:
    """Run the app under uvicorn: heads and frames are bounded, requests are in our own log and not in an access log.

    Frames are not compressed: they are small, and every socket would take the memory and the time of a compressor.
    Below a warning uvicorn says nothing: of every socket it would tell the address and the invitation.
    """
    desk: Desk = app.state.desk
    return Config(
        app, host, port, http=Heads, ws=SocketProtocol, ws_max_size=desk.settings.body_bytes,
        ws_per_message_deflate=False, log_config=None, log_level="warning", access_log=False, server_header=False,
        timeout_graceful_shutdown=5, timeout_keep_alive=30, lifespan="off",
    )  # fmt: skip
