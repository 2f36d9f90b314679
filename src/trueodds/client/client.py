"""The HTTP client: accounts, books and tables."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any
from uuid import uuid4

import httpx

from trueodds.client.async_closeable import AsyncCloseable
from trueodds.client.errors import ClientError, ServerRefusedError
from trueodds.client.table_connection import TableConnection
from trueodds.fair import Proof

Json = dict[str, Any]


class Client(AsyncCloseable):
    """A client of one server: `async with Client("http://localhost:8000") as client`."""

    def __init__(self, address: str, *, timeout_s: float = 20) -> None:
        self.address = address.rstrip("/")
        self._http = httpx.AsyncClient(
            base_url=self.address, headers={"Origin": self.address}, timeout=timeout_s, trust_env=False
        )

    def __repr__(self) -> str:
        return f"Client({self.address!r})"

    async def create_guest(self, name: str) -> Json:
        """Create a guest and return the account."""
        return dict(await self._request("POST", "/api/guests", {"name": name}))

    async def register(self, name: str, password: str) -> Json:
        """Register a name and a password and return the account. A guest keeps the same id."""
        return dict(await self._request("POST", "/api/register", {"name": name, "password": password}))

    async def login(self, name: str, password: str) -> Json:
        """Log in and return the account."""
        return dict(await self._request("POST", "/api/login", {"name": name, "password": password}))

    async def logout(self) -> None:
        """Log out."""
        await self._request("POST", "/api/logout")

    async def account(self) -> Json:
        """Return the account."""
        return dict(await self._request("GET", "/api/me"))

    async def results(self) -> Json:
        """Return the results in `total`, in the `last_24_hours`, and by table (`tables`)."""
        return dict(await self._request("GET", "/api/me/results"))

    async def limits(self) -> Json:
        """Return the self-imposed limits, each with `current` and `pending`, and what remains of them (`remaining`)."""
        return dict(await self._request("GET", "/api/me/limits"))

    async def set_limits(self, *, loss_cents: int | None, time_ms: int | None) -> Json:
        """Set both limits; None means no limit. A looser limit takes effect after 24 hours."""
        return dict(await self._request("PUT", "/api/me/limits", {"loss_cents": loss_cents, "time_ms": time_ms}))

    async def delete_account(self) -> None:
        """Delete the account."""
        await self._request("DELETE", "/api/me")

    async def books(self) -> list[Json]:
        """List the rulebooks."""
        return list(await self._request("GET", "/api/books"))

    async def book(self, book: str) -> Json:
        """Return a book with all house options."""
        return dict(await self._request("GET", f"/api/books/{book}"))

    async def strategies(self, book: str | None = None) -> list[Json]:
        """List the built-in strategies, or only those that a book allows."""
        return list(await self._request("GET", "/api/strategies", book=book))

    async def tables(self) -> list[Json]:
        """List the public tables."""
        return list(await self._request("GET", "/api/tables"))

    async def create_table(
        self,
        book: str,
        options: Json | None = None,
        *,
        name: str = "",
        is_public: bool = True,
        bots: Sequence[str] = (),
        pace: Mapping[str, int] | None = None,
    ) -> Json:
        """Create a table and return its `id`. A private table also has an `invitation`. `bots` are strategies."""
        body: Json = {
            "book": book, "options": options or {}, "name": name, "is_public": is_public, "bots": list(bots),
        }  # fmt: skip
        if pace is not None:
            body["pace"] = dict(pace)
        return dict(await self._request("POST", "/api/tables", body))

    async def get_table(self, table_id: str, invitation: str | None = None) -> Json:
        """Return a snapshot of a table."""
        return dict(await self._request("GET", f"/api/tables/{table_id}", invitation=invitation))

    async def events(self, table_id: str, after: int = 0, invitation: str | None = None) -> Json:
        """Return the events after a sequence number."""
        return dict(await self._request("GET", f"/api/tables/{table_id}/events", after=after, invitation=invitation))

    async def proofs(self, table_id: str, after: int = 0, invitation: str | None = None) -> list[Proof]:
        """Return the proofs of up to 500 rolls after a roll number."""
        proofs = await self._request("GET", f"/api/tables/{table_id}/proofs", after=after, invitation=invitation)
        return [Proof.from_data(proof) for proof in proofs]

    async def send(
        self,
        table_id: str,
        command: str,
        *,
        command_id: str | None = None,
        invitation: str | None = None,
        **fields: object,
    ) -> Json:
        """Send a command over HTTP and return the reply."""
        body = {"id": command_id or uuid4().hex, "command": command, **fields}
        return dict(await self._request("POST", f"/api/tables/{table_id}/commands", body, invitation=invitation))

    async def connect(self, table_id: str, invitation: str | None = None) -> TableConnection:
        """Connect to a table and wait until all past events were received."""
        account = await self.account()
        cookies = "; ".join(f"{cookie.name}={cookie.value}" for cookie in self._http.cookies.jar)
        connection = TableConnection(self.address, table_id, account["id"], cookies, invitation)
        try:
            await connection.wait_caught_up()
        except BaseException:
            await connection.close()
            raise
        return connection

    async def close(self) -> None:
        """Close the HTTP connections."""
        await self._http.aclose()

    async def _request(self, method: str, path: str, body: Json | None = None, **query: str | int | None) -> Any:
        params = {key: value for key, value in query.items() if value is not None}
        try:
            response = await self._http.request(method, path, json=body, params=params)
            if response.is_success:
                return response.json() if response.content else None
            error = response.json()["error"]
        except httpx.HTTPError as failure:
            raise ClientError(f"{self.address} cannot be reached: {failure}") from failure
        except (ValueError, KeyError, TypeError):
            raise ClientError(f"Invalid response from {self.address}: it is not a trueodds server") from None
        raise ServerRefusedError(error, response.status_code)
