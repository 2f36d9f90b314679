"""The 36 outcomes of two dice and what can be said of them."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any, Final, NamedTuple, Self

_ROLL: Final = re.compile(r"([1-6])-([1-6])")


class DiceError(ValueError):
    """What was given is not a throw of two dice."""


class _Faces(NamedTuple):
    first: int
    second: int


class Roll(_Faces):
    """Two dice that have come to rest, in the order they were read.

    >>> Roll(3, 4).total
    7
    >>> Roll.parse("4-4").is_pair
    True
    >>> Roll(5, 2).pair
    (2, 5)
    """

    __slots__ = ()

    def __new__(cls, first: int, second: int) -> Self:
        """Check the faces; a roll that exists is a lawful roll."""
        for face in (first, second):
            if type(face) is not int or not 1 <= face <= 6:
                msg = f"a die shows 1 to 6, not {face!r}"
                raise DiceError(msg)
        return super().__new__(cls, first, second)

    @classmethod
    def _make(cls, iterable: Iterable[Any]) -> Self:  # type: ignore[override]  # typeshed makes it generic
        """Check the faces of a changed copy, too."""
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
        """The faces with the lower first: 5-2 and 2-5 are one pair."""
        return (self[0], self[1]) if self[0] <= self[1] else (self[1], self[0])

    @classmethod
    def parse(cls, text: object) -> Roll:
        """Read ``"3-4"``; the inverse of ``str``."""
        match = _ROLL.fullmatch(text.strip()) if isinstance(text, str) else None
        if match is None:
            msg = f"a roll is written like 3-4, with faces from 1 to 6, not {text!r}"
            raise DiceError(msg)
        return cls(int(match[1]), int(match[2]))

    def __str__(self) -> str:
        return f"{self[0]}-{self[1]}"

    def __repr__(self) -> str:
        return f"Roll({self[0]}, {self[1]})"


ROLLS: Final = tuple(Roll(first, second) for first in range(1, 7) for second in range(1, 7))
"""All 36 outcomes, equally likely with fair dice."""

BY_PAIR: Final = tuple((roll, 1 if roll.is_pair else 2) for roll in ROLLS if roll.first <= roll.second)
"""One roll of each of the 21 pairs, with how many of the 36 outcomes it stands for."""

BY_TOTAL: Final = tuple((Roll(max(1, n - 6), min(6, n - 1)), 6 - abs(7 - n)) for n in range(2, 13))
"""One roll of each of the 11 totals, with how many of the 36 outcomes it stands for."""

TOTALS: Final = range(2, 13)
"""Every sum two dice can show."""
