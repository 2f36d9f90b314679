"""Load clients: many players in one process, each with a socket, each doing as little as possible.

`trueodds.client` verifies every roll, which would take more of the machine than the server does. A seat here reads the
sequence number, the kind and the hash of every event, detects gaps, and commits to seeds. It verifies nothing.
"""

from __future__ import annotations

import asyncio
import base64
import json
import os
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import count
from typing import Final, cast

import httpx

from trueodds.fair import make_commitment

EVENT_FRAME: Final = re.compile(rb'\{"event":\{"sequence":(\d+),"at_ms":\d+,"kind":"(\w+)"')
REPLY_FRAME: Final = re.compile(rb'\{"reply_to": ?"(\w+)", ?"ok": ?(true|false)')
HASH: Final = re.compile(rb'"hash":"([0-9a-f]{64})"')
CAUGHT_UP: Final = b'{"caught_up"'
SHOOTER: Final = re.compile(rb'"custody":\{[^}]*"(?:shooter|offered_to)":"([0-9a-f]{32})"')
BOOK: Final = "new_jersey"
SEED: Final = bytes(range(32))
BUY_IN_CENTS: Final = 50_000_000


class SocketError(Exception):
    """A socket that did not behave as expected."""


class ClientSocket(asyncio.Protocol):
    """The client side of a WebSocket, without masking, fragments and compression."""

    def __init__(self, request: bytes, on_message: Callable[[bytes], None]) -> None:
        self._request = request
        self._on_message = on_message
        self._buffer = bytearray()
        self._is_open = False
        loop = asyncio.get_running_loop()
        self.opened: asyncio.Future[None] = loop.create_future()
        self.closed: asyncio.Future[None] = loop.create_future()
        self.transport: asyncio.Transport | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = cast("asyncio.Transport", transport)
        self.transport.write(self._request)

    def connection_lost(self, error: Exception | None) -> None:
        if not self.opened.done():
            self.opened.set_exception(SocketError(f"not opened: {bytes(self._buffer)!r}"))
        if not self.closed.done():
            self.closed.set_result(None)

    def send(self, text: str) -> None:
        body = text.encode()
        size = bytes([0x80 | len(body)]) if len(body) < 126 else b"\xfe" + len(body).to_bytes(2)
        if self.transport is not None:
            self.transport.write(b"\x81" + size + b"\0\0\0\0" + body)

    def abort(self) -> None:
        """Drop the connection without a close frame."""
        if self.transport is not None:
            self.transport.abort()

    def data_received(self, data: bytes) -> None:
        buffer = self._buffer
        buffer += data
        if not self._is_open and not self._read_handshake():
            return
        at = 0
        while len(buffer) - at >= 2:
            size, begin = buffer[at + 1], at + 2
            if size >= 126:
                wide = 2 if size == 126 else 8
                size, begin = int.from_bytes(buffer[begin : begin + wide]), begin + wide
            if len(buffer) < begin + size:
                break
            if buffer[at] == 0x81:
                self._on_message(bytes(buffer[begin : begin + size]))
            elif buffer[at] == 0x89 and self.transport is not None:
                self.transport.write(bytes([0x8A, 0x80 | size]) + bytes(4) + bytes(buffer[begin : begin + size]))
            at = begin + size
        del buffer[:at]

    def _read_handshake(self) -> bool:
        end = self._buffer.find(b"\r\n\r\n")
        if end < 0:
            return False
        if not self._buffer.startswith(b"HTTP/1.1 101"):
            self.opened.set_exception(SocketError(bytes(self._buffer).decode()))
            return False
        del self._buffer[: end + 4]
        self._is_open = True
        self.opened.set_result(None)
        return True


@dataclass
class LoadTable:
    """A table as its clients see it: who has the dice, and when each client received each roll."""

    id: str
    seats: list[LoadSeat] = field(default_factory=list)
    shooter_id: str = ""
    roll_times: dict[int, list[float]] = field(default_factory=dict)
    """The times at which seats received a roll, by the sequence number of its event."""


