"""The stickman's call of a roll: the number, its nickname and the outcome."""

from __future__ import annotations

from typing import Final

from trueodds.dice import Roll
from trueodds.table.event import Rolled

_NUMBERS: Final = (
    "", "", "Two", "Three", "Four", "Five", "Six", "Seven", "Eight", "Nine", "Ten", "Eleven", "Twelve",
)  # fmt: skip

_NICKNAMES: Final = {
    2: "aces", 3: "ace deuce", 5: "no field five", 7: "big red", 9: "center field", 11: "yo", 12: "boxcars",
}  # fmt: skip

_OUTCOMES: Final = {"point_set": "mark the point", "point_made": "point made"}


def stick_call(rolled: Rolled) -> str:
    """Return the stickman's call of a roll.

    >>> from trueodds.table import Markers
    >>> stick_call(Rolled(Roll(2, 4), Roll(2, 4), 0, 6, "under_way", False, (), None, None, Markers()))
    'Six, easy six, mark the point'
    """
    if rolled.puck_change == "seven_out":
        return "Seven out, line away"
    number = _NUMBERS[rolled.total]
    return ", ".join(part for part in (number, _nickname(rolled.roll), _OUTCOMES.get(rolled.puck_change)) if part)


def _nickname(roll: Roll) -> str:
    if roll.total in {4, 6, 8, 10}:
        return f"{'hard' if roll.is_pair else 'easy'} {_NUMBERS[roll.total].lower()}"
    return _NICKNAMES[roll.total]
