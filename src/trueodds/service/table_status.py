"""The status of a table: the live table, and what it waits for."""

from __future__ import annotations

from typing import Literal, NamedTuple

from trueodds.service.bot_runner import bots_due_ms
from trueodds.service.live_table import LiveTable
from trueodds.service.pace import Pace
from trueodds.service.table_controller import TableController


class WaitingFor(NamedTuple):
    """What a table waits for, and from which players. `due_ms` is the timeout, or None if there is none."""

    kind: Literal["openings", "offer", "shooter"]
    players: tuple[str, ...]
    due_ms: int | None


class TableStatus(NamedTuple):
    """A table at a time. The dice may not be rolled before `roll_allowed_at_ms`, so that others can bet."""

    table: LiveTable
    pace: Pace
    now_ms: int
    roll_allowed_at_ms: int | None
    waiting: WaitingFor | None


def read_table_status(
    controller: TableController, table: LiveTable, present_since_ms: int | None, now_ms: int
) -> TableStatus:
    """Return the status of a table. All times are of the clock of `now_ms`."""
    waiting = _waiting(controller, table, present_since_ms)
    return TableStatus(table, controller.pace_of(table), now_ms, controller.roll_allowed_at_ms(table), waiting)


def _waiting(controller: TableController, table: LiveTable, present_since_ms: int | None) -> WaitingFor | None:
    due_ms = controller.timeout_at_ms(table, present_since_ms)
    if table.fair_roll.lock is not None:
        return WaitingFor("openings", table.fair_roll.missing, due_ms)
    custody = table.state.position.custody
    holder = (custody.shooter or custody.offered_to) if custody else None
    if custody is None or holder is None:
        return None
    if table.bot_of(holder) is not None:
        due_ms = bots_due_ms(controller, table, present_since_ms)
    return WaitingFor("shooter" if custody.shooter else "offer", (holder,), due_ms)
