"""Drawing distributions: with Matplotlib into a figure or a file, with plotext into a terminal."""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module
from itertools import cycle
from math import lcm
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np

from trueodds.chain.errors import PlotError
from trueodds.money import money

if TYPE_CHECKING:
    from trueodds.chain.group import Ints
    from trueodds.chain.kernel import Floats
    from trueodds.chain.session import Session
    from trueodds.chain.simulate import Simulation

INK: Final = "#1b2a33"
FELT: Final = "#0f7a55"
LOSS: Final = "#b4483c"
BINS: Final = 60
COLOURS: Final = ("#0f7a55", "#d1495b", "#2e6fb7", "#e08e1b", "#7a4fa3", "#3aa6b9", "#6b6b6b")


class Bars(NamedTuple):
    """Results gathered into bars of equal width: the middle of each in cents, and its chance."""

    middles: Floats
    chances: Floats
    width: float


def bars(results: Ints, chances: Floats, most: int = BINS, least: float = 1e-6) -> Bars:
    """Gather results into at most so many bars with a border at break even; leave out the ends, of this chance each."""
    below = np.cumsum(chances)
    seen = (below > least) & (below - chances < 1 - least)
    low, high = int(results[seen].min()), int(results[seen].max())
    step = max(1, int(np.gcd.reduce(np.diff(results)))) if len(results) > 1 else 100
    width = step * max(1, -(-(high - low + step) // (step * most)))
    place = -np.floor_divide(-results[seen], width) - 1  # so that break even ends the last bar of losses
    first = int(place.min())
    heights: Floats = np.bincount(place - first, weights=chances[seen]).astype(np.float64)
    middles: Floats = (np.arange(len(heights), dtype=np.float64) + first + 0.5) * width
    return Bars(middles, heights, float(width))


def check_path(path: Path) -> None:
    """Refuse a file that no plot can be written to."""
    if path.suffix.lower() not in (".svg", ".png", ".pdf"):
        raise PlotError(f"a plot is written as .svg, .png or .pdf, not as {path.name!r}")
    if not path.absolute().parent.is_dir():
        raise PlotError(f"{path} cannot be written: there is no such folder")


def plot_session(session: Session, path: Path | None) -> Any:
    """Draw a session's distribution."""
    if path is not None:
        check_path(path)
    figure = import_module("matplotlib.figure").Figure(figsize=(9, 5), layout="constrained")
    axes = figure.add_subplot()
    shown = bars(session.results, session.chances)
    colours = [FELT if middle > 0 else LOSS for middle in shown.middles]
    axes.bar(shown.middles / 100, shown.chances * 100, shown.width / 100 * 0.92, color=colours)
    mean, currency = float(session.mean), session.house.currency
    axes.axvline(mean / 100, color=INK, linestyle="--", linewidth=1.2)
    axes.annotate(
        f"mean {money(round(mean), currency)}", (mean / 100, 1), xycoords=("data", "axes fraction"), xytext=(6, -14),
        textcoords="offset points", color=INK,
    )  # fmt: skip
    axes.set_title(f"{session.strategy.name}: {_terms(session)}", color=INK, loc="left")
    axes.set_xlabel(f"result ({currency})")
    axes.set_ylabel(f"chance in bars of {money(round(shown.width), currency)} (%)")
    return _finished(figure, path)


def _finished(figure: Any, path: Path | None) -> Any:
    """Take away what is not needed to read a figure, and write it to a file if one is named."""
    for axes in figure.axes:
        for side in ("top", "right"):
            axes.spines[side].set_visible(False)
        axes.grid(axis="y", alpha=0.25)
    if path is not None:
        figure.savefig(path, dpi=150, metadata={"Date": None} if path.suffix.lower() == ".svg" else None)
    return figure


def plot_simulations(found: Sequence[Simulation], path: Path | None) -> Any:
    """Draw the distributions of simulations over each other, and beside them how they spread over time."""
    if path is not None:
        check_path(path)
    watched = found[0].game.recording is None
    figure = import_module("matplotlib.figure").Figure(figsize=(12 if watched else 9, 5), layout="constrained")
    left, *rest = figure.subplots(1, 2 if watched else 1, squeeze=False)[0]
    currency = found[0].house.currency
    width, edges, heights = common_bars(found)
    for one, shares, colour in zip(found, heights, cycle(COLOURS), strict=False):
        label = f"{one.strategy.name}: mean {money(round(one.mean), currency)}, ruin {one.ruin:.1%}"
        left.stairs(shares * 100, edges / 100, color=colour, linewidth=1.6, label=label)
        left.axvline(one.mean / 100, color=colour, linestyle=":", linewidth=1.2)
    _cut(left, edges, heights)
    left.set_xlabel(f"result ({currency})")
    left.set_ylabel(f"sessions in bars of {money(width, currency)} (%)")
    left.legend(frameon=False, fontsize="small")
    for axes in rest:
        _plot_fans(axes, found)
    count = f"{found[0].sessions:,} sessions" + (" each" if len(found) > 1 else "")
    figure.suptitle(f"{_terms(found[0])}: {count}", color=INK, x=0.01, ha="left")
    return _finished(figure, path)


def _cut(axes: Any, edges: Ints, heights: list[Floats]) -> None:
    """Cut off bars of ruin that would dwarf all others, and write down how tall they are."""
    top = 1.25 * max(float(shares[1:].max(initial=0)) for shares in heights)
    named = zip(heights, cycle(COLOURS), strict=False)
    tall = sorted(((float(shares[0]), colour) for shares, colour in named if shares[0] > top), reverse=True)
    if not tall or not top:
        return
    axes.set_ylim(0, top * 100)
    for row, (share, colour) in enumerate(tall):
        axes.annotate(
            f"{share:.0%} of sessions", (edges[1] / 100, 1), xycoords=("data", "axes fraction"),
            xytext=(5, -14 - 13 * row), textcoords="offset points", color=colour, fontsize="small",
        )  # fmt: skip


def _plot_fans(axes: Any, found: Sequence[Simulation]) -> None:
    """Draw medians over time, with half and, for a strategy alone, nine tenths of the sessions around them."""
    for one, colour in zip(found, cycle(COLOURS), strict=False):
        low, lower, middle, upper, high = one.fan.results / 100
        throws = one.fan.throws
        axes.fill_between(throws, lower, upper, color=colour, alpha=0.14 if len(found) > 1 else 0.3, linewidth=0)
        if len(found) == 1:
            axes.fill_between(throws, low, high, color=colour, alpha=0.15, linewidth=0)
        axes.plot(throws, middle, color=colour, linewidth=1.6)
    axes.axhline(0, color=INK, linewidth=0.8)
    axes.set_xlabel("throws")
    around = "half" if len(found) > 1 else "half and nine tenths"
    axes.set_ylabel(f"result so far ({found[0].house.currency}): median and {around} of sessions")


def common_bars(found: Sequence[Simulation], most: int = BINS) -> tuple[int, Ints, list[Floats]]:
    """Gather results of several simulations into the same bars: their width, their edges, and each one's shares."""
    low, high = min(one.quantile(0.001) for one in found), max(one.quantile(0.999) for one in found)
    steps = [max(1, int(np.gcd.reduce(np.diff(one.results)))) for one in found if len(one.results) > 1] or [100]
    step = lcm(*steps) if lcm(*steps) * 10 <= high - low else max(steps)
    width = step * max(1, -(-(high - low + step) // (step * most)))
    first, last = (low - 1) // width, -(-high // width)  # a bar holds its right edge, so break even ends the losses
    edges: Ints = np.arange(first, last + 1, dtype=np.int64) * width
    return width, edges, [np.histogram(one.results, edges + 1, weights=one.chances)[0] for one in found]


def _terms(session: Session | Simulation) -> str:
    currency = session.house.currency
    return f"{money(session.bankroll, currency)} for {session.terms.length}, {session.house.book.title}"


DRAWN: Final = ("green", "red", "blue", "orange", "magenta", "cyan")


def draw_simulations(found: Sequence[Simulation], width: int = 80, height: int = 18) -> str:
    """Draw the distributions of simulations over each other in letters."""
    plotext = import_module("plotext")
    bar, edges, heights = common_bars(found, max(10, (width - 10) // 2))
    plotext.clear_figure()
    plotext.theme("clear")
    plotext.plotsize(width, height)
    middles = ((edges[:-1] + edges[1:]) / 200).tolist()
    for one, shares, colour in zip(found, heights, cycle(DRAWN), strict=False):
        plotext.plot(middles, (shares * 100).tolist(), label=one.strategy.name, color=colour, marker="hd")
    plotext.title(f"sessions with each result, in bars of {money(bar, found[0].house.currency)} (%)")
    drawn: str = plotext.build()
    return drawn


def draw_session(session: Session, width: int = 80, height: int = 18) -> str:
    """Draw a session's distribution in letters."""
    plotext = import_module("plotext")
    shown = bars(session.results, session.chances, max(10, (width - 10) // 2), least=1e-4)
    plotext.clear_figure()
    plotext.theme("clear")
    plotext.plotsize(width, height)
    for wins, colour in ((False, "red"), (True, "green")):
        mine = (shown.middles > 0) == wins
        if mine.any():
            heights = (shown.chances[mine] * 100).tolist()
            plotext.bar(
                (shown.middles[mine] / 100).tolist(), heights, color=colour, marker="hd", width=1.0, reset_ticks=False
            )
    ticks = np.linspace(shown.middles[0], shown.middles[-1], 7) / 100
    plotext.xticks(ticks.tolist(), [f"{tick:,.0f}" for tick in ticks])
    plotext.title(f"chance of each result, in bars of {money(round(shown.width), session.house.currency)} (%)")
    drawn: str = plotext.build()
    return drawn
