"""The levels of the drill: which wagers occur, how many, and with which stakes."""

from __future__ import annotations

from typing import Final, NamedTuple

from trueodds.rulebook import Spot


class Level(NamedTuple):
    """One level of the drill.

    `focus` lists the wagers that the level is about, by kind or by spot; None means all that the house offers.
    `also_allowed` lists wagers from earlier levels. `wager_count` is the number of wagers. With `even_stakes`, all
    stakes are paid without breakage. `stake_sizes` is the number of different stakes. With `has_calls`, wagers may be
    called on or off, and a point may be made while other wagers are up.
    """

    number: int
    title: str
    focus: frozenset[str] | None
    also_allowed: frozenset[str]
    wager_count: int
    even_stakes: bool
    stake_sizes: int
    has_calls: bool

    def is_focus(self, spot: Spot) -> bool:
        """Return whether the level is about this spot."""
        return self.focus is None or spot.kind in self.focus or str(spot) in self.focus

    def allows(self, spot: Spot) -> bool:
        """Return whether this spot may occur in the level."""
        return self.is_focus(spot) or spot.kind in self.also_allowed or str(spot) in self.also_allowed


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
    Level(1, "Line, field, place 6 and 8", _LINE, frozenset(), 3, even_stakes=True, stake_sizes=8, has_calls=False),
    Level(
        2,
        "Come bets, all numbers, hardways, one-roll bets",
        _NUMBERS,
        _LINE,
        4,
        even_stakes=True,
        stake_sizes=8,
        has_calls=False,
    ),
    Level(
        3,
        "Odds, buy and lay with vigorish",
        _ODDS,
        _LINE | _NUMBERS,
        5,
        even_stakes=True,
        stake_sizes=30,
        has_calls=True,
    ),
    Level(4, "Everything, in any amount", None, frozenset(), 7, even_stakes=False, stake_sizes=30, has_calls=True),
)
"""All levels, from easy to hard. Wagers that a book lacks are left out."""
