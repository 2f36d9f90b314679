"""Passwords: argon2id, the same time for names that exist and names that do not, and a lock after wrong ones."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterator
from contextlib import contextmanager
from threading import BoundedSemaphore, Lock
from typing import Final

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError

from trueodds.journal.people import name_key
from trueodds.server.errors import ApiError
from trueodds.server.settings import Settings

_REMEMBERED: Final = 20_000
_AT_ONCE: Final = 2
"""Each hash takes its memory; more of them at once would let anybody fill it."""

_IN_LINE: Final = 8
"""Who waits for a hash holds a thread that others need: more are told to ask again."""


class Passwords:
    """Hashes and verifies; blocking, so never on the event loop."""

    def __init__(self, settings: Settings) -> None:
        self._hasher = PasswordHasher(time_cost=settings.argon_time, memory_cost=settings.argon_memory_kib)
        self._turns = BoundedSemaphore(_AT_ONCE)
        self._line = BoundedSemaphore(_AT_ONCE + _IN_LINE)
        self._nobody = self._hasher.hash("nobody has this password")

    def hash(self, password: str) -> str:
        """Hash a password with a salt of its own."""
        with self._turn():
            return self._hasher.hash(password)

    def fits(self, password_hash: str | None, password: str) -> bool:
        """Whether a password fits; where there is no hash, the answer is no after the same work."""
        with self._turn():
            try:
                self._hasher.verify(password_hash or self._nobody, password)
            except (VerificationError, InvalidHashError):
                return False
        return password_hash is not None

    @contextmanager
    def _turn(self) -> Iterator[None]:
        if not self._line.acquire(blocking=False):
            raise ApiError(503, "busy", "too many log in at once: ask again", wait_ms=1000)
        try:
            with self._turns:
                yield
        finally:
            self._line.release()


class LockOut:
    """Counts wrong passwords in a row by name, whether anybody has that name or not."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._lock = Lock()
        self._failures: OrderedDict[str, tuple[int, int]] = OrderedDict()

    def take(self, name: str) -> int:
        """Take a try: 0 when it may be, or how many milliseconds a name is closed for.

        A try counts as wrong until it has passed, so that many at once are no more than many in a row. After a lock the
        count begins again.
        """
        key, now, settings = name_key(name), self._settings.clock(), self._settings
        with self._lock:
            count, at = self._failures.pop(key, (0, now))
            # A clock that was set back closes nobody out for longer than the lock.
            rest_ms = min(at + settings.lock_out_ms - now, settings.lock_out_ms)
            if count >= settings.failures and rest_ms > 0:
                self._failures[key] = (count, at)
                return rest_ms
            self._failures[key] = (count + 1 if rest_ms > 0 else 1, now)
            if len(self._failures) > _REMEMBERED:
                self._failures.popitem(last=False)
            return 0

    def give_back(self, name: str) -> None:
        """Let a try count for nothing: the password was not looked at."""
        key = name_key(name)
        with self._lock:
            count, at = self._failures.get(key, (0, 0))
            if count:
                self._failures[key] = (count - 1, at)

    def passed(self, name: str) -> None:
        """Forget the wrong ones: the right one was given."""
        with self._lock:
            self._failures.pop(name_key(name), None)
