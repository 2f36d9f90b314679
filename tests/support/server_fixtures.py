"""Fixtures that start servers and stop them after the test."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    import httpx

    from support.running_server import RunningServer
    from trueodds.service.pace import Pace


@pytest.fixture
def serve(tmp_path: Path) -> Iterator[Callable[..., RunningServer]]:
    """A function that starts a server with changed settings or pace (default: on an SQLite file)."""
    from support.running_server import FAST_PACE, RunningServer, change_settings  # noqa: PLC0415  every run of the tests loads this, few need a server

    started: list[RunningServer] = []

    def start(url: str = "", pace: Pace | None = None, **changes: Any) -> RunningServer:
        started.append(
            RunningServer(url or f"sqlite:///{tmp_path / 'server.db'}", change_settings(**changes), pace or FAST_PACE)
        )
        return started[-1]

    yield start
    for one in started:
        one.stop()


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningServer]:
    """One server shared by the tests of a module."""
    from support.running_server import RunningServer  # noqa: PLC0415

    running = RunningServer(f"sqlite:///{tmp_path_factory.mktemp('server') / 'server.db'}")
    yield running
    running.stop()


@pytest.fixture
def http(server: RunningServer) -> Iterator[httpx.Client]:
    """An HTTP client without a cookie."""
    from support.running_server import http_client  # noqa: PLC0415

    with http_client(server) as client:
        yield client
