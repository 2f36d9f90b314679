"""A wager on the layout: a value without a name, and the small words its life is told in."""

from __future__ import annotations

from enum import StrEnum
from typing import Final, Literal, NamedTuple

from trueodds.money import ZERO, Cents
from trueodds.rulebook import Spot

Call = Literal["", "on", "off"]
"""What a player last called a wager; the empty call leaves it to the book."""


class Result(StrEnum):
    """What one throw does to one wager."""

    WIN = "win"
    LOSE = "lose"
    PUSH = "push"
    RETURNED = "returned"
    MOVED = "moved"
    NO_ACTION = "no_action"
    OFF = "off"


Phase = int
"""Where the puck was before a throw: a point, or one of the two below."""

COME_OUT: Final[Phase] = 0
"""The puck is off: the throw is a come-out throw."""

COME_SETTLEMENT: Final[Phase] = -1
"""The puck is off and stays off: a throw made only to decide come bets (N.J.A.C. 19:47-1.11(b))."""


FROZEN: Final = 0
"""The mark on a fire bet that counts no further points."""


class OddsBet(NamedTuple):
    """Odds taken or laid behind a flat wager; they live and die with it."""

    kind: str
    stake: Cents
    call: Call = ""


class Wager(NamedTuple):
    """Chips on a spot.

    `cut` remembers that a don't bet was reduced, `marks` is a fire or bonus bet's own progress, `vig` the
    vigorish paid up front, `odds` what stands behind it. Equal values are interchangeable.
    """

    spot: Spot
    stake: Cents
    call: Call = ""
    cut: bool = False
    marks: tuple[int, ...] = ()
    vig: Cents = ZERO
    odds: tuple[OddsBet, ...] = ()

    @property
    def total_odds(self) -> Cents:
        """All odds behind this wager together."""
        return Cents(sum(bet.stake for bet in self.odds))

    @property
    def up(self) -> Cents:
        """Everything on the layout for this wager: flat stake and odds."""
        return Cents(self.stake + self.total_odds)
