"""Craps, by the book.

>>> import trueodds
>>> trueodds.odds("new_jersey", "place:6")[0].edge
Fraction(-1, 66)
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from trueodds.chain.odds import odds
    from trueodds.chain.session import Session
    from trueodds.chain.simulate import compare, simulate
    from trueodds.table import Table

__version__ = "0.1.0"

_LATER = {
    "Session": "trueodds.chain.session",
    "Table": "trueodds.table",
    "compare": "trueodds.chain.simulate",
    "odds": "trueodds.chain.odds",
    "simulate": "trueodds.chain.simulate",
}


def __getattr__(name: str) -> Any:
    if name in _LATER:
        return getattr(import_module(_LATER[name]), name)
    msg = f"module {__name__!r} has no attribute {name!r}"
    raise AttributeError(msg)


__all__ = ["Session", "Table", "__version__", "compare", "odds", "simulate"]
