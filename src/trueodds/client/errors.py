"""What a client can be told."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


class ClientError(Exception):
    """The server could not be asked, or answered what it never should."""


class RefusedError(ClientError):
    """A no of the server: a stable code, a sentence, and where it helps how long to wait. `more` has all it said."""

    def __init__(self, error: Mapping[str, Any], status: int | None = None) -> None:
        super().__init__(str(error.get("sentence", "refused")))
        self.code = str(error.get("code", "unknown"))
        self.sentence = str(self)
        self.wait_ms: int | None = error.get("wait_ms")
        self.status = status
        self.more = dict(error)


class UnfairError(ClientError):
    """The server did not keep to docs/fairness.md: a lock or a roll is not what it had to be."""

    def __init__(self, roll: int, faults: list[str]) -> None:
        super().__init__(f"roll {roll}: {'; '.join(faults)}")
        self.roll = roll
        self.faults = faults
