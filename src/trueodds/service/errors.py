"""What the service answers when it does not do something."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from trueodds.fair import FairError
from trueodds.journal import FundsError
from trueodds.money import money
from trueodds.table import Refused


class ServiceRefused(Exception):  # noqa: N818  it is an answer, not an error of a program
    """A wish that was not granted: a stable code, a sentence, and where it helps how long to wait. Nothing changed.

    `more` is what else the asker is told.
    """

    def __init__(
        self, code: str, sentence: str, wait_ms: int | None = None, more: Mapping[str, Any] | None = None
    ) -> None:
        super().__init__(sentence)
        self.code = code
        self.sentence = sentence
        self.wait_ms = wait_ms
        self.more = dict(more or {})

    @classmethod
    def of(cls, error: Exception, currency: str) -> ServiceRefused:
        """Say the no of the rules, of the dice or of the ledger in the words of the service."""
        if isinstance(error, ServiceRefused):
            return error
        if isinstance(error, FundsError):
            has, needs = money(error.has, currency), money(error.needs, currency)
            return cls("funds", f"this takes {needs}, and there is {has} in the rack")
        return cls(str(error.code), str(error))  # type: ignore[attr-defined]  # see NOES


NOT_AT_TABLE: Final = ("not_at_table", "sit down first")
"""What somebody without a seat is told: the code and the sentence."""

NOES = (ServiceRefused, Refused, FairError, FundsError)
"""Everything that is a no to a wish and not a fault: each but the last carries its code."""
