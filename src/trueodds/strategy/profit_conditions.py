"""Conditions on the profit of some wagers since the shooter's hand began.

A strategy never sees the bankroll, only what its own wagers won and lost. Vigorish paid when a bet is made is not
counted; vigorish taken from a win is. Profits are bounded so that the memory has finitely many values.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from decimal import Decimal
from typing import Final

from trueodds.money import Cents, Dollars, parse_dollars
from trueodds.rulebook import Spot
from trueodds.strategy.conditions import Condition, Memory
from trueodds.strategy.errors import StrategyError
from trueodds.strategy.player_view import PlayerView, RollOutcome, parse_spot, profit_cents, spot_matches

STOPPED: Final = "stopped"


@dataclass(frozen=True, slots=True)
class ProfitCondition(Condition):
    """Base class of conditions on the profit of some wagers. Odds count only where their kind is named."""

    spots: tuple[Spot, ...]

    def referenced_spots(self) -> frozenset[Spot]:
        """Return the spots whose profit is counted."""
        return frozenset(self.spots)

    def initial_memory(self) -> Memory:
        """Return a profit of 0."""
        return 0

    def _profit_cents(self, outcome: RollOutcome) -> int:
        return sum(
            profit_cents(settlement)
            for settlement in outcome.settlements
            if any(spot_matches(target, settlement.spot) for target in self.spots)
        )


@dataclass(frozen=True, slots=True)
class ProfitAtLeast(ProfitCondition):
    """The profit is at least `by_cents`. A profit or loss beyond `limit_cents` counts as the limit."""

    by_cents: int
    limit_cents: Cents

    def holds(self, view: PlayerView, memory: Memory) -> bool:
        """Return whether the profit is high enough."""
        return bool(memory >= self.by_cents)

    def next_memory(self, memory: Memory, outcome: RollOutcome) -> Memory:
        """Return the profit after a roll. A seven-out resets it."""
        if outcome.seven_out:
            return 0
        return max(-self.limit_cents, min(self.limit_cents, memory + self._profit_cents(outcome)))


@dataclass(frozen=True, slots=True)
class ProfitStop(ProfitCondition):
    """The profit has reached `win_cents`, or the loss `loss_cents`, at some time in the shooter's hand."""

    win_cents: Cents
    loss_cents: Cents

    def holds(self, view: PlayerView, memory: Memory) -> bool:
        """Return whether a bound was reached."""
        return bool(memory == STOPPED)

    def next_memory(self, memory: Memory, outcome: RollOutcome) -> Memory:
        """Return the profit after a roll, or STOPPED once a bound was reached. A seven-out resets it."""
        if outcome.seven_out:
            return 0
        if memory == STOPPED:
            return memory
        profit = memory + self._profit_cents(outcome)
        return profit if -self.loss_cents < profit < self.win_cents else STOPPED


def ahead(*targets: Spot | str, by: Dollars, limit: Dollars) -> Condition:
    """Return a condition that holds while these bets are at least `by` dollars ahead with this shooter.

    A negative `by` is a loss: by=-10 holds while they are at most $10 behind. The running profit never goes above
    `limit` or below -`limit`, and later results are added to the capped value.

    >>> ahead("pass", "field", by=10, limit=100).by_cents
    1000
    """
    by_cents, limit_cents = parse_signed_dollars(by, "by"), parse_dollars(limit, "limit")
    if not -limit_cents < by_cents <= limit_cents:
        raise StrategyError(f"ahead: by must be within the limit of {limit}, got {by}")
    return ProfitAtLeast(_parse_targets(targets), by_cents, limit_cents)


def stopped(*targets: Spot | str, win: Dollars, lose: Dollars) -> Condition:
    """Return a condition that holds once these bets were `win` dollars ahead or `lose` dollars behind.

    It then holds until the next shooter. Use ~stopped(...) to stop betting for the rest of a shooter's hand.

    >>> keep_betting = ~stopped("field", win=50, lose=30)
    """
    return ProfitStop(_parse_targets(targets), parse_dollars(win, "win"), parse_dollars(lose, "lose"))


def parse_signed_dollars(amount: Dollars, label: str = "amount") -> int:
    """Return the cents of an amount in dollars that may be zero or negative.

    >>> parse_signed_dollars(0), parse_signed_dollars(-4), parse_signed_dollars("-12.50")
    (0, -400, -1250)
    """
    if isinstance(amount, str) and amount.startswith("-"):
        return -parse_dollars(amount[1:], label)
    if isinstance(amount, int | Decimal) and amount < 0:
        return -parse_dollars(-amount, label)
    return parse_dollars(amount, label, allow_zero=True)


def _parse_targets(targets: Iterable[Spot | str]) -> tuple[Spot, ...]:
    spots = tuple(parse_spot(target) for target in targets)
    if not spots:
        raise StrategyError("a profit condition needs at least one bet")
    return spots
