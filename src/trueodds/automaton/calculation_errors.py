"""What can be wrong with a question to the chain."""

from __future__ import annotations


class ChainError(ValueError):
    """A question that has no answer; the message says why."""


class ChainTooLargeError(ChainError):
    """More states than there is room for."""


class EndlessError(ChainError):
    """Something that goes on for ever has no expectation."""


class DiceWeightsError(ChainError):
    """Weights that make no dice."""


class SessionError(ChainError):
    """A session that cannot be asked for."""


class PlotError(ChainError):
    """A plot that cannot be made."""
