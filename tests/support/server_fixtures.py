"""Servers for tests, gone afterwards."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    import httpx

    from running_server import Running
    from trueodds.service.pace import Pace


@pytest.fixture
def serve(tmp_path: Path) -> Iterator[Callable[..., Running]]:
    """Start servers, on a file of SQLite unless told otherwise, with settings changed by name, and with a pace."""
    from running_server import QUICK, Running, strict  # noqa: PLC0415  every run of the tests loads this, few need a server

    started: list[Running] = []

    def start(url: str = "", pace: Pace | None = None, **changes: Any) -> Running:
        started.append(Running(url or f"sqlite:///{tmp_path / 'server.db'}", strict(**changes), pace or QUICK))
        return started[-1]

    yield start
    for one in started:
        one.stop()


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    """One server for all tests of a file, which leave nothing behind that others would stumble over."""
    from running_server import Running  # noqa: PLC0415

    running = Running(f"sqlite:///{tmp_path_factory.mktemp('server') / 'server.db'}")
    yield running
    running.stop()


@pytest.fixture
def http(server: Running) -> Iterator[httpx.Client]:
    """Somebody whom that server does not know."""
    from running_server import asking  # noqa: PLC0415

    with asking(server) as client:
        yield client
