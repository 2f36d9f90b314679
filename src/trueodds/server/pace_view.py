"""The pace of a table: the times a client may set, and the current timers."""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field

from trueodds.server.errors import ApiError
from trueodds.service.pace import Pace
from trueodds.service.table_status import TableStatus


class PaceRequest(BaseModel):
    """The pace of a new table in milliseconds. Times that are left out are the server's."""

    model_config = ConfigDict(extra="forbid")
    min_roll_interval_ms: Annotated[int, Field(strict=True, ge=250, le=60_000)] | None = None
    betting_window_ms: Annotated[int, Field(strict=True, ge=1_000, le=60_000)] | None = None
    seed_timeout_ms: Annotated[int, Field(strict=True, ge=500, le=10_000)] | None = None
    shooter_timeout_ms: Annotated[int, Field(strict=True, ge=5_000, le=600_000)] | None = None
    offer_timeout_ms: Annotated[int, Field(strict=True, ge=3_000, le=600_000)] | None = None

    def apply_to(self, default: Pace) -> Pace:
        """Return the default pace with the requested times.

        Raise `ApiError` if the shooter would time out before a roll is allowed.
        """
        pace = replace(default, **self.model_dump(exclude_none=True))
        if pace.shooter_timeout_ms <= pace.roll_delay_ms:
            field = "pace.shooter_timeout_ms"
            message = f"{field}: must be more than the {pace.roll_delay_ms:,} ms before a roll is allowed"
            raise ApiError(422, "invalid_request", f"{message}, got {pace.shooter_timeout_ms:,}", field=field)
        return pace


def pace_view(status: TableStatus) -> dict[str, Any]:
    """Return the pace and the timers of a table. All times are on the server's clock, like `now_ms`."""
    waiting = status.waiting
    return {
        "pace": status.pace.to_data(),
        "now_ms": status.now_ms,
        "last_roll_ms": status.table.last_roll_ms or None,
        "roll_allowed_at_ms": status.roll_allowed_at_ms,
        "waiting_for": None if waiting is None else {"kind": waiting.kind, "players": list(waiting.players)},
        "deadline_ms": None if waiting is None else waiting.due_ms,
    }
