"""Limits that people set for themselves, as clients see and set them."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter
from pydantic import BaseModel, ConfigDict, Field

from trueodds.journal import DAY_MS, Person
from trueodds.server.desk import AtDesk, Desk, Known
from trueodds.service.limit import Limit, Limits, allowance

router = APIRouter(prefix="/api/me", tags=["people"])


class LimitsGiven(BaseModel):
    """The limits you want, both of them; null is none."""

    model_config = ConfigDict(extra="forbid")
    loss_cents: Annotated[int, Field(strict=True, ge=0, lt=2**53)] | None
    time_ms: Annotated[int, Field(strict=True, ge=0, le=DAY_MS)] | None


class LaterView(BaseModel):
    """What a limit will be, from when; null is none."""

    to: int | None
    at_ms: int


class LimitView(BaseModel):
    """One limit: what holds now, where null is no limit, and what has to wait."""

    now: int | None
    later: LaterView | None


class LimitsView(BaseModel):
    """What you may lose, and how long you may sit, in any 24 hours over all tables."""

    loss_cents: LimitView
    time_ms: LimitView


class AllowanceView(BaseModel):
    """What your limits still allow at this moment; null where there is no limit."""

    bet_cents: int | None
    buy_cents: int | None
    time_ms: int | None


class LimitsAnswer(LimitsView):
    """Your limits, and what is left of them."""

    left: AllowanceView


@router.get("/limits")
def my_limits(asker: Known, desk: AtDesk) -> LimitsAnswer:
    """Say which limits you set."""
    return _answer(desk, asker)


@router.put("/limits")
def set_my_limits(given: LimitsGiven, asker: Known, desk: AtDesk) -> LimitsAnswer:
    """Set both limits. What is tighter holds at once; what is looser, or none, holds 24 hours later."""
    now_ms = desk.settings.clock()
    person = desk.journal.people.change_limits(
        asker.person_id,
        lambda kept: Limits.from_data(kept).wish(given.loss_cents, given.time_ms, now_ms).to_data(),
    )
    desk.forget(asker.person_id)
    return _answer(desk, person)


def limits_of(person: Person) -> Limits | None:
    """Give the limits that somebody is held to; None for somebody who set none."""
    return Limits.from_data(person.limits) if person.limits else None


def limits_view(person: Person, now_ms: int) -> LimitsView:
    """Show somebody's limits as they are at a moment."""
    limits = Limits.from_data(person.limits).at(now_ms)
    return LimitsView(loss_cents=_view(limits.loss_cents), time_ms=_view(limits.time_ms))


def _view(limit: Limit) -> LimitView:
    return LimitView(now=limit.now, later=None if limit.later is None else LaterView(**limit.later._asdict()))


def _answer(desk: Desk, person: Person) -> LimitsAnswer:
    now_ms = desk.settings.clock()
    stands = desk.journal.standings.everywhere(person.person_id, now_ms)
    left = allowance(Limits.from_data(person.limits), stands, now_ms)
    view = limits_view(person, now_ms)
    return LimitsAnswer(loss_cents=view.loss_cents, time_ms=view.time_ms, left=AllowanceView(**left._asdict()))
