"""Drawing distributions: with Matplotlib into a figure or a file, with plotext into a terminal."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np

from trueodds.chain.errors import PlotError
from trueodds.money import money

if TYPE_CHECKING:
    from trueodds.chain.group import Ints
    from trueodds.chain.kernel import Floats
    from trueodds.chain.session import Session

INK: Final = "#1b2a33"
FELT: Final = "#0f7a55"
LOSS: Final = "#b4483c"
BINS: Final = 60


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
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)
    axes.grid(axis="y", alpha=0.25)
    if path is not None:
        figure.savefig(path, dpi=150, metadata={"Date": None} if path.suffix.lower() == ".svg" else None)
    return figure


def _terms(session: Session) -> str:
    currency = session.house.currency
    return f"{money(session.bankroll, currency)} for {session.terms.length}, {session.house.book.title}"


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
