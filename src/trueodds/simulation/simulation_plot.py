"""Charts of simulations: distributions and percentile bands in Matplotlib, and a text chart drawn by plotext."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import cycle
from math import lcm
from pathlib import Path
from typing import TYPE_CHECKING, Final

import numpy as np

from trueodds.money import format_money
from trueodds.sessions.session_plot import (
    MAX_BARS,
    TEXT_COLOR,
    check_plot_path,
    finish_figure,
    limits_title,
    start_text_chart,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from trueodds.automaton.array_types import Int64Array
    from trueodds.sessions.rack_rows import Floats
    from trueodds.simulation.results import Simulation

LINE_COLORS: Final = ("#0f7a55", "#d1495b", "#2e6fb7", "#e08e1b", "#7a4fa3", "#3aa6b9", "#6b6b6b")
TERMINAL_COLORS: Final = ("green", "red", "blue", "orange", "magenta", "cyan")


def plot_simulations(simulations: Sequence[Simulation], path: Path | None) -> Figure:
    """Draw distributions over each other with percentile bands beside them. Write a file if a path is given."""
    from matplotlib.figure import Figure  # noqa: PLC0415  Matplotlib is slow to import

    if path is not None:
        check_plot_path(path)
    has_bands = simulations[0].spec.recording is None
    figure = Figure(figsize=(12 if has_bands else 9, 5), layout="constrained")
    left, *rest = figure.subplots(1, 2 if has_bands else 1, squeeze=False)[0]
    _plot_distributions(left, simulations)
    for axes in rest:
        _plot_percentile_bands(axes, simulations)
    count = f"{simulations[0].sessions:,} sessions" + (" each" if len(simulations) > 1 else "")
    title = f"{limits_title(simulations[0].limits, simulations[0].house)}: {count}"
    figure.suptitle(title, color=TEXT_COLOR, x=0.01, ha="left")
    return finish_figure(figure, path)


def _plot_distributions(axes: Axes, simulations: Sequence[Simulation]) -> None:
    currency = simulations[0].house.currency
    width, edges, heights = common_bars(simulations)
    for simulation, shares, color in zip(simulations, heights, cycle(LINE_COLORS), strict=False):
        mean = format_money(round(simulation.mean_cents), currency)
        label = f"{simulation.strategy.name}: mean {mean}, ruin {simulation.ruin_chance:.1%}"
        axes.stairs(shares * 100, edges / 100, color=color, linewidth=1.6, label=label)
        axes.axvline(simulation.mean_cents / 100, color=color, linestyle=":", linewidth=1.2)
    _clip_tall_bars(axes, edges, heights)
    axes.set_xlabel(f"result ({currency})")
    axes.set_ylabel(f"sessions in bars of {format_money(width, currency)} (%)")
    axes.legend(frameon=False, fontsize="small")


def _clip_tall_bars(axes: Axes, edges: Int64Array, heights: list[Floats]) -> None:
    """Clip first bars (ruin) that would dwarf all others, and write their height beside them."""
    top = 1.25 * max(float(shares[1:].max(initial=0)) for shares in heights)
    colored = zip(heights, cycle(LINE_COLORS), strict=False)
    tall = sorted(((float(shares[0]), color) for shares, color in colored if shares[0] > top), reverse=True)
    if not tall or not top:
        return
    axes.set_ylim(0, top * 100)
    for line, (share, color) in enumerate(tall):
        axes.annotate(
            f"{share:.0%} of sessions", (edges[1] / 100, 1), xycoords=("data", "axes fraction"),
            xytext=(5, -14 - 13 * line), textcoords="offset points", color=color, fontsize="small",
        )  # fmt: skip


def _plot_percentile_bands(axes: Axes, simulations: Sequence[Simulation]) -> None:
    """Draw the medians over time with the middle 50 %, and for a single simulation the middle 90 %."""
    alone = len(simulations) == 1
    for simulation, color in zip(simulations, cycle(LINE_COLORS), strict=False):
        bands = simulation.percentile_bands
        p5, p25, median, p75, p95 = bands.results_cents / 100
        axes.fill_between(bands.roll_counts, p25, p75, color=color, alpha=0.3 if alone else 0.14, linewidth=0)
        if alone:
            axes.fill_between(bands.roll_counts, p5, p95, color=color, alpha=0.15, linewidth=0)
        axes.plot(bands.roll_counts, median, color=color, linewidth=1.6)
    axes.axhline(0, color=TEXT_COLOR, linewidth=0.8)
    axes.set_xlabel("rolls")
    shares = "50 % and 90 %" if alone else "50 %"
    axes.set_ylabel(f"result so far ({simulations[0].house.currency}): median and middle {shares} of sessions")


def common_bars(simulations: Sequence[Simulation], max_bars: int = MAX_BARS) -> tuple[int, Int64Array, list[Floats]]:
    """Group the results of several simulations into the same bars. Return their width, their edges and the shares."""
    low = min(simulation.quantile_cents(0.001) for simulation in simulations)
    high = max(simulation.quantile_cents(0.999) for simulation in simulations)
    results = [simulation.results_cents for simulation in simulations]
    steps = [max(1, int(np.gcd.reduce(np.diff(values)))) for values in results if len(values) > 1] or [100]
    step = lcm(*steps) if lcm(*steps) * 10 <= high - low else max(steps)
    width = step * max(1, -(-(high - low + step) // (step * max_bars)))
    first, last = (low - 1) // width, -(-high // width)  # a bar includes its right edge, so break-even is a loss
    edges: Int64Array = np.arange(first, last + 1, dtype=np.int64) * width
    weights = [simulation.chances for simulation in simulations]
    pairs = zip(results, weights, strict=True)
    return width, edges, [np.histogram(values, edges + 1, weights=chances)[0] for values, chances in pairs]


def simulations_chart(simulations: Sequence[Simulation], width: int = 80, height: int = 18) -> str:
    """Return the distributions of simulations over each other as a text chart."""
    bar_width, edges, heights = common_bars(simulations, max(10, (width - 10) // 2))
    plotext = start_text_chart(width, height)
    centers = ((edges[:-1] + edges[1:]) / 200).tolist()
    for simulation, shares, color in zip(simulations, heights, cycle(TERMINAL_COLORS), strict=False):
        plotext.plot(centers, (shares * 100).tolist(), label=simulation.strategy.name, color=color, marker="hd")
    plotext.title(f"sessions with each result, in bars of {format_money(bar_width, simulations[0].house.currency)} (%)")
    return str(plotext.build())
