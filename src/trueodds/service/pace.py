"""Pace: how long a table waits, and for what. It is the house's; a table may have its own."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from typing import Any, Final

from trueodds.journal import Record

LONGEST_MS: Final = 600_000


@dataclass(frozen=True, slots=True)
class Pace:
    """Milliseconds: least between two throws and the window for bets, both when several play; the longest wait for
    openings of seeds, for a shooter to throw, and for an answer to an offer of the dice.

    >>> Pace(window_ms=0).shooter_ms
    30000
    """

    between_ms: int = 1_000
    window_ms: int = 6_000
    opening_ms: int = 1_500
    shooter_ms: int = 30_000
    offer_ms: int = 15_000

    def __post_init__(self) -> None:
        for field in fields(self):
            value = getattr(self, field.name)
            if type(value) is not int or not 0 <= value <= LONGEST_MS:
                raise ValueError(f"{field.name} goes from 0 to {LONGEST_MS:,}, not {value!r}")

    @property
    def least_ms(self) -> int:
        """The least from one throw to the next when several play."""
        return max(self.between_ms, self.window_ms)

    def to_data(self) -> dict[str, int]:
        """Give every time by its name."""
        return asdict(self)

    def to_record(self) -> Record:
        """Write down that a table has this pace."""
        return Record("paced", self.to_data())

    @classmethod
    def from_data(cls, data: Mapping[str, Any]) -> Pace:
        """Read what `to_data` gave."""
        return cls(**data)
