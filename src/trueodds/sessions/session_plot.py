"""Charts of an exact session: a Matplotlib figure or file, and a text chart drawn by plotext."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from trueodds.automaton.calculation_errors import PlotError
from trueodds.money import format_money

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from trueodds.automaton.array_types import Int64Array
    from trueodds.rulebook import House
    from trueodds.sessions.exact_session import Session
    from trueodds.sessions.rack_rows import Floats
    from trueodds.sessions.session_limits import SessionLimits

TEXT_COLOR: Final = "#1b2a33"
WIN_COLOR: Final = "#0f7a55"
LOSS_COLOR: Final = "#b4483c"
MAX_BARS: Final = 60
PLOT_SUFFIXES: Final = (".svg", ".png", ".pdf")


class Bars(NamedTuple):
    """Bars of equal width: the center of each in cents, and its chance."""

    centers_cents: Floats
    chances: Floats
    width_cents: float


def make_bars(results: Int64Array, chances: Floats, max_bars: int = MAX_BARS, tail_chance: float = 1e-6) -> Bars:
    """Group results into bars with an edge at break-even. Leave out a tail of this chance at either end."""
    cumulative = np.cumsum(chances)
    shown = (cumulative > tail_chance) & (cumulative - chances < 1 - tail_chance)
    low, high = int(results[shown].min()), int(results[shown].max())
    step = max(1, int(np.gcd.reduce(np.diff(results)))) if len(results) > 1 else 100
    width = step * max(1, -(-(high - low + step) // (step * max_bars)))
    index = -np.floor_divide(-results[shown], width) - 1  # a bar includes its right edge, so break-even is a loss
    first = int(index.min())
    heights: Floats = np.bincount(index - first, weights=chances[shown]).astype(np.float64)
    centers: Floats = (np.arange(len(heights), dtype=np.float64) + first + 0.5) * width
    return Bars(centers, heights, float(width))


def check_plot_path(path: Path) -> None:
    """Raise PlotError if a plot cannot be written to this path."""
    if path.suffix.lower() not in PLOT_SUFFIXES:
        raise PlotError(f"plot file must end in .svg, .png or .pdf, got {path.name!r}")
    if not path.absolute().parent.is_dir():
        raise PlotError(f"cannot write {path}: the folder does not exist")


def plot_session(session: Session, path: Path | None) -> Figure:
    """Draw the distribution of a session, write it to a file if a path is given, and return the figure."""
    from matplotlib.figure import Figure  # noqa: PLC0415  Matplotlib is slow to import

    if path is not None:
        check_plot_path(path)
    figure = Figure(figsize=(9, 5), layout="constrained")
    axes = figure.add_subplot()
    bars = make_bars(session.results_cents, session.chances)
    colors = [WIN_COLOR if center > 0 else LOSS_COLOR for center in bars.centers_cents]
    axes.bar(bars.centers_cents / 100, bars.chances * 100, bars.width_cents / 100 * 0.92, color=colors)
    mean, currency = float(session.mean_cents), session.house.currency
    axes.axvline(mean / 100, color=TEXT_COLOR, linestyle="--", linewidth=1.2)
    axes.annotate(
        f"mean {format_money(round(mean), currency)}", (mean / 100, 1), xycoords=("data", "axes fraction"),
        xytext=(6, -14), textcoords="offset points", color=TEXT_COLOR,
    )  # fmt: skip
    title = f"{session.strategy.name}: {limits_title(session.limits, session.house)}"
    axes.set_title(title, color=TEXT_COLOR, loc="left")
    axes.set_xlabel(f"result ({currency})")
    axes.set_ylabel(f"chance in bars of {format_money(round(bars.width_cents), currency)} (%)")
    return finish_figure(figure, path)


def finish_figure(figure: Figure, path: Path | None) -> Figure:
    """Remove needless frame lines, add a grid, and write the figure to a file if a path is given."""
    for axes in figure.axes:
        for side in ("top", "right"):
            axes.spines[side].set_visible(False)
        axes.grid(axis="y", alpha=0.25)
    if path is not None:
        figure.savefig(path, dpi=150, metadata={"Date": None} if path.suffix.lower() == ".svg" else None)
    return figure


def limits_title(limits: SessionLimits, house: House) -> str:
    """Return a title such as "$500 for 200 rolls, New Jersey"."""
    return f"{format_money(limits.bankroll_cents, house.currency)} for {limits.length_text}, {house.book.title}"


def start_text_chart(width: int, height: int) -> ModuleType:
    """Return plotext with an empty chart of this many characters."""
    plotext = import_module("plotext")
    plotext.clear_figure()
    plotext.theme("clear")
    plotext.plotsize(width, height)
    return plotext


def session_chart(session: Session, width: int = 80, height: int = 18) -> str:
    """Return the distribution of a session as a text chart."""
    bars = make_bars(session.results_cents, session.chances, max(10, (width - 10) // 2), tail_chance=1e-4)
    plotext = start_text_chart(width, height)
    for is_win, color in ((False, "red"), (True, "green")):
        colored = (bars.centers_cents > 0) == is_win
        if colored.any():
            centers, heights = (bars.centers_cents[colored] / 100).tolist(), (bars.chances[colored] * 100).tolist()
            plotext.bar(centers, heights, color=color, marker="hd", width=1.0, reset_ticks=False)
    ticks = np.linspace(bars.centers_cents[0], bars.centers_cents[-1], 7) / 100
    plotext.xticks(ticks.tolist(), [f"{tick:,.0f}" for tick in ticks])
    bar_width = format_money(round(bars.width_cents), session.house.currency)
    plotext.title(f"chance of each result, in bars of {bar_width} (%)")
    return str(plotext.build())
