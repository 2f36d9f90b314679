"""A look at a table: the box, and what its clock says."""

from __future__ import annotations

from typing import Literal, NamedTuple

from trueodds.service.box import Box
from trueodds.service.boxman import Boxman
from trueodds.service.company import company_due_ms
from trueodds.service.pace import Pace


class Waiting(NamedTuple):
    """What a table waits for, and whom. `due_ms` is when it goes on without; None when it has all the time there is."""

    what: Literal["openings", "offer", "shooter"]
    whom: tuple[str, ...]
    due_ms: int | None


class Look(NamedTuple):
    """A table at a time. Before `throw_from_ms` the dice are not thrown, so that others can bet."""

    box: Box
    pace: Pace
    now_ms: int
    throw_from_ms: int | None
    waiting: Waiting | None


def look_at(boxman: Boxman, box: Box, awake_ms: int | None, now_ms: int) -> Look:
    """Look at a table. All times are of the clock that `now_ms` is of."""
    waiting = _waiting(boxman, box, awake_ms)
    return Look(box, boxman.pace_of(box), now_ms, boxman.throw_from_ms(box), waiting)


def _waiting(boxman: Boxman, box: Box, awake_ms: int | None) -> Waiting | None:
    due_ms = boxman.due_ms(box, awake_ms)
    if box.roll.lock is not None:
        return Waiting("openings", box.roll.missing, due_ms)
    custody = box.table.position.custody
    holder = (custody.shooter or custody.offer_to) if custody else None
    if custody is None or holder is None:
        return None
    if box.bot(holder) is not None:
        due_ms = company_due_ms(boxman, box, awake_ms)
    return Waiting("shooter" if custody.shooter else "offer", (holder,), due_ms)
