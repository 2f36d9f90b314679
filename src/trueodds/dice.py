"""Rolls of two dice: the 36 outcomes, their totals and their pairs of faces."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final, NamedTuple, Self

from trueodds.errors import TrueoddsError

_ROLL: Final = re.compile(r"([1-6])-([1-6])")


class DiceError(TrueoddsError, ValueError):
    """Raised for something that is not a roll of two dice."""


class _Faces(NamedTuple):
    first: int
    second: int


class Roll(_Faces):
    """One roll of two dice. The order of the dice is kept.

    >>> Roll(3, 4).total
    7
    >>> Roll.parse("4-4").is_pair
    True
    >>> Roll(5, 2).pair
    (2, 5)
    """

    __slots__ = ()

    def __new__(cls, first: int, second: int) -> Self:
        """Raise `DiceError` unless both faces are integers from 1 to 6."""
        for face in (first, second):
            if type(face) is not int or not 1 <= face <= 6:
                raise DiceError(f"a die must show 1 to 6, got {face!r}")
        return super().__new__(cls, first, second)

    @classmethod
    def _make(cls, iterable: Iterable[int]) -> Self:  # type: ignore[override]  # typeshed makes it generic
        """Build a roll from two faces. `_replace` uses this, so a changed copy is checked too."""
        return cls(*iterable)

    @property
    def total(self) -> int:
        """The sum of the two faces."""
        return self[0] + self[1]

    @property
    def is_pair(self) -> bool:
        """Whether both dice show the same face (the hard way)."""
        return self[0] == self[1]

    @property
    def pair(self) -> tuple[int, int]:
        """The two faces with the lower one first, so 5-2 and 2-5 have the same pair."""
        return (self[0], self[1]) if self[0] <= self[1] else (self[1], self[0])

    @classmethod
    def parse(cls, text: object) -> Roll:
        """Parse a roll like ``"3-4"``. This is the inverse of ``str``."""
        match = _ROLL.fullmatch(text.strip()) if isinstance(text, str) else None
        if match is None:
            raise DiceError(f"a roll must be written like 3-4, with faces from 1 to 6, got {text!r}")
        return cls(int(match[1]), int(match[2]))

    def __str__(self) -> str:
        return f"{self[0]}-{self[1]}"

    def __repr__(self) -> str:
        return f"Roll({self[0]}, {self[1]})"


ROLLS: Final = tuple(Roll(first, second) for first in range(1, 7) for second in range(1, 7))
"""All 36 outcomes. With fair dice they are equally likely."""

WEIGHTED_PAIRS: Final = tuple((roll, 1 if roll.is_pair else 2) for roll in ROLLS if roll.first <= roll.second)
"""One roll for each of the 21 pairs of faces, with the number of the 36 outcomes that show it."""

WEIGHTED_TOTALS: Final = tuple((Roll(max(1, n - 6), min(6, n - 1)), 6 - abs(7 - n)) for n in range(2, 13))
"""One roll for each of the 11 totals, with the number of the 36 outcomes that show it."""

TOTALS: Final = range(2, 13)
"""Every total that two dice can show."""
