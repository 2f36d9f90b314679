"""Ports for servers that a test starts, stops and starts again."""

from __future__ import annotations

import socket

_HELD: list[socket.socket] = []


def free_port() -> int:
    """Find a port and hold it as long as the tests run: a server that asks for it by number gets it, nobody else."""
    held = socket.socket()
    held.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    held.bind(("127.0.0.1", 0))
    _HELD.append(held)
    return int(held.getsockname()[1])
