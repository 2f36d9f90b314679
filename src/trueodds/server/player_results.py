"""How somebody stands, as clients see it."""

from __future__ import annotations

from fastapi import APIRouter
from pydantic import BaseModel

from trueodds.journal import Standing
from trueodds.server.desk import AtDesk, Known

router = APIRouter(prefix="/api/me", tags=["people"])


class StandingView(BaseModel):
    """`net_cents` is cashed + rack + up - bought; `since_ms` is since when you sit, null if you do not."""

    bought_cents: int
    cashed_cents: int
    rack_cents: int
    up_cents: int
    net_cents: int
    since_ms: int | None
    seated_ms: int


class TableStanding(StandingView):
    """How you stand at one table."""

    table: str
    currency: str


class DayView(BaseModel):
    """The last 24 hours over all tables."""

    bought_cents: int
    cashed_cents: int
    net_cents: int
    seated_ms: int


class EverywhereView(BaseModel):
    """How you stand over all tables, in the last 24 hours, and at each table you ever came to."""

    total: StandingView
    day: DayView
    tables: list[TableStanding]


@router.get("/standing")
def how_do_i_stand(asker: Known, desk: AtDesk) -> EverywhereView:
    """Say what you bought, cashed out, have and won, and how long you sat, over all tables and at each."""
    stands = desk.journal.standings.everywhere(asker.person_id, desk.settings.clock())
    return EverywhereView(
        total=standing_view(stands.total),
        day=DayView(**stands.day._asdict()),
        tables=[
            TableStanding(table=table, currency=desk.currencies.of(table), **standing_view(one).model_dump())
            for table, one in stands.tables.items()
        ],
    )


def standing_view(standing: Standing) -> StandingView:
    """Show how somebody stands."""
    return StandingView(**standing._asdict(), net_cents=standing.net_cents)
