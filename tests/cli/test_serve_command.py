"""`trueodds serve` as a process: key file, database, log, errors."""

from __future__ import annotations

import asyncio
import json
import signal
import stat
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

import httpx
import pytest
from typer.testing import CliRunner
from websockets.asyncio.client import connect
from websockets.exceptions import InvalidStatus

from support.ports import free_port
from support.trueodds_process import ENVIRONMENT, RUN_CLI
from trueodds.cli.app import app
from trueodds.cli.output import UsageError
from trueodds.cli.serve_command import load_key
from trueodds.journal import open_journal

"""The code under test, also for a process that starts in another folder."""


async def watch(where: str, origin: str) -> None:
    with suppress(InvalidStatus):
        async with connect(where, additional_headers={"Origin": origin}, proxy=None) as one:
            assert "event" in json.loads(await one.recv())


def test_a_new_server(tmp_path: Path) -> None:
    port = free_port()
    log = tmp_path / "log"
    with log.open("wb") as out:
        server = subprocess.Popen(
            [sys.executable, "-c", RUN_CLI, "serve", "--port", str(port)], cwd=tmp_path, stdout=out, stderr=out,
            env={**ENVIRONMENT, "TRUEODDS_DATABASE_URL": "sqlite:///kept.db"},
        )  # fmt: skip
    address = f"http://127.0.0.1:{port}"
    try:
        with httpx.Client(base_url=address, headers={"Origin": address}, trust_env=False) as http:
            until = time.monotonic() + 60
            while True:
                try:
                    assert http.get("/healthz").json() == {"ok": True}
                    break
                except httpx.ConnectError:
                    assert time.monotonic() < until, log.read_text()
                    assert server.poll() is None, log.read_text()
                    time.sleep(0.1)
            http.post("/api/register", json={"name": "Annabella", "password": "correct horse"})
            http.post("/api/login", json={"name": "Annabella", "password": "incorrect horse"})
            made = http.post("/api/tables", json={"book": "NJ", "is_public": False}).json()
            where = f"/api/tables/{made['id']}"
            invited = {"invitation": made["invitation"]}
            http.post(f"{where}/commands", params=invited, json={"id": "1", "command": "join", "cents": 1000})
            http.post(f"{where}/commands", json={"id": "2", "command": "open_seed", "seed": "5eed" * 16})
            assert http.get(where).json()["is_seated"]
            asyncio.run(watch(f"ws{address[4:]}{where}/ws?invitation={made['invitation']}", address))
            asyncio.run(watch(f"ws{address[4:]}{where}/ws?invitation=not{made['invitation']}", address))
            secrets = ["Annabella", "horse", made["invitation"], http.cookies["trueodds"], "5eed"]
            secrets.append(http.get("/api/me").json()["id"])
    finally:
        server.send_signal(signal.SIGTERM)
        assert server.wait(30) == 0
    with open_journal(str(tmp_path / "kept.db"), create=False) as journal:
        assert journal.read_lease(made["id"]).owner is None, "the next server would have to wait for the lease"
    key = tmp_path / "trueodds.key"
    for file in (key, tmp_path / "kept.db"):
        assert stat.S_IMODE(file.stat().st_mode) == 0o600
    lines = [json.loads(line) for line in log.read_text().splitlines()]
    assert {"/api/tables", "/api/tables/{table_id}", "/api/login"} <= {line.get("route") for line in lines}
    assert {"event": "serving", "at": address}.items() <= lines[0].items()
    assert "socket_closed" in {line["event"] for line in lines}
    for secret in [*secrets, key.read_text().strip()]:
        assert secret not in log.read_text()


def test_key_files(tmp_path: Path) -> None:
    path = tmp_path / "server.key"
    made = load_key(path)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert load_key(path) == made
    path.chmod(0o640)
    with pytest.raises(UsageError, match="chmod 600"):
        load_key(path)
    path.chmod(0o600)
    path.write_bytes(b"\xff" * 64)
    with pytest.raises(UsageError, match="not a key file"):
        load_key(path)


def test_two_processes_create_one_key_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The second finds that there is none, and then that there is one: it takes that, and leaves nothing behind."""
    path = tmp_path / "server.key"
    made = load_key(path)
    monkeypatch.setattr(Path, "exists", lambda _: False)
    assert load_key(path) == made
    assert [one.name for one in tmp_path.iterdir()] == ["server.key"]


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--key-file", "{folder}/no/such/key"], "No such file"),
        (["--key-file", "{folder}"], "must not be readable by others"),
        (["--database-url", "mysql://x"], "SQLite or PostgreSQL"),
        (["--database-url", "{folder}"], "unable to open"),
        (["--host", "192.0.2.1"], "cannot listen"),
    ],
)
def test_errors_are_one_line(tmp_path: Path, options: list[str], said: str) -> None:
    key = ["--key-file", str(tmp_path / "key")] if "--key-file" not in options else []
    database = ["--database-url", str(tmp_path / "db")] if "--database-url" not in options else []
    given = [option.format(folder=tmp_path) for option in options]
    tmp_path.chmod(0o755)
    done = subprocess.run(
        [sys.executable, "-c", RUN_CLI, "serve", *given, *key, *database],
        text=True, capture_output=True, check=False, timeout=60, cwd=tmp_path, env=ENVIRONMENT,
    )  # fmt: skip
    assert done.returncode == 2, done.stderr
    assert said in done.stderr
    assert "Traceback" not in done.stderr


def test_there_is_no_option_for_dice() -> None:
    """Scripted dice are for tests, in the process of the test."""
    told = CliRunner().invoke(app, ["serve", "--help"]).output
    assert "dice" not in told
    assert "seed" not in told