class LoadSeat:
    """A player with one socket."""

    def __init__(self, port: int, table: LoadTable, player_id: str, cookie: str) -> None:
        self._port = port
        self.cookie = cookie
        self._replies: dict[str, asyncio.Future[bool]] = {}
        self._numbers = count(1)
        self._socket: ClientSocket | None = None
        self._ready: asyncio.Future[None] | None = None
        self.table = table
        self.player_id = player_id
        self.last = 0
        self.hash = b""
        self.rolls = 0
        self.commits_seeds = False
        table.seats.append(self)

    async def connect(self) -> None:
        """Open the socket after the last event seen, and wait until the seat has caught up."""
        loop = asyncio.get_running_loop()
        self._ready = loop.create_future()
        request = (
            f"GET /api/tables/{self.table.id}/ws?after={self.last} HTTP/1.1\r\nHost: 127.0.0.1:{self._port}\r\n"
            f"Origin: http://127.0.0.1:{self._port}\r\nCookie: trueodds={self.cookie}\r\nUpgrade: websocket\r\n"
            "Connection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
            f"Sec-WebSocket-Key: {base64.b64encode(os.urandom(16)).decode()}\r\n\r\n"
        ).encode()
        _, opened = await loop.create_connection(lambda: ClientSocket(request, self._on_frame), "127.0.0.1", self._port)
        await opened.opened
        self._socket = opened
        await self._ready

    def disconnect(self) -> None:
        if self._socket is not None:
            self._socket.abort()

    async def send_command(self, command: str, **fields: object) -> bool:
        """Send a command and return whether it was accepted."""
        name = f"c{next(self._numbers)}"
        reply: asyncio.Future[bool] = asyncio.get_running_loop().create_future()
        self._replies[name] = reply
        if self._socket is None:
            raise SocketError("no socket is open")
        self._socket.send(json.dumps({"id": name, "command": command, **fields}))
        return await reply

    def _send_without_reply(self, command: str, **fields: object) -> None:
        """Send a command and ignore the reply."""
        if self._socket is not None:
            self._socket.send(json.dumps({"id": f"s{next(self._numbers)}", "command": command, **fields}))

    def _on_frame(self, frame: bytes) -> None:
        event = EVENT_FRAME.match(frame)
        if event is not None:
            self._on_event(int(event[1]), event[2], frame)
            return
        reply = REPLY_FRAME.match(frame)
        if reply is not None:
            waiting = self._replies.pop(reply[1].decode(), None)
            if waiting is not None:
                waiting.set_result(reply[2] == b"true")
        elif frame.startswith(CAUGHT_UP) and self._ready is not None:
            self._ready.set_result(None)

    def _on_event(self, sequence: int, kind: bytes, frame: bytes) -> None:
        if sequence != self.last + 1:
            raise SocketError(f"event {sequence} came after {self.last}")
        found = HASH.search(frame)
        self.last, self.hash = sequence, found[1] if found else b""
        if kind == b"rolled":
            self.table.roll_times.setdefault(sequence, []).append(asyncio.get_running_loop().time())
            self.rolls += 1
            self.commit_seed()
        elif kind == b"roll_locked" and self.commits_seeds:
            self._send_without_reply("open_seed", seed=SEED.hex())
        if kind in {b"custody_changed", b"rolled"} and self is self.table.seats[0]:
            shooter = SHOOTER.search(frame)
            self.table.shooter_id = shooter[1].decode() if shooter else ""

    def commit_seed(self) -> None:
        """Commit to a seed for the next roll. It is always the same, since no client here needs protection."""
        if self.commits_seeds:
            roll = self.rolls + 1
            commitment = make_commitment(self.table.id, roll, self.player_id, SEED)
            self._send_without_reply("commit_seed", roll=roll, commitment=commitment.hex())


async def connect_players(port: int, tables: int, each: int) -> list[LoadTable]:
    """Open tables and seat guests at them, each with a socket that has caught up."""
    address = f"http://127.0.0.1:{port}"
    opened_tables = []
    async with httpx.AsyncClient(base_url=address, headers={"Origin": address}, trust_env=False, timeout=60) as http:
        for _ in range(tables):
            cookies: list[tuple[str, str]] = []
            for _ in range(each):
                http.cookies.clear()
                guest = await http.post("/api/guests", json={"name": os.urandom(8).hex()})
                cookies.append((guest.json()["id"], http.cookies["trueodds"]))
            opened = await http.post("/api/tables", json={"book": BOOK, "options": {"min_bet": 500}})
            table = LoadTable(opened.json()["id"])
            opened_tables.append(table)
            for player_id, cookie in cookies:
                await LoadSeat(port, table, player_id, cookie).connect()
            for seat in table.seats:
                if not await seat.send_command("join", cents=BUY_IN_CENTS):
                    raise SocketError("a seat was refused")
    return opened_tables
