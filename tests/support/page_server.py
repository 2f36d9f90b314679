"""A server for tests of the page, with tables to come to and dice that can be written down before they fall."""

from __future__ import annotations

from typing import Any

import httpx

from running_server import Running, asking
from scripted_dice import Script


class House:
    """A running server, and the script of its dice."""

    def __init__(self, server: Running, script: Script) -> None:
        self.server = server
        self.script = script
        self._owner = httpx.Cookies()
        self._passer_by = httpx.Client(base_url=server.address, trust_env=False)

    def close(self) -> None:
        self._passer_by.close()

    def table(self, book: str = "new_jersey", **options: Any) -> str:
        """Open a table that anybody may come to; give its id."""
        with asking(self.server) as http:
            http.cookies = self._owner
            if not self._owner:
                assert http.post("/api/guests", json={"name": "The Owner"}).status_code == 201
                self._owner = http.cookies
            made = http.post("/api/tables", json={"book": book, "options": options})
        assert made.status_code == 201, made.text
        return str(made.json()["id"])

    def look(self, table: str) -> dict[str, Any]:
        """Look at a table as somebody who passes by."""
        return dict(self._passer_by.get(f"/api/tables/{table}").json())

    def rows(self, table: str, after: int = 0) -> list[dict[str, Any]]:
        """Read what happened at a table after a number."""
        answer = self._passer_by.get(f"/api/tables/{table}/rows", params={"after": after, "limit": 1000})
        return list(answer.json()["rows"])

    def next_rolls(self, table: str, *rolls: str) -> None:
        """Write down how the dice fall next."""
        self.script.write(table, int(self.look(table)["roll"]["number"]), *rolls)
