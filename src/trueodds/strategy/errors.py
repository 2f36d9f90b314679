"""Exceptions raised for strategies."""

from __future__ import annotations

from trueodds.errors import TrueoddsError
from trueodds.table import Refusal, Situation


class StrategyError(TrueoddsError, ValueError):
    """Raised for a strategy that is invalid, or that a house does not allow."""


class StrategyFileError(StrategyError):
    """Raised for a strategy file that is invalid or cannot be read.

    It has the file, the line and a message. The line is None if the file cannot be read.
    """

    def __init__(self, file: str, line: int | None, message: str) -> None:
        self.file = file
        self.line = line
        self.message = message
        super().__init__(file, line, message)

    def __str__(self) -> str:
        line = "" if self.line is None else f", line {self.line}"
        return f"{self.file}{line}: {self.message}"


class StrategyRefusedError(StrategyError):
    """Raised when the dealer refuses an action of a strategy.

    `strategy` is the name of the strategy and `source` the file and line of the play, or "" for a play written in
    Python. `position` is the notation of the position before the decision.
    """

    def __init__(
        self, strategy: str, action: str, refusal: Refusal, situation: Situation, position: str, source: str = ""
    ) -> None:
        self.strategy = strategy
        self.action = action
        self.refusal = refusal
        self.situation = situation
        self.position = position
        self.source = source
        super().__init__(strategy, action, refusal, situation, position, source)

    def __str__(self) -> str:
        prefix = f"{self.source}: " if self.source else ""
        refusal = f"{self.refusal.sentence} ({self.refusal.code})"
        return f"{prefix}{self.strategy} is refused: {self.action}: {refusal}, at: {self.position}"
