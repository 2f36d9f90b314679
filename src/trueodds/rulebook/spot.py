"""Spots: the places on the layout where a player can bet."""

from __future__ import annotations

import re
from typing import Final, NamedTuple

from trueodds.rulebook.errors import RulebookError

_SPOT: Final = re.compile(r"([a-z][a-z0-9_]{0,39})(?::(?:([1-9][0-9]?)|([1-6])-([1-6])))?")


class SpotError(RulebookError):
    """A text that is not a spot."""


class Spot(NamedTuple):
    """A kind of wager and the player's pick: a number, the two faces of a hop, or nothing.

    >>> str(Spot("place", (8,)))
    'place:8'
    >>> Spot.parse("hop:5-2")
    Spot(kind='hop', pick=(2, 5))
    """

    kind: str
    pick: tuple[int, ...] = ()

    @classmethod
    def parse(cls, text: object) -> Spot:
        """Parse ``pass``, ``come:6`` or ``hop:2-5``; the inverse of ``str``."""
        match = _SPOT.fullmatch(text) if isinstance(text, str) else None
        if match is None:
            msg = f"a spot must be written like pass, place:8 or hop:2-5, got {text!r}"
            raise SpotError(msg)
        kind, *picks = match.groups()
        return cls(kind, tuple(sorted(int(pick) for pick in picks if pick)))

    @property
    def selection(self) -> str:
        """The pick as text: "8", "2-5" or empty."""
        return "-".join(map(str, self.pick))

    def __str__(self) -> str:
        return f"{self.kind}:{self.selection}" if self.pick else self.kind
