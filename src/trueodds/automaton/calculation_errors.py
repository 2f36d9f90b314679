"""Errors raised by the rooms that calculate: automaton, wager_odds, sessions and simulation."""

from __future__ import annotations

from trueodds.errors import TrueoddsError


class CalculationError(TrueoddsError, ValueError):
    """Base class of the errors raised by odds, sessions and simulations."""


class TooManyStatesError(CalculationError):
    """The calculation needs more states than the limit or the memory budget allows."""


class NeverEndsError(CalculationError):
    """With these dice the bet or the hand is never resolved, so it has no expected value."""


class DiceWeightsError(CalculationError):
    """The weights or chances given for the dice are invalid."""


class SessionError(CalculationError):
    """The parameters of a session or a simulation are invalid."""


class PlotError(CalculationError):
    """The plot cannot be drawn or saved."""
