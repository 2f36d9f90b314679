"""Conditions that count money: what some wagers have brought since the shooter began. A strategy sees no bankroll.

Vigorish that is paid when a bet is made is not counted; what is taken from a win is. The accounts are bounded, so that
there are finitely many.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Final

from trueodds.money import Cents
from trueodds.rulebook import Spot
from trueodds.strategy.amount import cents
from trueodds.strategy.condition import Condition, Memory
from trueodds.strategy.errors import StrategyError
from trueodds.strategy.view import Outcome, View, matches, profit_of, spot_of

STOPPED: Final = "stopped"


@dataclass(frozen=True, slots=True)
class Account(Condition):
    """Something about what wagers have brought, wins less losses, since the shooter began; odds by their kind."""

    of: tuple[Spot, ...]

    def asks_about(self) -> frozenset[Spot]:
        """Ask about those."""
        return frozenset(self.of)

    def start(self) -> Memory:
        """Begin with nothing."""
        return 0

    def _brought(self, outcome: Outcome) -> int:
        return sum(
            profit_of(ruling) for ruling in outcome.rulings if any(matches(what, ruling.spot) for what in self.of)
        )


@dataclass(frozen=True, slots=True)
class Ahead(Account):
    """They have brought at least so much; an account beyond the limit, either way, is taken to be at the limit."""

    by: int
    limit: Cents

    def holds(self, view: View, memory: Any) -> bool:
        """Compare."""
        return bool(memory >= self.by)

    def remember(self, memory: Any, outcome: Outcome) -> Memory:
        """Add up; a new shooter begins anew."""
        if outcome.seven_out:
            return 0
        return max(-self.limit, min(self.limit, memory + self._brought(outcome)))


@dataclass(frozen=True, slots=True)
class Stopped(Account):
    """They were so much ahead or so much behind at some time since the shooter began."""

    win: Cents
    lose: Cents

    def holds(self, view: View, memory: Any) -> bool:
        """Recall."""
        return bool(memory == STOPPED)

    def remember(self, memory: Any, outcome: Outcome) -> Memory:
        """Add up until it is enough; a new shooter begins anew."""
        if outcome.seven_out:
            return 0
        if memory == STOPPED:
            return memory
        brought = memory + self._brought(outcome)
        return brought if -self.lose < brought < self.win else STOPPED


def ahead(*of: Spot | str, by: Any, limit: Any) -> Condition:
    """While these wagers have brought at least so much since the shooter began; less than nothing is behind.

    >>> ahead("pass", "field", by=10, limit=100).by
    1000
    """
    wanted, most = signed_cents(by), cents(limit, "a limit")
    if not -most < wanted <= most:
        msg = f"ahead counts within its limit of {limit}, and {by} is not"
        raise StrategyError(msg)
    return Ahead(_spots(of), wanted, most)


def stopped(*of: Spot | str, win: Any, lose: Any) -> Condition:
    """Once these wagers were so much ahead or so much behind, until the next shooter.

    >>> quiet = ~stopped("field", win=50, lose=30)
    """
    return Stopped(_spots(of), cents(win, "a stop"), cents(lose, "a stop"))


def signed_cents(amount: object) -> int:
    """Read an amount that may be nothing or less.

    >>> signed_cents(0), signed_cents(-4), signed_cents("-12.50")
    (0, -400, -1250)
    """
    if amount == 0 and type(amount) is int:
        return 0
    if type(amount) is int and amount < 0:
        return -cents(-amount, "an amount")
    if isinstance(amount, str) and amount.startswith("-"):
        return -cents(amount[1:], "an amount")
    return cents(amount, "an amount")


def _spots(of: Iterable[Spot | str]) -> tuple[Spot, ...]:
    spots = tuple(spot_of(what) for what in of)
    if not spots:
        raise StrategyError("an account is kept of some wagers, not of none")
    return spots
