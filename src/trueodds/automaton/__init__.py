"""The automaton: a strategy and a table compiled into flat arrays by querying the engine.

`Automaton` needs NumPy, which `trueodds[sim]` installs. It is imported on first use.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from trueodds.automaton.calculation_errors import (
    CalculationError,
    DiceWeightsError,
    NeverEndsError,
    PlotError,
    SessionError,
    TooManyStatesError,
)

if TYPE_CHECKING:
    from trueodds.automaton.automaton import Automaton


def __getattr__(name: str) -> object:
    if name == "Automaton":
        return import_module("trueodds.automaton.automaton").Automaton
    msg = f"module {__name__!r} has no attribute {name!r}"
    raise AttributeError(msg)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})


__all__ = [
    "Automaton",
    "CalculationError",
    "DiceWeightsError",
    "NeverEndsError",
    "PlotError",
    "SessionError",
    "TooManyStatesError",
]
