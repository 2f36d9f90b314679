"""Strategies of the library, for whoever wants company at a table."""

from __future__ import annotations

from functools import cache

from fastapi import APIRouter
from pydantic import BaseModel

from trueodds.rulebook import BookError, load_book, open_house
from trueodds.server.errors import ApiError
from trueodds.service.tryout import try_out
from trueodds.strategy import StrategyError, named_strategy, strategy_names

router = APIRouter(prefix="/api", tags=["books"])


class StrategyView(BaseModel):
    """A strategy: its name in the library, what it is called, what it does and needs."""

    name: str
    title: str
    about: str
    needs: str


@router.get("/strategies")
def strategies(book: str | None = None) -> list[StrategyView]:
    """List the strategies of the library, or those that the default house of a book lets play."""
    if book is None:
        return [_view(name) for name in strategy_names()]
    try:
        return [_view(name) for name in _playable(load_book(book).id)]
    except BookError as error:
        raise ApiError(404, "no_such_book", str(error)) from None


def _view(name: str) -> StrategyView:
    strategy = named_strategy(name)
    return StrategyView(name=name, title=strategy.name, about=strategy.about, needs=strategy.needs)


@cache
def _playable(book: str) -> tuple[str, ...]:
    return tuple(name for name in strategy_names() if _plays(name, book))


def _plays(name: str, book: str) -> bool:
    try:
        try_out(named_strategy(name), open_house(book))
    except StrategyError:
        return False
    return True
