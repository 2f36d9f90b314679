"""Passwords: argon2id, the same time for names that exist and names that do not, and a lock after wrong ones."""

from __future__ import annotations

from collections import OrderedDict
from threading import BoundedSemaphore, Lock
from typing import Final

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError

from trueodds.journal.people import name_key
from trueodds.server.settings import Settings

_REMEMBERED: Final = 20_000
_AT_ONCE: Final = 2
"""Each hash takes its memory; more of them at once would let anybody fill it."""


class Passwords:
    """Hashes and verifies; blocking, so never on the event loop."""

    def __init__(self, settings: Settings) -> None:
        self._hasher = PasswordHasher(time_cost=settings.argon_time, memory_cost=settings.argon_memory_kib)
        self._turns = BoundedSemaphore(_AT_ONCE)
        self._nobody = self._hasher.hash("nobody has this password")

    def hash(self, password: str) -> str:
        """Hash a password with a salt of its own."""
        with self._turns:
            return self._hasher.hash(password)

    def fits(self, password_hash: str | None, password: str) -> bool:
        """Whether a password fits; where there is no hash, the answer is no after the same work."""
        with self._turns:
            try:
                self._hasher.verify(password_hash or self._nobody, password)
            except (VerificationError, InvalidHashError):
                return False
        return password_hash is not None


class LockOut:
    """Counts wrong passwords in a row by name, whether anybody has that name or not."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._lock = Lock()
        self._failures: OrderedDict[str, tuple[int, int]] = OrderedDict()

    def wait_ms(self, name: str) -> int:
        """How long a name is closed for; 0 when it is not."""
        count, at = self._failures.get(name_key(name), (0, 0))
        if count < self._settings.failures:
            return 0
        return max(0, at + self._settings.lock_out_ms - self._settings.clock())

    def failed(self, name: str) -> None:
        """Count a wrong password; after a lock the count begins again."""
        key, now = name_key(name), self._settings.clock()
        with self._lock:
            count, at = self._failures.pop(key, (0, now))
            over = now >= at + self._settings.lock_out_ms
            self._failures[key] = (1 if over else count + 1, now)
            if len(self._failures) > _REMEMBERED:
                self._failures.popitem(last=False)

    def passed(self, name: str) -> None:
        """Forget the wrong ones."""
        with self._lock:
            self._failures.pop(name_key(name), None)
