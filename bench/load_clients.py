"""A crowd of players for a server: as many sockets as one process can keep, each doing as little as it can.

`trueodds.client` throws every roll again and would take more of the machine than the server does. A seat here looks at
the number, the kind and the hash of every event, finds gaps, and keeps its seeds; it verifies nothing.
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
from typing import Any, Final, cast

import httpx

from trueodds.fair import commit_to

EVENT: Final = re.compile(rb'\{"event":\{"number":(\d+),"at_ms":\d+,"kind":"(\w+)"')
ANSWER: Final = re.compile(rb'\{"answer": ?"(\w+)", ?"ok": ?(true|false)')
CAUGHT_UP: Final = b'{"caught_up"'
HOLDER: Final = re.compile(rb'"custody":\{[^}]*"(?:shooter|offer_to)":"([0-9a-f]{32})"')
BOOK: Final = "new_jersey"
SEED: Final = bytes(range(32))
CHIPS: Final = 50_000_000


class SocketError(Exception):
    """A socket that did not do as it must."""


class Wire(asyncio.Protocol):
    """One WebSocket from the side of a client, without masks, fragments and compression."""

    def __init__(self, request: bytes, hear: Callable[[bytes], None]) -> None:
        self._request = request
        self._hear = hear
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

    def drop(self) -> None:
        """Lose the connection without a word."""
        if self.transport is not None:
            self.transport.abort()

    def data_received(self, data: bytes) -> None:
        buffer = self._buffer
        buffer += data
        if not self._is_open and not self._take_greeting():
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
                self._hear(bytes(buffer[begin : begin + size]))
            elif buffer[at] == 0x89 and self.transport is not None:
                self.transport.write(bytes([0x8A, 0x80 | size]) + bytes(4) + bytes(buffer[begin : begin + size]))
            at = begin + size
        del buffer[:at]

    def _take_greeting(self) -> bool:
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
class Felt:
    """A table as the crowd knows it: who has the dice, and when the last of them heard of each throw."""

    id: str
    seats: list[Seat] = field(default_factory=list)
    holder: str = ""
    thrown: dict[int, list[float]] = field(default_factory=dict)
    """When each seat heard of a throw, by the number of its row."""


class Seat:
    """A player with one socket."""

    def __init__(self, port: int, felt: Felt, person: str, cookie: str) -> None:
        self._port = port
        self.cookie = cookie
        self._answers: dict[str, asyncio.Future[bool]] = {}
        self._numbers = count(1)
        self._wire: Wire | None = None
        self._ready: asyncio.Future[None] | None = None
        self.felt = felt
        self.person = person
        self.last = 0
        self.hash = b""
        self.rolls = 0
        self.keeps_seeds = False
        felt.seats.append(self)

    async def come(self) -> None:
        """Open the socket from the last event seen, and wait until everything was told."""
        loop = asyncio.get_running_loop()
        self._ready = loop.create_future()
        request = (
            f"GET /api/tables/{self.felt.id}/ws?after={self.last} HTTP/1.1\r\nHost: 127.0.0.1:{self._port}\r\n"
            f"Origin: http://127.0.0.1:{self._port}\r\nCookie: trueodds={self.cookie}\r\nUpgrade: websocket\r\n"
            "Connection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
            f"Sec-WebSocket-Key: {base64.b64encode(os.urandom(16)).decode()}\r\n\r\n"
        ).encode()
        _, wire = await loop.create_connection(lambda: Wire(request, self._hear), "127.0.0.1", self._port)
        await wire.opened
        self._wire = wire
        await self._ready

    def drop(self) -> None:
        if self._wire is not None:
            self._wire.drop()

    async def wish(self, wish: str, **more: Any) -> bool:
        """Wish for something; whether it was granted."""
        name = f"w{next(self._numbers)}"
        answer: asyncio.Future[bool] = asyncio.get_running_loop().create_future()
        self._answers[name] = answer
        if self._wire is None:
            raise SocketError("no socket is open")
        self._wire.send(json.dumps({"id": name, "wish": wish, **more}))
        return await answer

    def _begin(self, wish: str, **more: Any) -> None:
        """Wish for something and do not wait."""
        if self._wire is not None:
            self._wire.send(json.dumps({"id": f"s{next(self._numbers)}", "wish": wish, **more}))

    def _hear(self, frame: bytes) -> None:
        event = EVENT.match(frame)
        if event is not None:
            self._take_event(int(event[1]), event[2], frame)
            return
        answer = ANSWER.match(frame)
        if answer is not None:
            waiting = self._answers.pop(answer[1].decode(), None)
            if waiting is not None:
                waiting.set_result(answer[2] == b"true")
        elif frame.startswith(CAUGHT_UP) and self._ready is not None:
            self._ready.set_result(None)

    def _take_event(self, number: int, kind: bytes, frame: bytes) -> None:
        if number != self.last + 1:
            raise SocketError(f"event {number} came after {self.last}")
        self.last, self.hash = number, frame[-67:-3]
        if kind == b"rolled":
            self.felt.thrown.setdefault(number, []).append(asyncio.get_running_loop().time())
            self.rolls += 1
            self.promise()
        elif kind == b"locked" and self.keeps_seeds:
            self._begin("open", seed=SEED.hex())
        if kind in {b"dice_moved", b"rolled"} and self is self.felt.seats[0]:
            held = HOLDER.search(frame)
            self.felt.holder = held[1].decode() if held else ""

    def promise(self) -> None:
        """Commit to a seed for the roll that comes. It is always the same: nobody here has anything to lose."""
        if self.keeps_seeds:
            roll = self.rolls + 1
            commitment = commit_to(self.felt.id, roll, self.person, SEED)
            self._begin("commit", roll=roll, commitment=commitment.hex())


async def gather_crowd(port: int, tables: int, each: int) -> list[Felt]:
    """Open tables and seat players at them, every one a guest with a socket that is caught up."""
    address = f"http://127.0.0.1:{port}"
    felts = []
    async with httpx.AsyncClient(base_url=address, headers={"Origin": address}, trust_env=False, timeout=60) as http:
        for _ in range(tables):
            cookies: list[tuple[str, str]] = []
            for _ in range(each):
                http.cookies.clear()
                came = await http.post("/api/guests", json={"name": os.urandom(8).hex()})
                cookies.append((came.json()["id"], http.cookies["trueodds"]))
            opened = await http.post("/api/tables", json={"book": BOOK, "options": {"min_bet": 500}})
            felt = Felt(opened.json()["id"])
            felts.append(felt)
            for person, cookie in cookies:
                await Seat(port, felt, person, cookie).come()
            for seat in felt.seats:
                if not await seat.wish("sit", cents=CHIPS):
                    raise SocketError("a seat was refused")
    return felts
