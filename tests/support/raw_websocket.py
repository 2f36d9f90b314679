"""A hand-written WebSocket client that can send invalid frames."""

from __future__ import annotations

import asyncio
import base64
import json
import os
from typing import Any

TEXT, BINARY, MORE, CLOSE, PING, PONG = 1, 2, 0, 8, 9, 10
REPLY_TIMEOUT_S = 20.0


class ClosedError(Exception):
    """The server closed the socket with a code, or without one (1006)."""

    def __init__(self, code: int) -> None:
        super().__init__(f"closed with {code}")
        self.code = code


class HandshakeRefusedError(Exception):
    """The server refused the handshake with an HTTP response."""

    def __init__(self, status: int, body: str) -> None:
        super().__init__(f"{status}: {body}")
        self.status = status


def frame(body: bytes, opcode: int = TEXT, *, last: bool = True, extra_bits: int = 0, masked: bool = True) -> bytes:
    """Return the bytes of one frame."""
    first = (0x80 if last else 0) | extra_bits | opcode
    mask = 0x80 if masked else 0
    if len(body) < 126:
        size = bytes([mask | len(body)])
    elif len(body) < 65_536:
        size = bytes([mask | 126]) + len(body).to_bytes(2)
    else:
        size = bytes([mask | 127]) + len(body).to_bytes(8)
    # A mask of zeros is a mask, and changes nothing.
    return bytes([first]) + size + (bytes(4) if masked else b"") + body


class RawWebSocket:
    """An open socket."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader = reader
        self._writer = writer

    @classmethod
    async def open(cls, port: int, target: str, headers: dict[str, str]) -> RawWebSocket:
        """Open a socket, or raise `HandshakeRefusedError`."""
        reader, writer = await asyncio.open_connection("127.0.0.1", port, limit=1 << 22)
        greeting = {
            "Host": f"127.0.0.1:{port}",
            "Upgrade": "websocket",
            "Connection": "Upgrade",
            "Sec-WebSocket-Version": "13",
            "Sec-WebSocket-Key": base64.b64encode(os.urandom(16)).decode(),
            **headers,
        }
        lines = [f"GET {target} HTTP/1.1", *(f"{name}: {value}" for name, value in greeting.items()), "", ""]
        writer.write("\r\n".join(lines).encode("latin-1", "replace"))
        try:
            head = await asyncio.wait_for(reader.readuntil(b"\r\n\r\n"), REPLY_TIMEOUT_S)
        except asyncio.IncompleteReadError as gone:
            writer.close()
            raise HandshakeRefusedError(0, repr(gone.partial)) from None
        except TimeoutError:
            writer.close()
            raise HandshakeRefusedError(0, f"no answer to {target} with {headers}") from None
        status = int(head.split()[1])
        if status != 101:
            writer.close()
            raise HandshakeRefusedError(status, head.decode("latin-1"))
        return cls(reader, writer)

    def write(self, octets: bytes) -> None:
        self._writer.write(octets)

    async def receive(self) -> dict[str, Any]:
        """Return the next frame of the server, or raise `ClosedError`."""
        while True:
            try:
                first, second = await asyncio.wait_for(self._reader.readexactly(2), REPLY_TIMEOUT_S)
                size = second & 0x7F
                if size >= 126:
                    size = int.from_bytes(await self._reader.readexactly(2 if size == 126 else 8))
                body = await self._reader.readexactly(size)
            except (asyncio.IncompleteReadError, ConnectionError):
                raise ClosedError(1006) from None
            opcode = first & 0x0F
            if opcode == CLOSE:
                raise ClosedError(int.from_bytes(body[:2]) if body else 1005)
            if opcode == TEXT:
                said: dict[str, Any] = json.loads(body)
                return said

    def close(self) -> None:
        self._writer.transport.abort()
