"""What a strategy can do in a decision. Wagers are named by value or by spot: a strategy knows no tags."""

from __future__ import annotations

from dataclasses import dataclass

from trueodds.money import Cents
from trueodds.rulebook import Spot
from trueodds.wagers import Call, OddsBet, Wager


@dataclass(frozen=True, slots=True)
class Put:
    """Put a wager on a spot, or odds behind a wager."""

    spot: Spot
    stake: Cents
    behind: Wager | Spot | None = None


@dataclass(frozen=True, slots=True)
class Down:
    """Take a wager down, or only odds behind it."""

    wager: Wager | Spot
    odds: OddsBet | None = None


@dataclass(frozen=True, slots=True)
class Resize:
    """Press or regress a wager, or odds behind it, to a stake."""

    wager: Wager | Spot
    to: Cents
    odds: OddsBet | None = None


@dataclass(frozen=True, slots=True)
class Say:
    """Call a wager, or odds behind it, on or off."""

    wager: Wager | Spot
    call: Call
    odds: OddsBet | None = None


Step = Put | Down | Resize | Say
