"""Strategies that tests need and the library does not have."""

from __future__ import annotations

from trueodds.money import Cents
from trueodds.rulebook import Spot
from trueodds.strategy import MakeBet, PlayerView, RollOutcome, Strategy, strategy_from_function


def pass_that_counts_rolls() -> Strategy:
    """Return a pass bet whose memory counts rolls without end, so that no automaton can hold all its situations."""

    def decide(view: PlayerView, _rolls: int) -> list[MakeBet]:
        return [] if view.wagers or view.point else [MakeBet(Spot("pass"), stake_cents=Cents(1000))]

    def remember(rolls: int, _outcome: RollOutcome) -> int:
        return rolls + 1

    return strategy_from_function(decide, remember, 0, name="Pass that counts rolls")
