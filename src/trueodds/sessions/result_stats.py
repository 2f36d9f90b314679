"""Statistics that exact sessions and simulations have in common."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from fractions import Fraction
from typing import Final

from trueodds.automaton.calculation_errors import SessionError
from trueodds.sessions.session_limits import SessionLimits

SUMMARY_QUANTILES: Final = (0.01, 0.05, 0.25, 0.5, 0.75, 0.95, 0.99)


class ResultStats(ABC):
    """Statistics of a distribution of net results in cents, computed or sampled."""

    limits: SessionLimits

    @property
    def bankroll_cents(self) -> int:
        """The bankroll at the start of the session."""
        return self.limits.bankroll_cents

    @abstractmethod
    def chance(self, condition: Callable[[int], bool]) -> float | Fraction:
        """Return the chance that the net result in cents meets a condition.

        For example, `chance(lambda result_cents: result_cents >= 10000)` is the chance of winning at least 100 dollars.
        """

    @abstractmethod
    def quantile_cents(self, share: float) -> int:
        """Return the smallest net result that at least this share of sessions does not exceed."""

    @property
    def profit_chance(self) -> float | Fraction:
        """The chance of ending with more than the bankroll."""
        return self.chance(lambda result_cents: result_cents > 0)

    @property
    def doubling_chance(self) -> float | Fraction:
        """The chance of ending with at least twice the bankroll."""
        return self.chance(lambda result_cents: result_cents >= self.bankroll_cents)

    @property
    def quantiles_cents(self) -> dict[float, int]:
        """The net results at the quantiles of the summary."""
        return {share: self.quantile_cents(share) for share in SUMMARY_QUANTILES}


def check_quantile(share: float) -> None:
    """Raise SessionError unless the share is between 0 and 1."""
    if not 0 <= share <= 1:
        raise SessionError(f"quantile must be between 0 and 1, got {share!r}")
