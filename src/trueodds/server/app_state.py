"""The state of the app: the table manager, the journal, the settings, and caches shared by all requests."""

from __future__ import annotations

from ipaddress import IPv4Address, ip_address, ip_network
from threading import Lock
from typing import Final

from starlette.requests import HTTPConnection

from trueodds.journal import Journal, Person
from trueodds.server.errors import ApiError
from trueodds.server.event_view import EventFrames
from trueodds.server.health import HealthCheck
from trueodds.server.login_cookie import COOKIE_NAME, CookieOwner, parse_cookie
from trueodds.server.metrics import Metrics
from trueodds.server.odds_cache import OddsCache
from trueodds.server.odds_view import compute_odds
from trueodds.server.passwords import LoginLockout, Passwords
from trueodds.server.player_names import PlayerNames
from trueodds.server.rate_limit import RateLimiter
from trueodds.server.settings import Settings
from trueodds.server.table_access import TableAccess
from trueodds.server.table_currencies import TableCurrencies
from trueodds.server.table_snapshot import DealerCache
from trueodds.service.table_manager import TableManager

_MAX_CACHED: Final = 20_000
PERSON_CACHE_MS: Final = 5_000
"""How long a person stays cached. It is short because another process may delete the account."""


class AppState:
    """Everything that request handlers share."""

    def __init__(self, table_manager: TableManager, journal: Journal, settings: Settings) -> None:
        self.table_manager = table_manager
        self.journal = journal
        self.settings = settings
        self.player_names = PlayerNames(journal.people, settings.clock)
        self.currencies = TableCurrencies(journal)
        self.table_access = TableAccess(journal, settings.key)
        self.event_frames = EventFrames(self.player_names, self.currencies, settings.clock)
        self.dealers = DealerCache()
        self.odds_cache = OddsCache(compute_odds)
        self.metrics = Metrics()
        self.health = HealthCheck(journal.database, settings.clock)
        self.passwords = Passwords(settings)
        self.login_lockout = LoginLockout(settings)
        self.socket_counts: dict[str, int] = {}
        self._person_cache: dict[str, tuple[Person, int]] = {}
        self._invalidations = 0
        self._cache_lock = Lock()
        self._cookie_cache: dict[str, tuple[CookieOwner, int]] = {}
        self._request_limiter = RateLimiter(settings.request_rate, settings.clock)
        self._command_limiter = RateLimiter(settings.command_rate, settings.clock)
        self._signup_limiter = RateLimiter(settings.signup_rate, settings.clock)

    def close(self) -> None:
        """Stop background work. The table manager and the journal belong to the caller."""
        self.odds_cache.close()

    def client_key(self, connection: HTTPConnection) -> str:
        """Return what identifies a client for rate limits: its cookie, or its address."""
        owner = self._cookie_owner(connection)
        return client_address(connection) if owner is None else cookie_client_key(*owner)

    def cookie_person_id(self, connection: HTTPConnection) -> str | None:
        """Return the person id in a client's cookie, without checking that the account still exists."""
        owner = self._cookie_owner(connection)
        return None if owner is None else owner.person_id

    def _cookie_owner(self, connection: HTTPConnection) -> CookieOwner | None:
        """Return the owner of a client's cookie. Verified signatures are cached."""
        text = connection.cookies.get(COOKIE_NAME)
        if text is None:
            return None
        parsed = self._cookie_cache.get(text)
        if parsed is None:
            parsed = parse_cookie(self.settings, text)
            if parsed is None:
                return None
            if len(self._cookie_cache) >= _MAX_CACHED:
                self._cookie_cache.clear()
            self._cookie_cache[text] = parsed
        owner, expires_ms = parsed
        return owner if self.settings.clock() < expires_ms else None

    def find_person(self, connection: HTTPConnection) -> Person | None:
        """Return the person behind a client's cookie, or None. It queries the database."""
        owner, invalidations = self._cookie_owner(connection), self._invalidations
        person = None if owner is None else self.journal.people.find(owner.person_id)
        if owner is None or person is None or person.is_deleted or person.sign_out_count != owner.sign_out_count:
            return None
        if len(self._person_cache) >= _MAX_CACHED:
            self._person_cache.clear()
        expires_ms = self.settings.clock() + PERSON_CACHE_MS
        with self._cache_lock:
            # A person invalidated during the query may be this one.
            if invalidations == self._invalidations:
                self._person_cache[person.person_id] = person, expires_ms
        return person

    def cached_person(self, connection: HTTPConnection) -> Person | None:
        """Return the person behind a client's cookie if it is cached. None means: call `find_person`."""
        owner = self._cookie_owner(connection)
        if owner is None:
            return None
        person, expires_ms = self._person_cache.get(owner.person_id, (None, 0))
        is_same = person is not None and person.sign_out_count == owner.sign_out_count
        return person if is_same and self.settings.clock() < expires_ms else None

    def invalidate_person(self, person_id: str) -> None:
        """Drop a person from the caches because the account changed."""
        with self._cache_lock:
            self._invalidations += 1
            self._person_cache.pop(person_id, None)
        self.player_names.invalidate(person_id)

    def check_request_rate(self, client: str) -> None:
        """Raise a 429 error if a client sends too many requests."""
        _raise_if_limited(self._request_limiter.take(client))

    def check_command_rate(self, client: str) -> None:
        """Raise a 429 error if a client sends too many commands."""
        _raise_if_limited(self._command_limiter.take(client))

    def check_signup_rate(self, connection: HTTPConnection) -> None:
        """Raise a 429 error if an address creates guests, accounts, logins or tables too often."""
        _raise_if_limited(self._signup_limiter.take(client_address(connection)))


def cookie_client_key(person_id: str, sign_out_count: int) -> str:
    """Return the rate-limit key of a cookie. Cookies from before a logout have another key."""
    return f"{person_id}.{sign_out_count}"


def client_address(connection: HTTPConnection) -> str:
    """Return the address of a client. For IPv6 it is the /64 network, which one client controls as a whole."""
    host = connection.client.host if connection.client else "unknown"
    try:
        address = ip_address(host)
    except ValueError:
        return host
    if isinstance(address, IPv4Address):
        return host
    return str(address.ipv4_mapped or ip_network((address.packed[:8] + bytes(8), 64)))


def _raise_if_limited(wait_ms: int) -> None:
    if wait_ms:
        message = f"Too many requests: wait {wait_ms / 1000:.1f} s"
        raise ApiError(429, "rate_limited", message, retry_after_ms=wait_ms)
