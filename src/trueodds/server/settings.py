"""What whoever runs a server can set."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from trueodds.fair import Key


class Rate(NamedTuple):
    """How often: so many at once, and then so many a second."""

    burst: int
    per_second: float


REQUESTS: Final = Rate(120, 40)
WISHES: Final = Rate(60, 20)
DOOR: Final = Rate(30, 0.5)


def now_ms() -> int:
    """Give the time of day in milliseconds."""
    return time.time_ns() // 1_000_000


@dataclass(frozen=True, slots=True)
class Settings:
    """`key` signs cookies and invitations; `origins` may ask besides the server's own; `secure` says it is behind TLS.

    `requests` and `wishes` are rates for each client, `door` is the rate of guests, registrations, logins and new
    tables for each address. A body has `body_bytes` at most and
    comes within `body_s`. `feed_rows` is how far a client may fall behind, and `send_s` how long one
    frame may take, before it is dropped. `failures` wrong passwords in a row
    close an account for `lock_out_ms`.
    """

    key: Key
    origins: frozenset[str] = frozenset()
    secure: bool = False
    body_bytes: int = 16_384
    body_s: float = 20
    requests: Rate = REQUESTS
    wishes: Rate = WISHES
    door: Rate = DOOR
    feed_rows: int = 512
    send_s: float = 20
    sockets_each: int = 16
    cookie_ms: int = 30 * 24 * 3600 * 1000
    failures: int = 5
    lock_out_ms: int = 15 * 60 * 1000
    argon_memory_kib: int = 65_536
    argon_time: int = 3
    clock: Callable[[], int] = field(default=now_ms)
