"""Errors of the client."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Self

from trueodds.errors import TrueoddsError


class ClientError(TrueoddsError):
    """The server could not be reached, or sent an invalid response."""


class ServerRefusedError(ClientError):
    """The server refused a request or a command.

    `code` is stable. `details` is the whole error object, and `retry_after_ms` is set if a retry makes sense.
    """

    def __init__(self, error: Mapping[str, Any], status: int | None = None) -> None:
        super().__init__(str(error.get("message", "refused")))
        self.code = str(error.get("code", "unknown"))
        self.message = str(self)
        self.retry_after_ms: int | None = error.get("retry_after_ms")
        self.status = status
        self.details = dict(error)

    def __reduce__(self) -> tuple[type[Self], tuple[dict[str, Any], int | None]]:
        return type(self), (self.details, self.status)


class UnfairServerError(ClientError):
    """The server broke the protocol of docs/fairness.md: a lock or a roll is wrong."""

    def __init__(self, roll: int, faults: list[str]) -> None:
        super().__init__(f"roll {roll}: {'; '.join(faults)}")
        self.roll = roll
        self.faults = faults

    def __reduce__(self) -> tuple[type[Self], tuple[int, list[str]]]:
        return type(self), (self.roll, self.faults)
