"""`trueodds play` as a process: where it keeps things, which port it takes, how it ends."""

from __future__ import annotations

import re
import signal
import socket
import stat
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest
from uvicorn import Config, Server

from support.ports import free_port
from support.trueodds_process import ENVIRONMENT, RUN_CLI
from trueodds.cli.play_command import _announce, data_folder
from trueodds.server.static_page import BUILD_FOLDER


@contextmanager
def playing(folder: Path, *options: str) -> Iterator[tuple[str, subprocess.Popen[str]]]:
    """Start it, and give the address it prints."""
    with subprocess.Popen(
        [sys.executable, "-u", "-c", RUN_CLI, "play", "--no-browser", *options], cwd=folder, text=True,
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
        env={key: value for key, value in ENVIRONMENT.items() if key != "TRUEODDS_DATABASE_URL"}
        | {"XDG_DATA_HOME": str(folder)},
    ) as child:  # fmt: skip
        assert child.stdout is not None
        try:
            said = child.stdout.readline()
            found = re.fullmatch(r"Your table is at (http://127\.0\.0\.1:\d+)(/\S*)\n", said)
            assert found, said + child.stdout.read()
            assert child.stdout.readline() == "Press Ctrl-C to stop the server.\n"
            yield found[1] + found[2], child
        finally:
            if child.poll() is None:
                child.kill()


def end(child: subprocess.Popen[str], how: signal.Signals) -> str:
    child.send_signal(how)
    assert child.wait(30) == 0
    assert child.stdout is not None
    return child.stdout.read()


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGTERM])
def test_a_session_survives_a_restart(tmp_path: Path, how: signal.Signals) -> None:
    port = free_port()
    with playing(tmp_path, "--port", str(port), "--book", "RWS") as (address, child):
        here = f"http://127.0.0.1:{port}"
        assert address == f"{here}/?play=rws"
        with httpx.Client(base_url=here, headers={"Origin": here}, trust_env=False) as http:
            first = http.get(address)
            assert (first.status_code, first.text) == (200, (BUILD_FOLDER / "index.html").read_text("utf-8"))
            http.post("/api/guests", json={"name": "Ann"})
            table = http.post("/api/tables", json={"book": "rws"}).json()["id"]
        assert end(child, how) == "The server has stopped. Chips and bets are saved.\n"
    for name in ("trueodds.db", "trueodds.key", "play.log"):
        assert stat.S_IMODE((tmp_path / "trueodds" / name).stat().st_mode) == 0o600
    with playing(tmp_path, "--port", str(port)) as (address, child):
        # A process that did not give its tables up would keep others from them for ten seconds.
        assert httpx.get(f"{address}api/tables/{table}", trust_env=False).status_code == 200
        end(child, how)


def test_a_port_in_use(tmp_path: Path) -> None:
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        taken = other.getsockname()[1]
        with playing(tmp_path, "--port", str(taken)) as (address, child):
            assert address != f"http://127.0.0.1:{taken}/"
            assert httpx.get(f"{address}healthz", trust_env=False).json() == {"ok": True}
            end(child, signal.SIGINT)


def test_a_server_that_never_answers_is_stopped(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("trueodds.cli.play_command.START_TIMEOUT_S", 0)
    monkeypatch.setattr("trueodds.cli.play_command._is_ready", lambda _: False)
    server = Server(Config(lambda: None))
    _announce(server, 9, "/", False)
    assert server.should_exit
    assert "does not answer" in capsys.readouterr().err


def test_own_database_and_key_file(tmp_path: Path) -> None:
    own = ("--database-url", "sqlite:///own.db", "--key-file", "own.key", "--port", "0")
    with playing(tmp_path, *own) as (_, child):
        end(child, signal.SIGINT)
    assert {path.name for path in tmp_path.iterdir()} >= {"own.db", "own.key"}
    assert [path.name for path in (tmp_path / "trueodds").iterdir()] == ["play.log"]


def test_an_unknown_book(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", RUN_CLI, "play", "--no-browser", "--book", "monaco"], text=True, capture_output=True,
        check=False, timeout=60, cwd=tmp_path, env=ENVIRONMENT | {"XDG_DATA_HOME": str(tmp_path)},
    )  # fmt: skip
    assert (done.returncode, done.stdout) == (2, "")
    assert "no such book" in done.stderr
    assert list(tmp_path.iterdir()) == []


def test_data_folders() -> None:
    home = Path.home()
    assert data_folder({}, "linux") == home / ".local" / "share" / "trueodds"
    assert data_folder({"XDG_DATA_HOME": "/kept"}, "darwin") == home / "Library" / "Application Support" / "trueodds"
    assert data_folder({"LOCALAPPDATA": "/local"}, "win32") == Path("/local/trueodds")
