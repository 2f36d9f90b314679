"""A server of its own for tests that kill it: `trueodds serve` as anybody starts it, whose dice nobody writes down."""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path

import httpx

from running_server import Running
from test_serve_command import HERE, START

START_S = 60.0


class ServerProcess(Running):
    """`trueodds serve` at a port and on a database that stay the same."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        super().__init__(f"sqlite:///{folder / 'server.db'}")

    def start(self) -> None:
        self._child = subprocess.Popen(
            [
                sys.executable, "-c", START, "serve", "--database-url", self.url, "--port", str(self.port),
                "--key-file", str(self._folder / "server.key"),
            ],
            env=HERE, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        )  # fmt: skip
        until = time.monotonic() + START_S
        with httpx.Client(trust_env=False) as http:
            while not self._answers(http):
                assert self._child.poll() is None, "it ended by itself"
                assert time.monotonic() < until, "it does not answer"
                time.sleep(0.05)

    def _answers(self, http: httpx.Client) -> bool:
        try:
            return http.get(f"{self.address}/healthz").status_code == 200
        except httpx.TransportError:
            return False

    def kill(self) -> None:
        """End it at once: it can give nothing up and say nothing."""
        self._child.kill()
        self._child.wait(20)

    def stop(self) -> None:
        self._child.terminate()
        self._child.wait(20)
