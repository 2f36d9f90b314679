"""Route for the exact odds of a spot under the house of a table."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query
from starlette.concurrency import run_in_threadpool

from trueodds.automaton import CalculationError
from trueodds.money import MoneyError
from trueodds.rulebook import House, Spot, SpotError
from trueodds.server.app_state import AppState
from trueodds.server.dependencies import StateDep
from trueodds.server.errors import ApiError
from trueodds.server.odds_view import SpotOdds
from trueodds.server.table_routes import TableDep
from trueodds.table import Refused

router = APIRouter(prefix="/api/tables", tags=["tables"])


@router.get("/{table_id}/odds")
async def get_spot_odds(table_id: TableDep, state: StateDep, spot: Annotated[str, Query(max_length=60)]) -> SpotOdds:
    """Return the exact odds of a bet on a spot, under the house of this table."""
    house, parsed_spot = await run_in_threadpool(_parse_spot, state, table_id, spot)
    try:
        return await state.odds_cache.get(house, parsed_spot)
    except (CalculationError, MoneyError, Refused) as error:
        raise ApiError(409, "odds_unavailable", f"The odds of {parsed_spot} cannot be computed: {error}") from None


def _parse_spot(state: AppState, table_id: str, text: str) -> tuple[House, Spot]:
    try:
        spot = Spot.parse(text)
    except SpotError as error:
        raise ApiError(422, "invalid_request", f"spot: {error}", field="spot") from None
    rules = state.dealers.get(state.journal.load_state(table_id).header).rules
    flat_rule, odds_rule = rules.wager_rules.get(spot), None if spot.pick else rules.odds_rules.get(spot.kind)
    is_offered = any(rule is not None and rule.availability.offered for rule in (flat_rule, odds_rule))
    if not is_offered:
        raise ApiError(404, "no_such_spot", f"The layout of {rules.house.name} has no spot {spot}")
    return rules.house, spot
