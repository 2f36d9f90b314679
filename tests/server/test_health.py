"""The health check, and what is acknowledged while nothing can be written."""

from __future__ import annotations

import logging
from collections.abc import Callable
from pathlib import Path

import httpx
import pytest

from support.running_server import RunningServer, http_client
from support.table_managers import until
from trueodds.journal import DatabaseUnavailableError, open_journal
from trueodds.server.health import CHECK_INTERVAL_MS, HealthCheck


def command(http: httpx.Client, table: str, number: int, **fields: object) -> httpx.Response:
    return http.post(f"/api/tables/{table}/commands", json={"id": str(number), **fields})


def test_a_bet_is_not_acknowledged_while_the_database_is_gone(
    serve: Callable[..., RunningServer], tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    server = serve()
    with http_client(server) as http, caplog.at_level(logging.ERROR):
        http.post("/api/guests", json={"name": "Ann"})
        table = http.post("/api/tables", json={"book": "NJ"}).json()["id"]
        assert command(http, table, 1, command="join", cents=50_000).status_code == 200
        assert http.get("/healthz").status_code == 200
        (tmp_path / "moved").mkdir()
        for file in tmp_path.glob("server.db*"):
            file.rename(tmp_path / "moved" / file.name)
        refused = command(http, table, 2, command="bet", spot="pass", stake_cents=1000)
        assert (refused.status_code, refused.json()["error"]["code"]) == (503, "unavailable")
        until(lambda: http.get("/healthz").status_code == 503)
        assert "cannot write to the database" in caplog.text
        for left in tmp_path.glob("server.db*"):
            left.unlink()
        for file in (tmp_path / "moved").iterdir():
            file.rename(tmp_path / file.name)
        until(lambda: http.get("/healthz").status_code == 200)
        until(lambda: command(http, table, 3, command="bet", spot="pass", stake_cents=1000).status_code == 200)
        seats = http.get(f"/api/tables/{table}").json()["position"]["seats"]
        assert [len(seat["wagers"]) for seat in seats] == [1]


def test_frequent_checks_write_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    now_ms, writes = [0], list[int]()
    with open_journal(f"sqlite:///{tmp_path / 'journal.db'}") as journal:
        health = HealthCheck(journal.database, lambda: now_ms[0])
        monkeypatch.setattr(journal.database, "check_writable", lambda: writes.append(now_ms[0]))
        for time_ms in (0, 1, CHECK_INTERVAL_MS - 1, CHECK_INTERVAL_MS, 0):
            now_ms[0] = time_ms
            health.check()
        assert writes == [0, CHECK_INTERVAL_MS, 0]  # the clock was set back at the end

        def fail() -> None:
            raise DatabaseUnavailableError("the disk is full")

        monkeypatch.setattr(journal.database, "check_writable", fail)
        health.check()
        now_ms[0] = CHECK_INTERVAL_MS
        for _ in range(2):
            with pytest.raises(DatabaseUnavailableError, match="full"):
                health.check()
