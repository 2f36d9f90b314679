"""The desk: what every question is answered with."""

from __future__ import annotations

import asyncio
from concurrent.futures import Future
from ipaddress import IPv4Address, ip_address, ip_network
from threading import Lock
from typing import Annotated, Any, Final, TypeVar

from fastapi import Depends
from starlette.requests import HTTPConnection

from trueodds.journal import Journal, Person
from trueodds.server.cards import Cards
from trueodds.server.cookie import NAME, Signed, open_cookie
from trueodds.server.currency import Currencies
from trueodds.server.errors import ApiError
from trueodds.server.events import Frames
from trueodds.server.figures import work_out
from trueodds.server.invitation import Doors
from trueodds.server.metrics import Metrics
from trueodds.server.names import Names
from trueodds.server.passwords import LockOut, Passwords
from trueodds.server.rates import Buckets
from trueodds.server.relay import relay_here
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
        self.currencies = Currencies(journal)
        self.doors = Doors(journal, settings.key)
        self.frames = Frames(self.names, self.currencies, settings.clock)
        self.dealers = Dealers()
        self.cards = Cards(work_out)
        self.metrics = Metrics()
        self.passwords = Passwords(settings)
        self.lock_out = LockOut(settings)
        self.sockets: dict[str, int] = {}
        self._seen: dict[str, tuple[Person, int]] = {}
        self._forgotten = 0
        self._seeing = Lock()
        self._cookies: dict[str, tuple[Signed, int]] = {}
        self._requests = Buckets(settings.requests, settings.clock)
        self._wishes = Buckets(settings.wishes, settings.clock)
        self._door = Buckets(settings.door, settings.clock)

    def close(self) -> None:
        """Begin nothing more. Floor and journal are closed by whoever made them."""
        self.cards.close()

    def client_of(self, connection: HTTPConnection) -> str:
        """Tell clients apart: by their cookie, or by their address."""
        signed = self._signed(connection)
        return address_of(connection) if signed is None else client_name(*signed)

    def id_of(self, connection: HTTPConnection) -> str | None:
        """Give the id that a client's cookie says, whether there is still somebody behind it or not."""
        signed = self._signed(connection)
        return None if signed is None else signed.person_id

    def _signed(self, connection: HTTPConnection) -> Signed | None:
        """Read a client's cookie; a signature that was checked is known for a while."""
        text = connection.cookies.get(NAME)
        if text is None:
            return None
        found = self._cookies.get(text)
        if found is None:
            found = open_cookie(self.settings, text)
            if found is None:
                return None
            if len(self._cookies) >= _REMEMBERED:
                self._cookies.clear()
            self._cookies[text] = found
        signed, until_ms = found
        return signed if self.settings.clock() < until_ms else None

    def person(self, connection: HTTPConnection) -> Person | None:
        """Find who asks; asks the database."""
        signed, forgotten = self._signed(connection), self._forgotten
        person = None if signed is None else self.journal.people.find(signed.person_id)
        if signed is None or person is None or person.is_deleted or person.epoch != signed.epoch:
            return None
        if len(self._seen) >= _REMEMBERED:
            self._seen.clear()
        until_ms = self.settings.clock() + SEEN_MS
        with self._seeing:
            # Whoever was forgotten while the database was asked may be this one.
            if forgotten == self._forgotten:
                self._seen[person.person_id] = person, until_ms
        return person

    def seen(self, connection: HTTPConnection) -> Person | None:
        """Give who asks if they were found a moment ago; the database has to say of whom that is not so."""
        signed = self._signed(connection)
        if signed is None:
            return None
        person, until_ms = self._seen.get(signed.person_id, (None, 0))
        is_same = person is not None and person.epoch == signed.epoch
        return person if is_same and self.settings.clock() < until_ms else None

    def forget(self, person_id: str) -> None:
        """Ask the database again who somebody is: something about them changed."""
        with self._seeing:
            self._forgotten += 1
            self._seen.pop(person_id, None)
        self.names.forget(person_id)

    def take_request(self, client: str) -> None:
        """Refuse a client that asks too often."""
        _refuse_haste(self._requests.wait_ms(client))

    def take_wish(self, client: str) -> None:
        """Refuse a client that wishes too often."""
        _refuse_haste(self._wishes.wait_ms(client))

    def take_door(self, connection: HTTPConnection) -> None:
        """Refuse an address that makes guests or tables, registers or logs in too often."""
        _refuse_haste(self._door.wait_ms(address_of(connection)))


def client_name(person_id: str, epoch: int) -> str:
    """Name a client by its cookie; one that was logged out since takes nothing from whoever was not."""
    return f"{person_id}.{epoch}"


def address_of(connection: HTTPConnection) -> str:
    """Give the address of a client; of IPv6 its network, since one who has an address there has 2^64 of them."""
    host = connection.client.host if connection.client else "unknown"
    try:
        address = ip_address(host)
    except ValueError:
        return host
    if isinstance(address, IPv4Address):
        return host
    return str(address.ipv4_mapped or ip_network((address.packed[:8] + bytes(8), 64)))


def _refuse_haste(wait_ms: int) -> None:
    if wait_ms:
        raise ApiError(429, "too_often", f"too often: wait {wait_ms / 1000:.1f} s", wait_ms=wait_ms)


async def kept(promise: Future[T]) -> T:
    """Wait for the floor, but not for ever."""
    loop, relay = asyncio.get_running_loop(), relay_here()
    waiting: asyncio.Future[T] = loop.create_future()
    promise.add_done_callback(lambda done: relay.call(_settle, waiting, done))
    late = loop.call_later(FLOOR_S, _give_up, waiting)
    try:
        return await waiting
    finally:
        late.cancel()


def _settle(waiting: asyncio.Future[T], done: Future[T]) -> None:
    if waiting.done():
        return
    error = done.exception()
    if error is None:
        waiting.set_result(done.result())
    else:
        waiting.set_exception(error)


def _give_up(waiting: asyncio.Future[T]) -> None:
    if not waiting.done():
        waiting.set_exception(ApiError(503, "unavailable", "the floor does not answer", wait_ms=1000))


async def the_desk(connection: HTTPConnection) -> Desk:
    """Find the desk of this app."""
    desk: Desk = connection.app.state.desk
    return desk


AtDesk = Annotated[Desk, Depends(the_desk)]


async def not_too_often(connection: HTTPConnection, desk: AtDesk) -> None:
    """Count a question against its client."""
    desk.take_request(desk.client_of(connection))


async def at_the_door(connection: HTTPConnection, desk: AtDesk) -> None:
    """Count somebody who comes in, or makes what stays, against their address."""
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
