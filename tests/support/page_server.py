"""A server for browser tests, with helpers to open tables and to script the dice."""

from __future__ import annotations

from typing import Any

import httpx

from support.running_server import RunningServer, http_client
from support.scripted_dice import DiceScript


class PageServer:
    """A running server and the script of its dice."""

    def __init__(self, server: RunningServer, script: DiceScript) -> None:
        self.server = server
        self.script = script
        self._owner_cookies = httpx.Cookies()
        self._spectator = httpx.Client(base_url=server.address, trust_env=False)

    def close(self) -> None:
        self._spectator.close()

    def open_table(self, book: str = "new_jersey", **options: Any) -> str:
        """Open a public table and return its id."""
        with http_client(self.server) as http:
            http.cookies = self._owner_cookies
            if not self._owner_cookies:
                assert http.post("/api/guests", json={"name": "The Owner"}).status_code == 201
                self._owner_cookies = http.cookies
            response = http.post("/api/tables", json={"book": book, "options": options})
        assert response.status_code == 201, response.text
        return str(response.json()["id"])

    def table_state(self, table: str) -> dict[str, Any]:
        """Return the snapshot of a table as a spectator sees it."""
        return dict(self._spectator.get(f"/api/tables/{table}").json())

    def events(self, table: str, after: int = 0) -> list[dict[str, Any]]:
        """Return the events of a table after a sequence number."""
        response = self._spectator.get(f"/api/tables/{table}/events", params={"after": after, "limit": 1000})
        return list(response.json()["events"])

    def next_rolls(self, table: str, *rolls: str) -> None:
        """Script the next rolls of a table."""
        self.script.set_rolls(table, int(self.table_state(table)["roll"]["number"]), *rolls)
