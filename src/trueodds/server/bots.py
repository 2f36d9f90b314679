"""Bots that the house seats at a new table."""

from __future__ import annotations

from functools import lru_cache
from typing import Annotated, Final

from pydantic import Field

from trueodds.journal import ServiceEvent
from trueodds.rulebook import House
from trueodds.server.app_state import AppState
from trueodds.server.errors import ApiError
from trueodds.service.bot_runner import MAX_BOTS, bot_added
from trueodds.service.strategy_check import check_strategy
from trueodds.strategy import StrategyError, StrategyRefusedError, builtin_strategy, builtin_strategy_names
from trueodds.wagers import TableRules

BotNames = Annotated[list[Annotated[str, Field(min_length=1, max_length=60)]], Field(max_length=MAX_BOTS)]

BUY_IN_CENTS: Final = 100_000
"""The buy-in of a bot. It buys in again when it has no bets and cannot pay its next one."""


def add_bots(state: AppState, house: House, strategies: list[str]) -> tuple[ServiceEvent, ...]:
    """Return the events that add a bot for every strategy.

    Raise `ApiError` if a strategy cannot play in this house or there are not enough seats.
    """
    for name in strategies:
        _require_playable(house, name)
    seats = TableRules(house).game.max_seats
    if seats is not None and len(strategies) >= seats:
        message = f"This table has {seats} seats: at most {seats - 1} bots, got {len(strategies)}"
        raise ApiError(409, "table_full", message, field="bots")
    bot_ids: list[str] = []
    for name in strategies:
        display_name = name.replace("_", " ").capitalize()
        bot = state.journal.people.find_or_create_bot(display_name, state.settings.clock(), bot_ids)
        bot_ids.append(bot.person_id)
    return tuple(bot_added(bot_id, name, BUY_IN_CENTS) for bot_id, name in zip(bot_ids, strategies, strict=True))


def _require_playable(house: House, name: str) -> None:
    if name not in builtin_strategy_names():
        raise ApiError(409, "no_such_strategy", f"There is no built-in strategy called {name!r}", field="bots")
    error = _strategy_error(house, name)
    if isinstance(error, StrategyRefusedError):
        refusal = error.refusal
        message = f"{name} cannot play at this table: {error.action}: {refusal.sentence}"
        raise ApiError(409, refusal.code, message, field="bots", cite=list(refusal.cite))
    if error is not None:
        raise ApiError(409, "not_offered", f"{name} cannot play at this table: {error}", field="bots")


@lru_cache(maxsize=256)
def _strategy_error(house: House, name: str) -> StrategyError | None:
    try:
        check_strategy(builtin_strategy(name), house)
    except StrategyError as error:
        return error.with_traceback(None)  # a cached traceback would keep its frames alive
    return None
