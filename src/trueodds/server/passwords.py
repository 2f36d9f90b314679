"""Password hashing with argon2id, and a lockout after wrong passwords."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterator
from contextlib import contextmanager
from threading import BoundedSemaphore, Lock
from typing import Final

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError

from trueodds.journal.people import normalize_name
from trueodds.server.errors import ApiError
from trueodds.server.settings import Settings

_MAX_NAMES: Final = 20_000
_MAX_CONCURRENT: Final = 2
"""Each hash needs 64 MiB, so that only a few may run at once."""

_MAX_QUEUED: Final = 8
"""A queued login holds a thread that other requests need. Further logins are refused."""


class Passwords:
    """Hashes and verifies passwords. Blocking: never call it on the event loop."""

    def __init__(self, settings: Settings) -> None:
        self._hasher = PasswordHasher(time_cost=settings.argon_time, memory_cost=settings.argon_memory_kib)
        self._running = BoundedSemaphore(_MAX_CONCURRENT)
        self._admitted = BoundedSemaphore(_MAX_CONCURRENT + _MAX_QUEUED)
        self._dummy_hash = self._hasher.hash("nobody has this password")

    def hash(self, password: str) -> str:
        """Return the salted hash of a password."""
        with self._slot():
            return self._hasher.hash(password)

    def verify(self, password_hash: str | None, password: str) -> bool:
        """Return whether a password matches its hash. Without a hash, return False after the same work."""
        with self._slot():
            try:
                self._hasher.verify(password_hash or self._dummy_hash, password)
            except (VerificationError, InvalidHashError):
                return False
        return password_hash is not None

    @contextmanager
    def _slot(self) -> Iterator[None]:
        if not self._admitted.acquire(blocking=False):
            raise ApiError(503, "busy", "Too many logins at once: try again", retry_after_ms=1000)
        try:
            with self._running:
                yield
        finally:
            self._admitted.release()


class LoginLockout:
    """Counts wrong passwords in a row by name, whether or not an account has that name."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._lock = Lock()
        self._failures: OrderedDict[str, tuple[int, int]] = OrderedDict()

    def start_attempt(self, name: str) -> int:
        """Start a login attempt. Return 0, or how many milliseconds the name is still locked.

        An attempt counts as a failure until `clear`, so that concurrent attempts count as well. After a lockout the
        count starts again.
        """
        key, now, settings = normalize_name(name), self._settings.clock(), self._settings
        with self._lock:
            count, failed_ms = self._failures.pop(key, (0, now))
            # If the clock was set back, a name stays locked for at most the lockout time.
            remaining_ms = min(failed_ms + settings.lockout_ms - now, settings.lockout_ms)
            if count >= settings.max_login_failures and remaining_ms > 0:
                self._failures[key] = (count, failed_ms)
                return remaining_ms
            self._failures[key] = (count + 1 if remaining_ms > 0 else 1, now)
            if len(self._failures) > _MAX_NAMES:
                self._failures.popitem(last=False)
            return 0

    def cancel_attempt(self, name: str) -> None:
        """Undo `start_attempt` because the password was not checked."""
        key = normalize_name(name)
        with self._lock:
            count, failed_ms = self._failures.get(key, (0, 0))
            if count:
                self._failures[key] = (count - 1, failed_ms)

    def clear(self, name: str) -> None:
        """Forget the failures of a name after a correct password."""
        with self._lock:
            self._failures.pop(normalize_name(name), None)
