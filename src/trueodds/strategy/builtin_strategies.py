"""The strategies that come with trueodds, each a file of `strategy/named`."""

from __future__ import annotations

from functools import cache
from importlib import resources
from typing import Final

from trueodds.strategy.errors import StrategyError
from trueodds.strategy.file import read_strategy
from trueodds.strategy.part import Part, Strategy

_SHELF: Final = resources.files("trueodds.strategy") / "named"


@cache
def strategy_names() -> tuple[str, ...]:
    """Name the strategies of the library."""
    return tuple(sorted(entry.name.removesuffix(".toml") for entry in _SHELF.iterdir() if entry.name.endswith(".toml")))


def open_strategy(strategy: Strategy | Part | str) -> Strategy:
    """Take a strategy, a single part, or the name of one in the library."""
    if isinstance(strategy, str):
        return named_strategy(strategy)
    return strategy if isinstance(strategy, Strategy) else Strategy((strategy,))


@cache
def named_strategy(name: str) -> Strategy:
    """Find a strategy of the library.

    >>> named_strategy("molly").name
    'Three point molly'
    """
    return read_strategy(strategy_text(name), f"named/{name}.toml", name)


def strategy_text(name: str) -> str:
    """Give the file of a strategy of the library.

    >>> strategy_text("pass").splitlines()[0]
    'name = "Pass line"'
    """
    if name not in strategy_names():
        raise StrategyError(f"no strategy {name!r}; there are {', '.join(strategy_names())}")
    return (_SHELF / f"{name}.toml").read_text("utf-8")
