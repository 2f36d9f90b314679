"""The desk: what every question is answered with."""

from __future__ import annotations

import asyncio
from concurrent.futures import Future
from typing import Annotated, Any, Final, TypeVar

from fastapi import Depends
from starlette.requests import HTTPConnection

from trueodds.journal import Journal, Person
from trueodds.server.cookie import NAME, read_cookie
from trueodds.server.errors import ApiError
from trueodds.server.events import Frames
from trueodds.server.invitation import Doors
from trueodds.server.metrics import Metrics
from trueodds.server.names import Names
from trueodds.server.passwords import LockOut, Passwords
from trueodds.server.rates import Buckets
from trueodds.server.settings import Settings
from trueodds.server.snapshot import Dealers
from trueodds.service.floor import Floor

T = TypeVar("T")
FLOOR_S: Final = 30.0
_REMEMBERED: Final = 20_000
SEEN_MS: Final = 5_000
"""How long somebody who was found is taken to be there still: another process may delete an account, too."""


class Desk:
    """Floor, journal and settings, with what is counted and remembered between questions."""

    def __init__(self, floor: Floor, journal: Journal, settings: Settings) -> None:
        self.floor = floor
        self.journal = journal
        self.settings = settings
        self.names = Names(journal.people, settings.clock)
        self.doors = Doors(journal, settings.key)
        self.frames = Frames(self.names, settings.clock)
        self.dealers = Dealers()
        self.metrics = Metrics()
        self.passwords = Passwords(settings)
        self.lock_out = LockOut(settings)
        self.sockets: dict[str, int] = {}
        self._seen: dict[str, int] = {}
        self._requests = Buckets(settings.requests, settings.clock)
        self._wishes = Buckets(settings.wishes, settings.clock)
        self._door = Buckets(settings.door, settings.clock)

    def client_of(self, connection: HTTPConnection) -> str:
        """Tell clients apart: by their cookie, or by their address."""
        known = read_cookie(self.settings, connection.cookies.get(NAME))
        return known or address_of(connection)

    def person(self, connection: HTTPConnection) -> Person | None:
        """Find who asks; asks the database."""
        person_id = read_cookie(self.settings, connection.cookies.get(NAME))
        person = None if person_id is None else self.journal.people.find(person_id)
        if person is None or person.is_deleted:
            return None
        if len(self._seen) >= _REMEMBERED:
            self._seen.clear()
        self._seen[person.person_id] = self.settings.clock() + SEEN_MS
        return person

    def has_seen(self, person_id: str) -> bool:
        """Whether somebody was found a moment ago; the database has to say of whom that is not so."""
        return self.settings.clock() < self._seen.get(person_id, 0)

    def forget(self, person_id: str) -> None:
        """Ask the database again who somebody is: the name changed, or the account was deleted."""
        self._seen.pop(person_id, None)
        self.names.forget(person_id)

    def take_request(self, client: str) -> None:
        """Refuse a client that asks too often."""
        _refuse_haste(self._requests.wait_ms(client))

    def take_wish(self, client: str) -> None:
        """Refuse a client that wishes too often."""
        _refuse_haste(self._wishes.wait_ms(client))

    def take_door(self, connection: HTTPConnection) -> None:
        """Refuse an address that makes guests, registers or logs in too often."""
        _refuse_haste(self._door.wait_ms(address_of(connection)))


def address_of(connection: HTTPConnection) -> str:
    """Give the address of a client."""
    return connection.client.host if connection.client else "unknown"


def _refuse_haste(wait_ms: int) -> None:
    if wait_ms:
        raise ApiError(429, "too_often", f"too often: wait {wait_ms / 1000:.1f} s", wait_ms=wait_ms)


async def kept(promise: Future[T]) -> T:
    """Wait for the floor, but not for ever."""
    try:
        return await asyncio.wait_for(asyncio.wrap_future(promise), FLOOR_S)
    except TimeoutError:
        raise ApiError(503, "unavailable", "the floor does not answer", wait_ms=1000) from None


async def the_desk(connection: HTTPConnection) -> Desk:
    """Find the desk of this app."""
    desk: Desk = connection.app.state.desk
    return desk


AtDesk = Annotated[Desk, Depends(the_desk)]


async def not_too_often(connection: HTTPConnection, desk: AtDesk) -> None:
    """Count a question against its client."""
    desk.take_request(desk.client_of(connection))


async def at_the_door(connection: HTTPConnection, desk: AtDesk) -> None:
    """Count somebody who comes in against their address."""
    desk.take_door(connection)


def who_asks(connection: HTTPConnection, desk: AtDesk) -> Person | None:
    """Find who asks, in a thread."""
    return desk.person(connection)


Asker = Annotated[Person | None, Depends(who_asks)]


def somebody(asker: Asker) -> Person:
    """Refuse those whom nobody knows here."""
    if asker is None:
        raise ApiError(401, "nobody", "come in as a guest or log in first")
    return asker


Known = Annotated[Person, Depends(somebody)]
Json = dict[str, Any]
