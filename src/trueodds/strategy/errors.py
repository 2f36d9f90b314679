"""What can be wrong with a strategy."""

from __future__ import annotations

from trueodds.table import Refusal, Refused, Situation


class StrategyError(ValueError):
    """A strategy that makes no sense before any table is asked."""


class StrategyRefusedError(StrategyError):
    """A table does not let a strategy do what it wants: the refusal, and where it stood."""

    def __init__(self, strategy: str, what: str, refusal: Refusal, situation: Situation, where: str) -> None:
        self.strategy = strategy
        self.refusal = refusal
        self.situation = situation
        super().__init__(f"{strategy} is refused: {what}: {Refused(refusal)} ({refusal.code}), at: {where}")
