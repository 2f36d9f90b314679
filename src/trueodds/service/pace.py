"""The pace of a table: how long it waits, and for what."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from typing import Final

from trueodds.journal import ServiceEvent
from trueodds.journal.service_event import PACE_SET

MAX_PACE_MS: Final = 600_000


@dataclass(frozen=True, slots=True)
class Pace:
    """Times in milliseconds. The first two apply when several players are at the table.

    `min_roll_interval_ms` is the least time between two rolls, `betting_window_ms` the time for bets before a roll.
    The others are the longest waits: for the seeds of a roll, for the shooter, and for an answer to a dice offer.

    >>> Pace(betting_window_ms=0).shooter_timeout_ms
    30000
    """

    min_roll_interval_ms: int = 1_000
    betting_window_ms: int = 6_000
    seed_timeout_ms: int = 1_500
    shooter_timeout_ms: int = 30_000
    offer_timeout_ms: int = 15_000

    def __post_init__(self) -> None:
        for field in fields(self):
            value = getattr(self, field.name)
            if type(value) is not int or not 0 <= value <= MAX_PACE_MS:
                raise ValueError(f"{field.name} must be 0 to {MAX_PACE_MS:,}, got {value!r}")

    @property
    def roll_delay_ms(self) -> int:
        """The least time from one roll to the next when several players are at the table."""
        return max(self.min_roll_interval_ms, self.betting_window_ms)

    def to_data(self) -> dict[str, int]:
        """Return every time by name."""
        return asdict(self)

    def to_event(self) -> ServiceEvent:
        """Return the event that a table has this pace."""
        return ServiceEvent(PACE_SET, self.to_data())

    @classmethod
    def from_data(cls, data: Mapping[str, int]) -> Pace:
        """Return the pace that `to_data` described."""
        return cls(**data)
