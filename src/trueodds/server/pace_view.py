"""The clock of a table: the pace somebody may give it, and what it shows."""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field

from trueodds.server.errors import ApiError
from trueodds.service.look import Look
from trueodds.service.pace import Pace


class PaceGiven(BaseModel):
    """A pace for one table, in milliseconds; what is left out is the house's."""

    model_config = ConfigDict(extra="forbid")
    between_ms: Annotated[int, Field(strict=True, ge=250, le=60_000)] | None = None
    window_ms: Annotated[int, Field(strict=True, ge=1_000, le=60_000)] | None = None
    opening_ms: Annotated[int, Field(strict=True, ge=500, le=10_000)] | None = None
    shooter_ms: Annotated[int, Field(strict=True, ge=5_000, le=600_000)] | None = None
    offer_ms: Annotated[int, Field(strict=True, ge=3_000, le=600_000)] | None = None

    def over(self, house: Pace) -> Pace:
        """Put it over the house's. A shooter who may not throw before the time is up would never throw."""
        pace = replace(house, **self.model_dump(exclude_none=True))
        if pace.shooter_ms <= pace.least_ms:
            what = f"a shooter has more than the {pace.least_ms:,} ms in which nobody throws, not {pace.shooter_ms:,}"
            raise ApiError(422, "malformed", f"pace.shooter_ms: {what}", where="pace.shooter_ms")
        return pace


def clock_view(seen: Look) -> dict[str, Any]:
    """Show the clock: every time is of the clock of `now_ms`, which rows are written by, too."""
    waiting = seen.waiting
    return {
        "pace": seen.pace.to_data(),
        "now_ms": seen.now_ms,
        "rolled_ms": seen.box.rolled_ms or None,
        "window_until_ms": seen.throw_from_ms,
        "waits_for": None if waiting is None else {"what": waiting.what, "whom": list(waiting.whom)},
        "due_ms": None if waiting is None else waiting.due_ms,
    }
