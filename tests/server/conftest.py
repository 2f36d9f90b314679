"""Servers for tests, gone afterwards."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from running_server import Running, strict

Serve = Callable[..., Running]


@pytest.fixture
def serve(tmp_path: Path) -> Iterator[Serve]:
    """Start servers, on a file of SQLite unless told otherwise, with settings changed by name."""
    started: list[Running] = []

    def start(url: str = "", **changes: Any) -> Running:
        started.append(Running(url or f"sqlite:///{tmp_path / 'server.db'}", strict(**changes)))
        return started[-1]

    yield start
    for one in started:
        one.stop()
