"""Pace: how long a table waits, and for what. It is the house's."""

from __future__ import annotations

from dataclasses import dataclass, fields


@dataclass(frozen=True, slots=True)
class Pace:
    """Milliseconds: least between two throws, the window for bets when several play, the longest wait for openings of
    seeds, for a shooter to throw, and for an answer to an offer of the dice.

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
            if type(value) is not int or not 0 <= value <= 600_000:
                raise ValueError(f"{field.name} goes from 0 to 600,000, not {value!r}")
