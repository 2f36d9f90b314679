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

from ports import free_port
from test_serve_command import HERE, START
from trueodds.cli.play import _show, data_folder
from trueodds.server.page import BUILT


@contextmanager
def playing(folder: Path, *options: str) -> Iterator[tuple[str, subprocess.Popen[str]]]:
    """Start it, and give the address it prints."""
    with subprocess.Popen(
        [sys.executable, "-u", "-c", START, "play", "--no-browser", *options], cwd=folder, text=True,
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
        env={key: value for key, value in HERE.items() if key != "TRUEODDS_DATABASE_URL"}
        | {"XDG_DATA_HOME": str(folder)},
    ) as child:  # fmt: skip
        assert child.stdout is not None
        try:
            said = child.stdout.readline()
            found = re.fullmatch(r"Your table is at (http://127\.0\.0\.1:\d+)(/\S*)\n", said)
            assert found, said + child.stdout.read()
            assert child.stdout.readline() == "Press Ctrl-C to close it.\n"
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
def test_an_evening_is_kept_and_goes_on_at_once(tmp_path: Path, how: signal.Signals) -> None:
    port = free_port()
    with playing(tmp_path, "--port", str(port), "--book", "RWS") as (address, child):
        here = f"http://127.0.0.1:{port}"
        assert address == f"{here}/?play=rws"
        with httpx.Client(base_url=here, headers={"Origin": here}, trust_env=False) as http:
            first = http.get(address)
            assert (first.status_code, first.text) == (200, (BUILT / "index.html").read_text("utf-8"))
            http.post("/api/guests", json={"name": "Ann"})
            table = http.post("/api/tables", json={"book": "rws"}).json()["id"]
        assert end(child, how) == "The table is closed. Chips and bets are kept for the next time.\n"
    for name in ("trueodds.db", "trueodds.key", "play.log"):
        assert stat.S_IMODE((tmp_path / "trueodds" / name).stat().st_mode) == 0o600
    with playing(tmp_path, "--port", str(port)) as (address, child):
        # A process that did not give its tables up would keep others from them for ten seconds.
        assert httpx.get(f"{address}api/tables/{table}", trust_env=False).status_code == 200
        end(child, how)


def test_a_port_that_is_taken(tmp_path: Path) -> None:
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        taken = other.getsockname()[1]
        with playing(tmp_path, "--port", str(taken)) as (address, child):
            assert address != f"http://127.0.0.1:{taken}/"
            assert httpx.get(f"{address}healthz", trust_env=False).json() == {"ok": True}
            end(child, signal.SIGINT)


def test_a_server_that_never_answers_is_ended_and_said_to_be(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("trueodds.cli.play.START_S", 0)
    monkeypatch.setattr("trueodds.cli.play._answers", lambda _: False)
    server = Server(Config(lambda: None))
    _show(server, 9, "/", False)
    assert server.should_exit
    assert "does not answer" in capsys.readouterr().err


def test_files_of_ones_own(tmp_path: Path) -> None:
    own = ("--database-url", "sqlite:///own.db", "--key-file", "own.key", "--port", "0")
    with playing(tmp_path, *own) as (_, child):
        end(child, signal.SIGINT)
    assert {path.name for path in tmp_path.iterdir()} >= {"own.db", "own.key"}
    assert [path.name for path in (tmp_path / "trueodds").iterdir()] == ["play.log"]


def test_a_book_that_is_not_there(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", START, "play", "--no-browser", "--book", "monaco"], text=True, capture_output=True,
        check=False, timeout=60, cwd=tmp_path, env=HERE | {"XDG_DATA_HOME": str(tmp_path)},
    )  # fmt: skip
    assert (done.returncode, done.stdout) == (2, "")
    assert "no such book" in done.stderr
    assert list(tmp_path.iterdir()) == []


def test_where_people_keep_things() -> None:
    home = Path.home()
    assert data_folder({}, "linux") == home / ".local" / "share" / "trueodds"
    assert data_folder({"XDG_DATA_HOME": "/kept"}, "darwin") == home / "Library" / "Application Support" / "trueodds"
    assert data_folder({"LOCALAPPDATA": "/local"}, "win32") == Path("/local/trueodds")
