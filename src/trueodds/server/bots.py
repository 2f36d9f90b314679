"""Bots for company: who of the house sits down at a new table."""

from __future__ import annotations

from functools import lru_cache
from typing import Annotated, Final

from pydantic import Field

from trueodds.journal import Record
from trueodds.rulebook import House
from trueodds.server.desk import Desk
from trueodds.server.errors import ApiError
from trueodds.service.company import MOST_BOTS, hired
from trueodds.service.tryout import try_out
from trueodds.strategy import StrategyError, StrategyRefusedError, named_strategy, strategy_names
from trueodds.wagers import Rules

BotNames = Annotated[list[Annotated[str, Field(min_length=1, max_length=60)]], Field(max_length=MOST_BOTS)]

BUY_IN_CENTS: Final = 100_000
"""What a bot buys in for, and again when it cannot pay its next bet and has nothing up."""


def hire_all(desk: Desk, house: House, strategies: list[str]) -> tuple[Record, ...]:
    """Find somebody of the house for every strategy; raises `ApiError` before anybody is hired."""
    for name in strategies:
        _require_playable(house, name)
    seats = Rules(house).game.seats
    if seats is not None and len(strategies) >= seats:
        raise ApiError(409, "table_full", f"this table has {seats} seats, and one is for a player", where="bots")
    busy: list[str] = []
    for name in strategies:
        called = name.replace("_", " ").capitalize()
        busy.append(desk.journal.people.hire(called, desk.settings.clock(), busy).person_id)
    return tuple(hired(person, name, BUY_IN_CENTS) for person, name in zip(busy, strategies, strict=True))


def _require_playable(house: House, name: str) -> None:
    if name not in strategy_names():
        raise ApiError(409, "no_such_strategy", f"no strategy of the library is called {name!r}", where="bots")
    refused = _refused(house, name)
    if isinstance(refused, StrategyRefusedError):
        no = refused.refusal
        sentence = f"{name} cannot play at this table: {refused.what}: {no.sentence}"
        raise ApiError(409, no.code, sentence, where="bots", cite=list(no.cite))
    if refused is not None:
        raise ApiError(409, "not_offered", f"{name} cannot play at this table: {refused}", where="bots")


@lru_cache(maxsize=256)
def _refused(house: House, name: str) -> StrategyError | None:
    try:
        try_out(named_strategy(name), house)
    except StrategyError as refused:
        return refused.with_traceback(None)  # what is remembered keeps no frames alive
    return None
