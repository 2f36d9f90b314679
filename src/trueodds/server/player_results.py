"""Route and views for a player's results: chips bought, cashed out and won, and time at the tables."""

from __future__ import annotations

from fastapi import APIRouter
from pydantic import BaseModel

from trueodds.journal import PlayerTotals
from trueodds.server.dependencies import PersonDep, StateDep

router = APIRouter(prefix="/api/me", tags=["people"])


class ResultsView(BaseModel):
    """Results at one table or at all of them.

    `net_cents` is cashed out + rack + layout - bought in. `seated_since_ms` is null without a seat.
    """

    bought_in_cents: int
    cashed_out_cents: int
    rack_cents: int
    layout_cents: int
    net_cents: int
    seated_since_ms: int | None
    seated_ms: int


class TableResultsView(ResultsView):
    """Your results at one table."""

    table_id: str
    currency: str


class DayResultsView(BaseModel):
    """Your results of the last 24 hours at all tables."""

    bought_in_cents: int
    cashed_out_cents: int
    net_cents: int
    seated_ms: int


class AllResultsView(BaseModel):
    """Your results in total, of the last 24 hours, and at each table."""

    total: ResultsView
    last_24_hours: DayResultsView
    tables: list[TableResultsView]


@router.get("/results")
def get_results(person: PersonDep, state: StateDep) -> AllResultsView:
    """Return your results: chips bought, cashed out, held and won, and the time with a seat."""
    totals = state.journal.player_totals.across_tables(person.person_id, state.settings.clock())
    return AllResultsView(
        total=results_view(totals.total),
        last_24_hours=DayResultsView(**totals.last_day._asdict()),
        tables=[
            TableResultsView(
                table_id=table_id, currency=state.currencies.get(table_id), **results_view(at_table).model_dump()
            )
            for table_id, at_table in totals.by_table.items()
        ],
    )


def results_view(totals: PlayerTotals) -> ResultsView:
    """Return the view of a player's totals."""
    return ResultsView(**totals._asdict(), net_cents=totals.net_cents)
