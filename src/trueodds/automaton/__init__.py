"""Exact answers from the engine: chains of situations, solved in fractions; strategies compiled into arrays.

`Automaton` and `Session` need NumPy, which comes with `trueodds[sim]`; they are loaded when they are first asked for.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from trueodds.chain.errors import (
    ChainError,
    ChainTooLargeError,
    DiceWeightsError,
    EndlessError,
    PlotError,
    SessionError,
)
from trueodds.chain.hand import HandChain, HandOdds
from trueodds.chain.odds import FAIR, Chances, WagerOdds, biased, house_odds, wager_odds

if TYPE_CHECKING:
    from trueodds.chain.automaton import Automaton
    from trueodds.chain.session import Session

_LATER = {"Automaton": "trueodds.chain.automaton", "Session": "trueodds.chain.session"}


def __getattr__(name: str) -> Any:
    if name in _LATER:
        return getattr(import_module(_LATER[name]), name)
    msg = f"module {__name__!r} has no attribute {name!r}"
    raise AttributeError(msg)


__all__ = [
    "FAIR",
    "Automaton",
    "ChainError",
    "ChainTooLargeError",
    "Chances",
    "DiceWeightsError",
    "EndlessError",
    "HandChain",
    "HandOdds",
    "PlotError",
    "Session",
    "SessionError",
    "WagerOdds",
    "biased",
    "house_odds",
    "wager_odds",
]
