"""Refusals of the table service."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from trueodds.errors import TrueoddsError
from trueodds.fair import FairError
from trueodds.journal import InsufficientFundsError
from trueodds.money import format_money
from trueodds.table import Refused


class CommandRefused(TrueoddsError):  # noqa: N818  an expected reply, like `Refused`
    """A command that was refused. Nothing changed.

    It has a stable code and a message, and, where it helps, how long to wait before trying again. `details` holds more
    fields for the reply.
    """

    def __init__(
        self,
        code: str,
        message: str,
        retry_after_ms: int | None = None,
        details: Mapping[str, int | str] | None = None,
    ) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.retry_after_ms = retry_after_ms
        self.details = dict(details or {})

    def __reduce__(self) -> tuple[type[CommandRefused], tuple[object, ...]]:
        return type(self), (self.code, self.message, self.retry_after_ms, self.details)

    @classmethod
    def from_error(cls, error: Exception, currency: str) -> CommandRefused:
        """Return the refusal for one of the `REFUSALS`."""
        if isinstance(error, CommandRefused):
            return error
        if isinstance(error, InsufficientFundsError):
            has, needs = format_money(error.has_cents, currency), format_money(error.needs_cents, currency)
            return cls(error.code, f"You need {needs} and have {has} in the rack")
        return cls(str(error.code), str(error))  # type: ignore[attr-defined]  # see REFUSALS


NOT_AT_TABLE: Final = ("not_at_table", "Join the table first")
"""The code and message for a player without a seat."""

REFUSALS = (CommandRefused, Refused, FairError, InsufficientFundsError)
"""Exceptions that refuse a command, as opposed to failures. All have a `code`."""
