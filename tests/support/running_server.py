"""A server that runs for a test: the real app under the real uvicorn, which can be stopped and started again."""

from __future__ import annotations

import asyncio
import socket
import threading
import time
from collections.abc import Coroutine, Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Any, TypeVar

import httpx
from uvicorn import Server

from ports import free_port
from trueodds.fair import Key
from trueodds.journal import Journal, open_journal
from trueodds.server import Settings, make_app
from trueodds.server.running import server_config
from trueodds.server.settings import Rate
from trueodds.service.floor import Floor
from trueodds.service.pace import Pace

KEY = Key(bytes(range(32)))
QUICK = Pace(between_ms=0, window_ms=0, opening_ms=60_000, shooter_ms=600_000, offer_ms=600_000)
OFTEN = Rate(100_000, 100_000)
EASY = Settings(KEY, requests=OFTEN, wishes=OFTEN, door=OFTEN, argon_memory_kib=64, argon_time=1)
"""No hurry is too much, and passwords are hashed quickly: a test sets what it is about."""

T = TypeVar("T")


def run(work: Coroutine[Any, Any, T], seconds: float = 120) -> T:
    """Run a test's coroutine, but not for ever."""
    return asyncio.run(asyncio.wait_for(work, seconds))


class Running:
    """A server at an address that stays the same."""

    def __init__(self, url: str, settings: Settings = EASY, pace: Pace = QUICK) -> None:
        self.url = url
        self.settings = settings
        self.pace = pace
        self.port = free_port()
        self.start()

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def start(self) -> None:
        self.journal: Journal = open_journal(self.url)
        self.floor = Floor(self.journal, KEY, self.settings.clock, pace=self.pace)
        self.app = make_app(self.floor, self.journal, self.settings)
        self._socket = socket.socket()
        self._socket.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        self._socket.bind(("127.0.0.1", self.port))
        config = server_config(self.app, "127.0.0.1", self.port)
        config.timeout_graceful_shutdown = 1
        self._server = Server(config)
        self._thread = threading.Thread(target=self._server.run, args=([self._socket],), daemon=True)
        self._thread.start()
        until = time.monotonic() + 20
        while not self._server.started:
            assert time.monotonic() < until
            time.sleep(0.01)

    def stop(self) -> None:
        self._server.should_exit = True
        self._thread.join(20)
        assert not self._thread.is_alive()
        self._socket.close()
        self.app.state.desk.close()
        self.floor.close()
        self.journal.close()


def strict(settings: Settings = EASY, **changes: Any) -> Settings:
    """Settings with what a test is about."""
    return replace(settings, **changes)


@contextmanager
def asking(server: Running, name: str = "") -> Iterator[httpx.Client]:
    """Ask a server over HTTP, as a guest where a name is given."""
    with httpx.Client(base_url=server.address, headers={"Origin": server.address}, trust_env=False) as client:
        if name:
            assert client.post("/api/guests", json={"name": name}).status_code == 201
        yield client
