"""`trueodds serve` in its own process, for tests that kill it. Its dice are not scripted."""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path

import httpx

from support.running_server import RunningServer
from support.trueodds_process import ENVIRONMENT, RUN_CLI

START_S = 60.0


class ServerProcess(RunningServer):
    """A server process that keeps its port and database across restarts."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        super().__init__(f"sqlite:///{folder / 'server.db'}")

    def start(self) -> None:
        self._child = subprocess.Popen(
            [
                sys.executable, "-c", RUN_CLI, "serve", "--database-url", self.url, "--port", str(self.port),
                "--key-file", str(self._folder / "server.key"),
            ],
            env=ENVIRONMENT, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        )  # fmt: skip
        deadline = time.monotonic() + START_S
        with httpx.Client(trust_env=False) as http:
            while not self._responds(http):
                assert self._child.poll() is None, "the server exited"
                assert time.monotonic() < deadline, "the server does not respond"
                time.sleep(0.05)

    def _responds(self, http: httpx.Client) -> bool:
        try:
            return http.get(f"{self.address}/healthz").status_code == 200
        except httpx.TransportError:
            return False

    def kill(self) -> None:
        """Kill the process, without a chance to release anything."""
        self._child.kill()
        self._child.wait(20)

    def stop(self) -> None:
        self._child.terminate()
        self._child.wait(20)
