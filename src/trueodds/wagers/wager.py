"""Wagers on the layout, the results a roll can have for them, and the phases of a hand."""

from __future__ import annotations

from enum import StrEnum
from typing import Final, Literal, NamedTuple

from trueodds.money import ZERO, Cents
from trueodds.rulebook import Spot

WorkingCall = Literal["", "on", "off"]
"""The player's last call for a wager; empty if the book decides whether it works."""


class Result(StrEnum):
    """What a roll does to a wager."""

    WIN = "win"
    LOSE = "lose"
    PUSH = "push"
    RETURNED = "returned"
    MOVED = "moved"
    NO_ACTION = "no_action"
    OFF = "off"


Phase = int
"""Where the puck is before a roll: a point, or one of the two constants below."""

COME_OUT: Final[Phase] = 0
"""The puck is off: the next roll is a come-out roll."""

COME_SETTLEMENT: Final[Phase] = -1
"""The puck is off and stays off: the next roll only decides come bets (N.J.A.C. 19:47-1.11(b))."""


FROZEN: Final = 0
"""The mark of a fire bet for which points do not count any more."""


class OddsBet(NamedTuple):
    """Odds taken or laid on a flat wager. They win and lose with it."""

    kind: str
    stake: Cents
    call: WorkingCall = ""


class Wager(NamedTuple):
    """Chips on a spot.

    `reduced` is whether a don't bet was ever reduced, `marks` are the numbers a fire or bonus bet has collected, `vig`
    is the vigorish paid up front, `odds_bets` the odds on it. Equal wagers are interchangeable.
    """

    spot: Spot
    stake: Cents
    call: WorkingCall = ""
    reduced: bool = False
    marks: tuple[int, ...] = ()
    vig: Cents = ZERO
    odds_bets: tuple[OddsBet, ...] = ()

    @property
    def odds_stake(self) -> Cents:
        """The stake of all odds on this wager."""
        return Cents(sum(bet.stake for bet in self.odds_bets))

    @property
    def total_stake(self) -> Cents:
        """The flat stake and the odds together."""
        return Cents(self.stake + self.odds_stake)
