"""The client over HTTP: who one is, which tables there are."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any
from uuid import uuid4

import httpx

from trueodds.client.closing import Closing
from trueodds.client.errors import ClientError, RefusedError
from trueodds.client.session import Session
from trueodds.fair import Proof

Json = dict[str, Any]


class Client(Closing):
    """Somebody at a server: `async with Client("http://localhost:8000") as client`."""

    def __init__(self, address: str, *, timeout_s: float = 20) -> None:
        self.address = address.rstrip("/")
        self._http = httpx.AsyncClient(
            base_url=self.address, headers={"Origin": self.address}, timeout=timeout_s, trust_env=False
        )

    async def guest(self, name: str) -> Json:
        """Come in under a name."""
        return dict(await self._ask("POST", "/api/guests", {"name": name}))

    async def register(self, name: str, password: str) -> Json:
        """Take a name and a password; a guest stays the same person."""
        return dict(await self._ask("POST", "/api/register", {"name": name, "password": password}))

    async def login(self, name: str, password: str) -> Json:
        """Come back."""
        return dict(await self._ask("POST", "/api/login", {"name": name, "password": password}))

    async def logout(self) -> None:
        """Go."""
        await self._ask("POST", "/api/logout")

    async def me(self) -> Json:
        """Say who one is."""
        return dict(await self._ask("GET", "/api/me"))

    async def standing(self) -> Json:
        """Say how one stands: over all tables (`total`), in the last 24 hours (`day`) and at each (`tables`)."""
        return dict(await self._ask("GET", "/api/me/standing"))

    async def limits(self) -> Json:
        """Say which limits one set: for each what holds `now` and what comes `later`, and what is `left`."""
        return dict(await self._ask("GET", "/api/me/limits"))

    async def set_limits(self, *, loss_cents: int | None, time_ms: int | None) -> Json:
        """Set both limits; None is none. What is looser holds 24 hours later."""
        return dict(await self._ask("PUT", "/api/me/limits", {"loss_cents": loss_cents, "time_ms": time_ms}))

    async def forget_me(self) -> None:
        """Delete the account."""
        await self._ask("DELETE", "/api/me")

    async def books(self) -> list[Json]:
        """List the books."""
        return list(await self._ask("GET", "/api/books"))

    async def book(self, book: str) -> Json:
        """Show a book and what a house may choose under it."""
        return dict(await self._ask("GET", f"/api/books/{book}"))

    async def strategies(self, book: str | None = None) -> list[Json]:
        """List the strategies of the library, or those that a book lets play."""
        return list(await self._ask("GET", "/api/strategies", book=book))

    async def tables(self) -> list[Json]:
        """List the open tables."""
        return list(await self._ask("GET", "/api/tables"))

    async def create_table(
        self,
        book: str,
        options: Json | None = None,
        *,
        name: str = "",
        is_open: bool = True,
        bots: Sequence[str] = (),
        pace: Mapping[str, int] | None = None,
    ) -> Json:
        """Open a table; one that is not open has an `invitation` to pass on. `bots` are strategies to play with."""
        wanted: Json = {"book": book, "options": options or {}, "name": name, "open": is_open, "bots": list(bots)}
        if pace is not None:
            wanted["pace"] = dict(pace)
        return dict(await self._ask("POST", "/api/tables", wanted))

    async def look(self, table: str, invitation: str | None = None) -> Json:
        """Give a table as one sees it."""
        return dict(await self._ask("GET", f"/api/tables/{table}", invitation=invitation))

    async def rows(self, table: str, after: int = 0, invitation: str | None = None) -> Json:
        """Read rows after a number."""
        return dict(await self._ask("GET", f"/api/tables/{table}/rows", after=after, invitation=invitation))

    async def proofs(self, table: str, after: int = 0, invitation: str | None = None) -> list[Proof]:
        """Read the proofs of the rolls after one, up to 500."""
        found = await self._ask("GET", f"/api/tables/{table}/proofs", after=after, invitation=invitation)
        return [Proof.from_data(one) for one in found]

    async def wish(
        self, table: str, wish: str, *, command: str | None = None, invitation: str | None = None, **more: Any
    ) -> Json:
        """Wish for something without a session."""
        data = {"id": command or uuid4().hex, "wish": wish, **more}
        return dict(await self._ask("POST", f"/api/tables/{table}/wishes", data, invitation=invitation))

    async def join(self, table: str, invitation: str | None = None) -> Session:
        """Go to a table, and know everything that happened there when this is done."""
        me = await self.me()
        cookies = "; ".join(f"{cookie.name}={cookie.value}" for cookie in self._http.cookies.jar)
        session = Session(self.address, table, me["id"], cookies, invitation)
        try:
            await session.caught_up()
        except BaseException:
            await session.close()
            raise
        return session

    async def close(self) -> None:
        """Close the connections."""
        await self._http.aclose()

    async def _ask(self, method: str, path: str, body: Json | None = None, **query: Any) -> Any:
        given = {key: value for key, value in query.items() if value is not None}
        try:
            response = await self._http.request(method, path, json=body, params=given)
            if response.is_success:
                return response.json() if response.content else None
            said = response.json()["error"]
        except httpx.HTTPError as error:
            raise ClientError(f"{self.address} does not answer: {error}") from error
        except (ValueError, KeyError, TypeError):
            raise ClientError(f"{self.address} answers what no server of trueodds answers") from None
        raise RefusedError(said, response.status_code)
