"""WebSocket frames that are encoded once and written to many sockets."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, NamedTuple, Protocol, cast

from websockets.frames import Frame as WebSocketFrame
from websockets.frames import Opcode

SCOPE_EXTENSION: Final = "trueodds.frame_writer"
"""The key of the frame writer among the extensions of an ASGI scope."""


class Frame(NamedTuple):
    """A text and its WebSocket frame. Servers do not mask frames and ours are not compressed, so all clients get the
    same bytes.
    """

    text: str
    data: bytes

    @classmethod
    def from_text(cls, text: str) -> Frame:
        """Return the frame of a text."""
        return cls(text, WebSocketFrame(Opcode.TEXT, text.encode()).serialize(mask=False))


class FrameWriter(Protocol):
    """A connection that accepts encoded frames."""

    def write_frames(self, data: bytes) -> bool:
        """Write complete frames without waiting. Return False, with nothing written, if the client is slow or gone."""


def frame_writer(scope: Mapping[str, Any]) -> FrameWriter | None:
    """Return the frame writer of a socket, or None if the server does not provide one."""
    return cast("FrameWriter | None", scope.get("extensions", {}).get(SCOPE_EXTENSION))
