"""Percentile bands: quantiles of the worth of sessions after more and more rolls."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np

from trueodds.automaton.array_types import Int64Array
from trueodds.automaton.calculation_errors import SessionError
from trueodds.sessions.session_limits import SHOWN_QUANTILES
from trueodds.simulation.session_runner import SessionRunner, SimulationSpec
from trueodds.simulation.transition_table import MAX_ROLLS

MAX_BAND_SESSIONS: Final = 1 << 14
MAX_BAND_POINTS: Final = 50
MAX_BAND_ROLLS: Final = 1000
"""The bands end here if only the number of shooters is limited."""


@dataclass(frozen=True)
class PercentileBands:
    """The net result in cents at each of the `quantiles` (rows), after each of the `roll_counts` (columns).

    The bands are based on the first `sessions` sessions of a simulation. Sessions that have ended keep their result.
    """

    roll_counts: Int64Array
    quantiles: tuple[float, ...]
    results_cents: Int64Array
    sessions: int


def compute_bands(spec: SimulationSpec, sessions: int) -> PercentileBands:
    """Run the first sessions of a simulation again and return their percentile bands."""
    if spec.recording is not None:
        raise SessionError("percentile bands need a seed, but this simulation used a recording")
    last = min(spec.limits.rolls or MAX_ROLLS, MAX_BAND_ROLLS)
    roll_counts = np.unique(np.linspace(0, last, min(MAX_BAND_POINTS, last) + 1).round().astype(np.int64))
    worths = SessionRunner(spec).worth_over_time(np.arange(min(sessions, MAX_BAND_SESSIONS)), roll_counts)
    quantiles = np.quantile(worths, SHOWN_QUANTILES, axis=0, method="inverted_cdf").astype(np.int64)
    return PercentileBands(roll_counts, SHOWN_QUANTILES, quantiles - spec.limits.bankroll_cents, len(worths))
