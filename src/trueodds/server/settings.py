"""Settings of a server."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from trueodds.fair import ServerKey


class Rate(NamedTuple):
    """A rate limit: a burst, then a steady rate per second."""

    burst: int
    per_second: float


REQUEST_RATE: Final = Rate(120, 40)
COMMAND_RATE: Final = Rate(60, 20)
SIGNUP_RATE: Final = Rate(30, 0.5)


def now_ms() -> int:
    """Return the current time in milliseconds since 1970."""
    return time.time_ns() // 1_000_000


@dataclass(frozen=True, slots=True)
class Settings:
    """Settings of a server.

    - `key` signs cookies and invitations.
    - `origins` may send requests besides the server's own pages. `secure` means that the server is behind TLS.
    - `max_body_bytes` and `body_timeout_s` limit request bodies.
    - `request_rate` and `command_rate` are limits per client. `signup_rate` limits guests, registrations, logins and
      new tables per address.
    - A socket is closed if it is `outbox_events` behind, or if one frame takes longer than `send_timeout_s`.
    - `max_login_failures` wrong passwords in a row lock a name for `lockout_ms`.
    """

    key: ServerKey
    origins: frozenset[str] = frozenset()
    secure: bool = False
    max_body_bytes: int = 16_384
    body_timeout_s: float = 20
    request_rate: Rate = REQUEST_RATE
    command_rate: Rate = COMMAND_RATE
    signup_rate: Rate = SIGNUP_RATE
    outbox_events: int = 512
    send_timeout_s: float = 20
    sockets_per_client: int = 16
    cookie_ms: int = 30 * 24 * 3600 * 1000
    max_login_failures: int = 5
    lockout_ms: int = 15 * 60 * 1000
    argon_memory_kib: int = 65_536
    argon_time: int = 3
    clock: Callable[[], int] = field(default=now_ms)
