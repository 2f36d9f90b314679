"""Routes for self-imposed limits on losses and time."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter
from pydantic import BaseModel, ConfigDict, Field

from trueodds.journal import DAY_MS, Person
from trueodds.server.app_state import AppState
from trueodds.server.dependencies import PersonDep, StateDep
from trueodds.service.self_limits import SelfLimit, SelfLimits, remaining_allowance

router = APIRouter(prefix="/api/me", tags=["people"])


class LimitsRequest(BaseModel):
    """Both limits. Null means no limit."""

    model_config = ConfigDict(extra="forbid")
    loss_cents: Annotated[int, Field(strict=True, ge=0, lt=2**53)] | None
    time_ms: Annotated[int, Field(strict=True, ge=0, le=DAY_MS)] | None


class PendingLimitView(BaseModel):
    """A looser limit and when it takes effect. A null value means no limit."""

    value: int | None
    effective_ms: int


class LimitView(BaseModel):
    """A limit: the current value (null means no limit) and a pending change."""

    current: int | None
    pending: PendingLimitView | None


class LimitsView(BaseModel):
    """Limits on losses and on time with a seat, in any 24 hours at all tables."""

    loss_cents: LimitView
    time_ms: LimitView


class AllowanceView(BaseModel):
    """What the limits allow right now. Null means no limit."""

    bet_cents: int | None
    buy_in_cents: int | None
    time_ms: int | None


class LimitsReply(LimitsView):
    """Your limits, and what remains of them."""

    remaining: AllowanceView


@router.get("/limits")
def get_limits(person: PersonDep, state: StateDep) -> LimitsReply:
    """Return your limits."""
    return _limits_reply(state, person)


@router.put("/limits")
def set_limits(body: LimitsRequest, person: PersonDep, state: StateDep) -> LimitsReply:
    """Set both limits. A tighter limit takes effect immediately, a looser one after 24 hours."""
    now_ms = state.settings.clock()
    person = state.journal.people.change_self_limits(
        person.person_id,
        lambda stored: SelfLimits.from_data(stored).request(body.loss_cents, body.time_ms, now_ms).to_data(),
    )
    state.invalidate_person(person.person_id)
    return _limits_reply(state, person)


def active_limits(person: Person) -> SelfLimits | None:
    """Return the limits of a person, or None if the person set none."""
    return SelfLimits.from_data(person.self_limits) if person.self_limits else None


def limits_view(person: Person, now_ms: int) -> LimitsView:
    """Return the view of a person's limits at a given time."""
    limits = SelfLimits.from_data(person.self_limits).at_time(now_ms)
    return LimitsView(loss_cents=_limit_view(limits.loss_cents), time_ms=_limit_view(limits.time_ms))


def _limit_view(limit: SelfLimit) -> LimitView:
    return LimitView(
        current=limit.current, pending=None if limit.pending is None else PendingLimitView(**limit.pending._asdict())
    )


def _limits_reply(state: AppState, person: Person) -> LimitsReply:
    now_ms = state.settings.clock()
    totals = state.journal.player_totals.across_tables(person.person_id, now_ms)
    allowance = remaining_allowance(SelfLimits.from_data(person.self_limits), totals, now_ms)
    view = limits_view(person, now_ms)
    return LimitsReply(loss_cents=view.loss_cents, time_ms=view.time_ms, remaining=AllowanceView(**allowance._asdict()))
