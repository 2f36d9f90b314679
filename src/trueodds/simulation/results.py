"""The results of a simulation, and of a comparison of several strategies on the same dice."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cached_property
from math import sqrt
from pathlib import Path
from typing import TYPE_CHECKING, Final, NotRequired, TypedDict

import numpy as np

from trueodds.automaton.array_types import Int64Array
from trueodds.automaton.calculation_errors import SessionError
from trueodds.rulebook import House
from trueodds.sessions.rack_rows import Floats
from trueodds.sessions.result_stats import ResultStats, check_quantile
from trueodds.simulation.comparison_runner import BatchResult
from trueodds.simulation.histograms import Histogram, SessionHistograms
from trueodds.simulation.percentile_bands import PercentileBands, compute_bands
from trueodds.simulation.session_runner import SimulationSpec
from trueodds.strategy import Strategy

if TYPE_CHECKING:
    from matplotlib.figure import Figure

Z_95: Final = 1.959963984540054
"""The 97.5 % quantile of the normal distribution, for 95 % confidence intervals."""


class SimulationSummary(TypedDict):
    """The figures of a simulation as `Simulation.summary` returns them. The last three appear in comparisons only."""

    strategy: str
    house: str
    sessions: int
    bankroll_cents: int
    rolls: int | None
    shooters: int | None
    seed: int | None
    mean_cents: float
    mean_interval_95_cents: tuple[float, float] | None
    standard_deviation_cents: float
    ruin_chance: float
    profit_chance: float
    doubling_chance: float
    ended_by: dict[str, int]
    mean_rolls: float
    mean_hands: float
    mean_peak_cents: float
    mean_trough_cents: float
    mean_drawdown_cents: float
    quantiles_cents: dict[float, int]
    engine_share: float
    ahead_of_first_cents: NotRequired[float]
    ahead_of_first_interval_95_cents: NotRequired[tuple[float, float]]
    better_than_first: NotRequired[float]


class Simulation(ResultStats):
    """The results of simulated sessions. As in `Session`, everything that ends in `_cents` is in cents."""

    def __init__(self, spec: SimulationSpec, histograms: SessionHistograms) -> None:
        self.spec = spec
        self.limits = spec.limits
        self.histograms = histograms

    @property
    def strategy(self) -> Strategy:
        """The strategy that was played."""
        return self.spec.strategy

    @property
    def house(self) -> House:
        """The house where it was played."""
        return self.spec.house

    @property
    def seed(self) -> int | None:
        """The random seed, which repeats these results, or None if the rolls were a recording."""
        return None if self.spec.recording else self.spec.seed

    @property
    def sessions(self) -> int:
        """The number of sessions."""
        return self.histograms.sessions

    @property
    def results_cents(self) -> Int64Array:
        """The net results that occurred, in increasing order."""
        return self.histogram("final_worth").values - self.bankroll_cents

    @property
    def counts(self) -> Int64Array:
        """How often each net result occurred."""
        return self.histogram("final_worth").counts

    @property
    def chances(self) -> Floats:
        """The share of sessions with each net result."""
        return self.counts / self.sessions

    @property
    def mean_cents(self) -> float:
        """The mean net result."""
        return self.histogram("final_worth").mean - self.bankroll_cents

    @property
    def standard_deviation_cents(self) -> float:
        """The estimated standard deviation of the net result."""
        return sqrt(self.variance_cents2)

    @property
    def variance_cents2(self) -> float:
        """The estimated variance of the net result, in cents squared."""
        return self.histogram("final_worth").variance

    @property
    def standard_error_cents(self) -> float:
        """The standard error of the mean."""
        return self.standard_deviation_cents / sqrt(self.sessions)

    @property
    def mean_interval_95_cents(self) -> tuple[float, float] | None:
        """The 95 % confidence interval of the mean, or None for a single session."""
        if self.sessions == 1:
            return None
        margin = Z_95 * self.standard_error_cents
        return self.mean_cents - margin, self.mean_cents + margin

    def chance(self, condition: Callable[[int], bool]) -> float:
        """Return the share of sessions whose net result in cents meets a condition."""
        chosen = np.array([bool(condition(result)) for result in self.results_cents.tolist()], dtype=bool)
        return int(self.counts[chosen].sum()) / self.sessions

    @property
    def profit_chance(self) -> float:
        """The share of sessions that ended with more than the bankroll."""
        return self.chance(lambda result_cents: result_cents > 0)

    @property
    def doubling_chance(self) -> float:
        """The share of sessions that ended with at least twice the bankroll."""
        return self.chance(lambda result_cents: result_cents >= self.bankroll_cents)

    @property
    def ruin_chance(self) -> float:
        """The share of sessions that ended in ruin."""
        return self.histograms.ended_by.get("ruin", 0) / self.sessions

    def quantile_cents(self, share: float) -> int:
        """Return the smallest net result that at least this share of sessions did not exceed."""
        check_quantile(share)
        return self.histogram("final_worth").quantile(share) - self.bankroll_cents

    def mean_of(self, name: str) -> float:
        """Return the mean of "rolls", "hands", "peak", "trough", "drawdown" or "final_worth" (money in cents)."""
        return self.histogram(name).mean

    def histogram(self, name: str) -> Histogram:
        """Return the histogram of "rolls", "hands", "peak", "trough", "drawdown" or "final_worth" (money in cents)."""
        if name not in self.histograms.by_name:
            raise SessionError(f"histogram must be one of {', '.join(self.histograms.by_name)}, got {name!r}")
        return self.histograms.by_name[name]

    @property
    def engine_share(self) -> float:
        """The share of sessions that the engine played because their situations did not fit into memory."""
        return self.histograms.engine_sessions / self.sessions

    @cached_property
    def percentile_bands(self) -> PercentileBands:
        """How results spread over time, based on the first sessions. The sessions run again on first use."""
        return compute_bands(self.spec, self.sessions)

    def percentile_rows(self) -> list[dict[str, int]]:
        """Return the percentile bands row by row: "rolls", and the net result in cents at each quantile."""
        bands = self.percentile_bands
        names = [str(quantile) for quantile in bands.quantiles]
        rows = zip(bands.roll_counts.tolist(), bands.results_cents.T.tolist(), strict=True)
        return [{"rolls": rolls, **dict(zip(names, results, strict=True))} for rolls, results in rows]

    def summary(self) -> SimulationSummary:
        """Return the main figures. Keys that end in `_cents` hold cents."""
        return {
            "strategy": self.strategy.name,
            "house": self.house.name,
            "sessions": self.sessions,
            "bankroll_cents": self.bankroll_cents,
            "rolls": self.limits.rolls,
            "shooters": self.limits.shooters,
            "seed": self.seed,
            "mean_cents": self.mean_cents,
            "mean_interval_95_cents": self.mean_interval_95_cents,
            "standard_deviation_cents": self.standard_deviation_cents,
            "ruin_chance": self.ruin_chance,
            "profit_chance": self.profit_chance,
            "doubling_chance": self.doubling_chance,
            "ended_by": self.histograms.ended_by,
            "mean_rolls": self.mean_of("rolls"),
            "mean_hands": self.mean_of("hands"),
            "mean_peak_cents": self.mean_of("peak"),
            "mean_trough_cents": self.mean_of("trough"),
            "mean_drawdown_cents": self.mean_of("drawdown"),
            "quantiles_cents": self.quantiles_cents,
            "engine_share": self.engine_share,
        }

    def plot(self, path: str | Path | None = None) -> Figure:
        """Draw the distribution and the percentile bands. Write a file (.svg, .png, .pdf) if a path is given."""
        from trueodds.simulation.simulation_plot import plot_simulations  # noqa: PLC0415  Matplotlib is slow to import

        return plot_simulations([self], None if path is None else Path(path))

    def __repr__(self) -> str:
        return (
            f"<Simulation {self.strategy.name!r} at {self.house.name!r}: {self.sessions:,} sessions, "
            f"mean {self.mean_cents / 100:.2f}>"
        )


class Comparison:
    """Simulations of several strategies on the same dice, and the differences between each of them and the first."""

    def __init__(self, specs: Iterable[SimulationSpec], result: BatchResult) -> None:
        pairs = zip(specs, result.histograms, strict=True)
        self.simulations = tuple(Simulation(spec, histograms) for spec, histograms in pairs)
        self.differences = result.differences

    @property
    def sessions(self) -> int:
        """The number of sessions that each strategy played."""
        return self.simulations[0].sessions

    def ahead_of_first_cents(self, index: int) -> tuple[float, float, float]:
        """Return by how much a strategy was ahead of the first on average, and the 95 % confidence interval of that."""
        difference = self._difference(index)
        margin = Z_95 * sqrt(difference.variance / int(difference.counts.sum()))
        return difference.mean, difference.mean - margin, difference.mean + margin

    def better_than_first(self, index: int) -> float:
        """Return the share of sessions in which a strategy did better than the first."""
        difference = self._difference(index)
        return int(difference.counts[difference.values > 0].sum()) / int(difference.counts.sum())

    def _difference(self, index: int) -> Histogram:
        if not 1 <= index <= len(self.differences):
            raise SessionError(
                f"index must be from 1 to {len(self.differences)} (strategy 0 is the one compared with), got {index!r}"
            )
        return self.differences[index - 1]

    def summary(self) -> list[SimulationSummary]:
        """Return the main figures of each strategy. Keys that end in `_cents` hold cents."""
        summaries = [simulation.summary() for simulation in self.simulations]
        for index, summary in enumerate(summaries[1:], 1):
            mean, low, high = self.ahead_of_first_cents(index)
            summary["ahead_of_first_cents"] = mean
            summary["ahead_of_first_interval_95_cents"] = (low, high)
            summary["better_than_first"] = self.better_than_first(index)
        return summaries

    def plot(self, path: str | Path | None = None) -> Figure:
        """Draw the distributions and percentile bands over each other. Write a file if a path is given."""
        from trueodds.simulation.simulation_plot import plot_simulations  # noqa: PLC0415  Matplotlib is slow to import

        return plot_simulations(self.simulations, None if path is None else Path(path))

    def __repr__(self) -> str:
        names = ", ".join(simulation.strategy.name for simulation in self.simulations)
        return f"<Comparison of {names}: {self.sessions:,} sessions each>"
