"""What a spot is worth at a table: exact edges, spread and chances under the table's own house."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query
from starlette.concurrency import run_in_threadpool

from trueodds.chain import ChainError
from trueodds.money import MoneyError
from trueodds.rulebook import House, Spot, SpotError
from trueodds.server.desk import AtDesk, Desk
from trueodds.server.errors import ApiError
from trueodds.server.figures import SpotOdds
from trueodds.server.tables import AtTable
from trueodds.table import Refused

router = APIRouter(prefix="/api/tables", tags=["tables"])


@router.get("/{table_id}/odds")
async def odds(table: AtTable, desk: AtDesk, spot: Annotated[str, Query(max_length=60)]) -> SpotOdds:
    """Work out what a bet on a spot is worth under the house of this table, in exact fractions."""
    house, place = await run_in_threadpool(_look_up, desk, table, spot)
    try:
        return await desk.cards.of(house, place)
    except (ChainError, MoneyError, Refused) as error:
        raise ApiError(409, "not_worked_out", f"{place} cannot be worked out: {error}") from None


def _look_up(desk: Desk, table_id: str, text: str) -> tuple[House, Spot]:
    try:
        spot = Spot.parse(text)
    except SpotError as error:
        raise ApiError(422, "malformed", f"spot: {error}", where="spot") from None
    rules = desk.dealers.of(desk.journal.load(table_id).header).rules
    flat, behind = rules.spots.get(spot), rules.odds.get(spot.kind) if not spot.pick else None
    if not (flat and flat.offer.given) and not (behind and behind.offer.given):
        raise ApiError(404, "no_such_spot", f"there is no spot {spot} on the layout of {rules.house.name}")
    return rules.house, spot
