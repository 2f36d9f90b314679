"""The levels of the drill: which wagers may come, how many, and in which amounts."""

from __future__ import annotations

from typing import Final, NamedTuple

from trueodds.rulebook import Spot


class Level(NamedTuple):
    """One step of the drill.

    `new` names what it is about and `known` what may come besides, by kind or by spot; None is all that a house offers.
    `wagers` is how many are up. `even` keeps to stakes that are paid without breakage. `span` is how many
    sizes a stake may have. `calls` lets wagers be called on or off, and points be made while others are still up.
    """

    number: int
    title: str
    new: frozenset[str] | None
    known: frozenset[str]
    wagers: int
    even: bool
    span: int
    calls: bool

    def is_new(self, spot: Spot) -> bool:
        """Whether the level is about this spot."""
        return self.new is None or spot.kind in self.new or str(spot) in self.new

    def takes(self, spot: Spot) -> bool:
        """Whether this spot may come at all."""
        return self.is_new(spot) or spot.kind in self.known or str(spot) in self.known


_LINE: Final = frozenset({"pass", "dont_pass", "field", "place:6", "place:8", "big6", "big8"})
_NUMBERS: Final = frozenset(
    {"come", "dont_come", "place", "hard", "any7", "any_craps", "craps2", "craps3", "craps12", "yo"}
)
_ODDS: Final = frozenset(
    {
        "pass_odds", "dont_pass_odds", "come_odds", "dont_come_odds", "put_odds", "put", "buy", "lay", "place_lose",
    }
)  # fmt: skip

LEVELS: Final = (
    Level(1, "Line, field, place 6 and 8", _LINE, frozenset(), 3, even=True, span=8, calls=False),
    Level(2, "Come bets, all numbers, hardways, one-roll bets", _NUMBERS, _LINE, 4, even=True, span=8, calls=False),
    Level(3, "Odds, buy and lay with vigorish", _ODDS, _LINE | _NUMBERS, 5, even=True, span=30, calls=True),
    Level(4, "Everything, in any amount", None, frozenset(), 7, even=False, span=30, calls=True),
)
"""From easy to hard. A book that lacks a wager is drilled without it."""
