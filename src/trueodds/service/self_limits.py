"""Limits that somebody sets for themselves: tightened at once, loosened only after a day."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from trueodds.journal import DAY_MS, Everywhere


class Later(NamedTuple):
    """What a limit will be, and from when; None is no limit."""

    to: int | None
    at_ms: int


class Limit(NamedTuple):
    """One limit: what holds now, and what was asked for and has to wait. None is no limit.

    >>> limit = Limit().wish(5000, now_ms=0)
    >>> limit.now, limit.wish(8000, now_ms=10).now, limit.wish(8000, now_ms=10).at(10 + DAY_MS).now
    (5000, 5000, 8000)
    """

    now: int | None = None
    later: Later | None = None

    def at(self, now_ms: int) -> Limit:
        """Let time pass: what had to wait long enough holds."""
        return Limit(self.later.to) if self.later is not None and now_ms >= self.later.at_ms else self

    def wish(self, wanted: int | None, now_ms: int) -> Limit:
        """Ask for another limit. What is no looser holds at once, and nothing waits any more; the rest waits a day.

        Asking again for what waits already does not make it wait longer.
        """
        present = self.at(now_ms)
        if not _is_looser(wanted, present.now):
            return Limit(wanted)
        if present.later is not None and present.later.to == wanted:
            return present
        return Limit(present.now, Later(wanted, now_ms + DAY_MS))


def _is_looser(wanted: int | None, present: int | None) -> bool:
    return present is not None and (wanted is None or wanted > present)


class Limits(NamedTuple):
    """What somebody may lose, and how long they may sit, in any 24 hours over all tables."""

    loss_cents: Limit = Limit()
    time_ms: Limit = Limit()

    def at(self, now_ms: int) -> Limits:
        """Let time pass."""
        return Limits(self.loss_cents.at(now_ms), self.time_ms.at(now_ms))

    def wish(self, loss_cents: int | None, time_ms: int | None, now_ms: int) -> Limits:
        """Ask for other limits."""
        return Limits(self.loss_cents.wish(loss_cents, now_ms), self.time_ms.wish(time_ms, now_ms))

    def to_data(self) -> dict[str, Any]:
        """Write limits as JSON; the inverse of `from_data`."""
        return {
            name: {"now": limit.now, "later": None if limit.later is None else limit.later._asdict()}
            for name, limit in self._asdict().items()
            if limit != Limit()
        }

    @classmethod
    def from_data(cls, data: Mapping[str, Any]) -> Limits:
        """Read limits as they are kept with a person; nothing at all is no limits."""
        return cls(**{name: _read(told) for name, told in data.items()})


def _read(told: Mapping[str, Any]) -> Limit:
    return Limit(told["now"], None if told["later"] is None else Later(**told["later"]))


class Allowance(NamedTuple):
    """What limits still allow: cents to bet, cents of chips to buy, time; None where there is no limit."""

    bet_cents: int | None = None
    buy_cents: int | None = None
    time_ms: int | None = None


def allowance(limits: Limits, stands: Everywhere, now_ms: int) -> Allowance:
    """Say what is still allowed to somebody who stands like this.

    What is up may be lost, so a bet may be what is left of the limit after it. Chips in racks may be lost, too, so
    chips that are bought may be what is left after those as well.
    """
    most, time_ms = limits.loss_cents.at(now_ms).now, limits.time_ms.at(now_ms).now
    time_left = None if time_ms is None else max(0, time_ms - stands.day.seated_ms)
    if most is None:
        return Allowance(time_ms=time_left)
    left = most + stands.day.net_cents - stands.total.up_cents
    return Allowance(max(0, left), max(0, left - stands.total.rack_cents), time_left)
