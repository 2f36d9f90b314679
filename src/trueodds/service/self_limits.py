"""Limits that players set for themselves. Tighter limits start at once, looser ones after a day."""

from __future__ import annotations

from typing import NamedTuple

from trueodds.journal import DAY_MS, AllTablesTotals
from trueodds.journal.canonical_json import JsonObject


class PendingLimit(NamedTuple):
    """A limit that will start later; None is no limit."""

    value: int | None
    effective_ms: int


class SelfLimit(NamedTuple):
    """The current value of a limit, and one that will start later. None is no limit.

    >>> limit = SelfLimit().request(5000, now_ms=0)
    >>> later = limit.request(8000, now_ms=10)
    >>> limit.current, later.current, later.at_time(10 + DAY_MS).current
    (5000, 5000, 8000)
    """

    current: int | None = None
    pending: PendingLimit | None = None

    def at_time(self, now_ms: int) -> SelfLimit:
        """Return the limit at a time, when a pending value may have started."""
        return (
            SelfLimit(self.pending.value) if self.pending is not None and now_ms >= self.pending.effective_ms else self
        )

    def request(self, requested: int | None, now_ms: int) -> SelfLimit:
        """Request another value. A tighter one starts at once and cancels a pending one; a looser one starts in a day.

        Requesting a pending value again does not postpone it.
        """
        limit = self.at_time(now_ms)
        if not _is_looser(requested, limit.current):
            return SelfLimit(requested)
        if limit.pending is not None and limit.pending.value == requested:
            return limit
        return SelfLimit(limit.current, PendingLimit(requested, now_ms + DAY_MS))


def _is_looser(requested: int | None, current: int | None) -> bool:
    return current is not None and (requested is None or requested > current)


class SelfLimits(NamedTuple):
    """What a player may lose, and how long they may have a seat, in any 24 hours over all tables."""

    loss_cents: SelfLimit = SelfLimit()
    time_ms: SelfLimit = SelfLimit()

    def at_time(self, now_ms: int) -> SelfLimits:
        """Return the limits at a time."""
        return SelfLimits(self.loss_cents.at_time(now_ms), self.time_ms.at_time(now_ms))

    def request(self, loss_cents: int | None, time_ms: int | None, now_ms: int) -> SelfLimits:
        """Request other limits."""
        return SelfLimits(self.loss_cents.request(loss_cents, now_ms), self.time_ms.request(time_ms, now_ms))

    def to_data(self) -> JsonObject:
        """Return the limits as JSON; the inverse of `from_data`."""
        return {
            name: {"current": limit.current, "pending": None if limit.pending is None else limit.pending._asdict()}
            for name, limit in self._asdict().items()
            if limit != SelfLimit()
        }

    @classmethod
    def from_data(cls, data: JsonObject) -> SelfLimits:
        """Return the limits stored with a person. An empty object means no limits."""
        return cls(**{name: _limit_from_data(limit) for name, limit in data.items()})


def _limit_from_data(data: JsonObject) -> SelfLimit:
    return SelfLimit(data["current"], None if data["pending"] is None else PendingLimit(**data["pending"]))


class Allowance(NamedTuple):
    """What the limits still allow: cents to bet, cents to buy in for, time. None is no limit."""

    bet_cents: int | None = None
    buy_in_cents: int | None = None
    time_ms: int | None = None


def remaining_allowance(limits: SelfLimits, totals: AllTablesTotals, now_ms: int) -> Allowance:
    """Return what the limits of a player with these totals still allow.

    Wagers on the layout may be lost, so they count against what may be bet. Chips in racks may be lost too, so they
    also count against what may be bought.
    """
    loss_cents, time_ms = limits.loss_cents.at_time(now_ms).current, limits.time_ms.at_time(now_ms).current
    time_left = None if time_ms is None else max(0, time_ms - totals.last_day.seated_ms)
    if loss_cents is None:
        return Allowance(time_ms=time_left)
    left_cents = loss_cents + totals.last_day.net_cents - totals.total.layout_cents
    return Allowance(max(0, left_cents), max(0, left_cents - totals.total.rack_cents), time_left)
