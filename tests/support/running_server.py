"""The real app under the real uvicorn, which a test can stop and restart."""

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

from support.ports import free_port
from trueodds.fair import ServerKey
from trueodds.journal import Journal, open_journal
from trueodds.server import Settings, make_app
from trueodds.server.settings import Rate
from trueodds.server.uvicorn_config import uvicorn_config
from trueodds.service.pace import Pace
from trueodds.service.table_manager import TableManager

KEY = ServerKey(bytes(range(32)))
FAST_PACE = Pace(
    min_roll_interval_ms=0,
    betting_window_ms=0,
    seed_timeout_ms=60_000,
    shooter_timeout_ms=600_000,
    offer_timeout_ms=600_000,
)
UNLIMITED_RATE = Rate(100_000, 100_000)
TEST_SETTINGS = Settings(
    KEY,
    request_rate=UNLIMITED_RATE,
    command_rate=UNLIMITED_RATE,
    signup_rate=UNLIMITED_RATE,
    argon_memory_kib=64,
    argon_time=1,
)
"""No rate limits and cheap password hashes. A test changes the settings it is about."""

T = TypeVar("T")


def run(work: Coroutine[Any, Any, T], seconds: float = 120) -> T:
    """Run a coroutine with a timeout."""
    return asyncio.run(asyncio.wait_for(work, seconds))


class RunningServer:
    """A server whose address survives a restart."""

    def __init__(self, url: str, settings: Settings = TEST_SETTINGS, pace: Pace = FAST_PACE) -> None:
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
        self.table_manager = TableManager(self.journal, KEY, self.settings.clock, pace=self.pace)
        self.app = make_app(self.table_manager, self.journal, self.settings)
        self._socket = socket.socket()
        self._socket.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        self._socket.bind(("127.0.0.1", self.port))
        config = uvicorn_config(self.app, "127.0.0.1", self.port)
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
        self.app.state.app_state.close()
        self.table_manager.close()
        self.journal.close()


def change_settings(settings: Settings = TEST_SETTINGS, **changes: Any) -> Settings:
    """Return settings with changes."""
    return replace(settings, **changes)


@contextmanager
def http_client(server: RunningServer, name: str = "") -> Iterator[httpx.Client]:
    """Yield an HTTP client of a server, logged in as a guest if a name is given."""
    with httpx.Client(base_url=server.address, headers={"Origin": server.address}, trust_env=False) as client:
        if name:
            assert client.post("/api/guests", json={"name": name}).status_code == 201
        yield client
