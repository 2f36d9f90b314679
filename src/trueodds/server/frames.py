"""The wire of a socket: frames that are written once and sent to many, past everything that would write them again."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, NamedTuple, Protocol, cast

from websockets.frames import Frame as WebSocketFrame
from websockets.frames import Opcode

EXTENSION: Final = "trueodds.wire"
"""Under this name a socket's scope has its wire, where the server below has one."""


class Frame(NamedTuple):
    """What one frame says, and the frame as it goes to any client: none is compressed, and a server masks nothing."""

    text: str
    octets: bytes

    @classmethod
    def of(cls, text: str) -> Frame:
        """Frame a text."""
        return cls(text, WebSocketFrame(Opcode.TEXT, text.encode()).serialize(mask=False))


class Wire(Protocol):
    """Where whole frames can be written without waiting."""

    def write_frames(self, octets: bytes) -> bool:
        """Write frames; false, and nothing is written, when the client is behind or gone."""


def wire_of(scope: Mapping[str, Any]) -> Wire | None:
    """Give the wire of a socket; None where frames can only be sent one by one, waiting for each."""
    return cast("Wire | None", scope.get("extensions", {}).get(EXTENSION))
