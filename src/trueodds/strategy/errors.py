"""What can be wrong with a strategy."""

from __future__ import annotations

from trueodds.table import Refusal, Situation


class StrategyError(ValueError):
    """A strategy that makes no sense before any table is asked."""


class StrategyFileError(StrategyError):
    """A strategy file that cannot be understood: which file, on which line, and why."""

    def __init__(self, file: str, line: int, what: str) -> None:
        self.file = file
        self.line = line
        self.what = what
        super().__init__(f"{file}, line {line}: {what}")


class StrategyRefusedError(StrategyError):
    """A table does not let a strategy do what it wants: the refusal, and where it stood.

    `strategy` is its name, after the file and the line of what it wanted if it was read from one.
    """

    def __init__(self, strategy: str, what: str, refusal: Refusal, situation: Situation, where: str) -> None:
        self.strategy = strategy
        self.what = what
        self.refusal = refusal
        self.situation = situation
        super().__init__(f"{strategy} is refused: {what}: {refusal.sentence} ({refusal.code}), at: {where}")
