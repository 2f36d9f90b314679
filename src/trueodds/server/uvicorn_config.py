"""The uvicorn configuration, and its WebSocket protocol."""

from __future__ import annotations

from typing import Any, cast

from fastapi import FastAPI
from uvicorn import Config
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.http11 import Request
from websockets.protocol import State

from trueodds.server.app_state import AppState
from trueodds.server.frames import SCOPE_EXTENSION
from trueodds.server.header_timeout import HeaderTimeoutProtocol


class TableWebSocketProtocol(WebSocketsSansIOProtocol):
    """A WebSocket protocol that accepts encoded frames.

    It also answers a handshake that cannot be parsed, for example because of too long headers. uvicorn would not.
    """

    def handle_connect(self, event: Request) -> None:
        """Put the frame writer into the ASGI scope."""
        super().handle_connect(event)
        if not self.close_sent:
            cast("dict[str, Any]", self.scope["extensions"])[SCOPE_EXTENSION] = self

    def write_frames(self, data: bytes) -> bool:
        """Write complete frames, as `FrameWriter` describes."""
        is_open = self.conn.state is State.OPEN and not self.close_sent and not self.disconnected
        if not is_open or not self.writable.is_set() or self.transport.is_closing():
            return False
        self.transport.write(data)
        return True

    def data_received(self, data: bytes) -> None:
        """Handle data from the client, and answer a failed handshake."""
        super().data_received(data)
        if self.conn.handshake_exc is not None and not self.transport.is_closing():
            self.transport.write(b"".join(self.conn.data_to_send()))
            self.transport.close()


def uvicorn_config(app: FastAPI, host: str, port: int) -> Config:
    """Return the uvicorn configuration of an app. Headers and frames have a size limit.

    Frames are not compressed: they are small, and a compressor per socket would cost memory and time. uvicorn logs
    warnings only, because its messages about sockets contain addresses and invitations; `access_log` logs requests.
    """
    state: AppState = app.state.app_state
    return Config(
        app, host, port, http=HeaderTimeoutProtocol, ws=TableWebSocketProtocol,
        ws_max_size=state.settings.max_body_bytes, ws_per_message_deflate=False,
        log_config=None, log_level="warning", access_log=False, server_header=False,
        timeout_graceful_shutdown=5, timeout_keep_alive=30, lifespan="off",
    )  # fmt: skip
