"""The steps of a decision: make a bet, take one down, resize it, call it on or off.

A step names a wager by value or by its spot, because a strategy does not know the tags of the table.
"""

from __future__ import annotations

from dataclasses import KW_ONLY, dataclass

from trueodds.money import Cents
from trueodds.rulebook import Spot
from trueodds.wagers import OddsBet, Wager, WorkingCall


@dataclass(frozen=True, slots=True)
class MakeBet:
    """Make a wager on a spot, or odds behind a wager.

    >>> MakeBet(Spot("field"), stake_cents=Cents(500))
    MakeBet(spot=Spot(kind='field', pick=()), behind=None, stake_cents=500)
    """

    spot: Spot
    behind: Wager | Spot | None = None
    _: KW_ONLY
    stake_cents: Cents


@dataclass(frozen=True, slots=True)
class TakeDownBet:
    """Take down a wager with its odds, or only one odds bet behind it."""

    wager: Wager | Spot
    odds_bet: OddsBet | None = None


@dataclass(frozen=True, slots=True)
class ResizeBet:
    """Press or reduce a wager, or an odds bet behind it, to a stake."""

    wager: Wager | Spot
    odds_bet: OddsBet | None = None
    _: KW_ONLY
    stake_cents: Cents


@dataclass(frozen=True, slots=True)
class CallBet:
    """Call a wager, or an odds bet behind it, on or off."""

    wager: Wager | Spot
    call: WorkingCall
    odds_bet: OddsBet | None = None


DecisionStep = MakeBet | TakeDownBet | ResizeBet | CallBet
