"""The strategies that come with trueodds. Each is a TOML file in `strategy/builtin`."""

from __future__ import annotations

from functools import cache
from importlib import resources
from typing import Final

from trueodds.strategy.errors import StrategyError
from trueodds.strategy.play_base import Play, Strategy
from trueodds.strategy.strategy_parser import parse_strategy

_BUILTIN_FILES: Final = resources.files("trueodds.strategy") / "builtin"


@cache
def builtin_strategy_names() -> tuple[str, ...]:
    """Return the names of the built-in strategies, sorted."""
    return tuple(
        sorted(entry.name.removesuffix(".toml") for entry in _BUILTIN_FILES.iterdir() if entry.name.endswith(".toml"))
    )


def as_strategy(strategy: Strategy | Play | str) -> Strategy:
    """Return a strategy, the strategy of a single play, or the built-in strategy with a name."""
    if isinstance(strategy, str):
        return builtin_strategy(strategy)
    return strategy if isinstance(strategy, Strategy) else Strategy((strategy,))


@cache
def builtin_strategy(name: str) -> Strategy:
    """Return the built-in strategy with a name.

    >>> builtin_strategy("molly").name
    'Three point molly'
    """
    return parse_strategy(builtin_strategy_text(name), f"builtin/{name}.toml", name)


def builtin_strategy_text(name: str) -> str:
    """Return the text of the file of a built-in strategy. Raise StrategyError if there is none with this name.

    >>> builtin_strategy_text("pass").splitlines()[0]
    'name = "Pass line"'
    """
    if name not in builtin_strategy_names():
        from difflib import get_close_matches  # noqa: PLC0415  only errors need it

        near = get_close_matches(name, builtin_strategy_names(), n=1)
        hint = f"did you mean {near[0]!r}?" if near else f"the names are {', '.join(builtin_strategy_names())}"
        raise StrategyError(f"no built-in strategy is called {name!r}; {hint}")
    return (_BUILTIN_FILES / f"{name}.toml").read_text("utf-8")
