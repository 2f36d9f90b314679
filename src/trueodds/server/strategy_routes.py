"""Route that lists the built-in strategies, which bots can play."""

from __future__ import annotations

from functools import cache

from fastapi import APIRouter
from pydantic import BaseModel

from trueodds.rulebook import BookError, as_house, load_book
from trueodds.server.errors import ApiError
from trueodds.service.strategy_check import check_strategy
from trueodds.strategy import StrategyError, builtin_strategy, builtin_strategy_names

router = APIRouter(prefix="/api", tags=["books"])


class StrategyView(BaseModel):
    """A built-in strategy: its name, title, description and requirements."""

    name: str
    title: str
    about: str
    needs: str


@router.get("/strategies")
def list_strategies(book: str | None = None) -> list[StrategyView]:
    """List the built-in strategies, or only those that the default house of a book allows."""
    if book is None:
        return [_strategy_view(name) for name in builtin_strategy_names()]
    try:
        return [_strategy_view(name) for name in _playable(load_book(book).id)]
    except BookError as error:
        raise ApiError(404, "no_such_book", str(error)) from None


def _strategy_view(name: str) -> StrategyView:
    strategy = builtin_strategy(name)
    return StrategyView(name=name, title=strategy.name, about=strategy.about, needs=strategy.needs)


@cache
def _playable(book_id: str) -> tuple[str, ...]:
    return tuple(name for name in builtin_strategy_names() if _can_play(name, book_id))


def _can_play(name: str, book_id: str) -> bool:
    try:
        check_strategy(builtin_strategy(name), as_house(book_id))
    except StrategyError:
        return False
    return True
