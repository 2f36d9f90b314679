"""Craps by the book: five real casino rulebooks as data, exact odds, exact sessions and a fast simulator.

>>> import trueodds
>>> table = trueodds.Table("new_jersey", players=["Ann"])
>>> trueodds.odds("new_jersey", "place:6")[0].edge
Fraction(-1, 66)
"""

from __future__ import annotations

from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING

from trueodds.errors import MissingExtraError, TrueoddsError

if TYPE_CHECKING:
    from trueodds.craps_table import Table
    from trueodds.dice import Roll
    from trueodds.rulebook import House, Spot, load_book
    from trueodds.sessions.exact_session import Session
    from trueodds.sessions.watch_session import watch
    from trueodds.simulation.simulate import compare, simulate
    from trueodds.strategy import Strategy
    from trueodds.table import Refused
    from trueodds.wager_odds.find_odds import odds

__version__ = "0.2.0"

_MODULES = {
    "House": "trueodds.rulebook",
    "Refused": "trueodds.table",
    "Roll": "trueodds.dice",
    "Session": "trueodds.sessions.exact_session",
    "Spot": "trueodds.rulebook",
    "Strategy": "trueodds.strategy",
    "Table": "trueodds.craps_table",
    "compare": "trueodds.simulation.simulate",
    "load_book": "trueodds.rulebook",
    "odds": "trueodds.wager_odds.find_odds",
    "simulate": "trueodds.simulation.simulate",
    "watch": "trueodds.sessions.watch_session",
}
"""Where each public name lives. They are imported on first use, so that `import trueodds` is cheap."""

_NEEDS_NUMPY = frozenset({"Session", "compare", "simulate"})


def __getattr__(name: str) -> object:
    if name not in _MODULES:
        msg = f"module {__name__!r} has no attribute {name!r}"
        raise AttributeError(msg)
    if name in _NEEDS_NUMPY and find_spec("numpy") is None:
        raise MissingExtraError(f"trueodds.{name}", "NumPy", "sim")
    value = getattr(import_module(_MODULES[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    missing = _NEEDS_NUMPY if find_spec("numpy") is None else frozenset()
    return sorted({*__all__, *(name for name in globals() if name.startswith("__"))} - missing)


__all__ = [
    "House",
    "Refused",
    "Roll",
    "Session",
    "Spot",
    "Strategy",
    "Table",
    "TrueoddsError",
    "__version__",
    "compare",
    "load_book",
    "odds",
    "simulate",
    "watch",
]
