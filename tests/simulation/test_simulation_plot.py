"""Charts of simulations."""

from __future__ import annotations

from itertools import islice
from pathlib import Path

import pytest

from trueodds.automaton import PlotError
from trueodds.simulation.rng import session_rolls
from trueodds.simulation.simulate import compare, simulate
from trueodds.simulation.simulation_plot import common_bars, simulations_chart


@pytest.mark.parametrize("suffix", ["svg", "png"])
def test_a_plot_has_every_strategy(tmp_path: Path, suffix: str) -> None:
    comparison = compare(["pass", "molly"], "new_jersey", bankroll=200, sessions=3000, seed=8, rolls=60)
    path = tmp_path / f"both.{suffix}"
    figure = comparison.plot(path)
    assert path.stat().st_size > 5000
    left, right = figure.axes
    legend = left.get_legend()
    assert legend is not None
    names = [text.get_text().split(":")[0] for text in legend.get_texts()]
    assert names == ["Pass line", "Three point molly"]
    assert len(right.lines) == 3  # two medians and break-even


def test_a_recording_has_no_percentile_bands_to_plot() -> None:
    recording = tuple(islice(session_rolls(1, 0), 300))
    simulation = simulate("pass", "nj", bankroll=100, rolls=20, recording=recording)
    assert len(simulation.plot().axes) == 1


def test_the_text_chart_names_every_strategy() -> None:
    comparison = compare(["pass", "molly"], "new_jersey", bankroll=200, sessions=500, seed=8, rolls=60)
    chart = simulations_chart(comparison.simulations)
    assert "Pass line" in chart
    assert "Three point molly" in chart


def test_bars_hold_the_shown_results() -> None:
    """The bars leave out a thousandth of the sessions at either end."""
    comparison = compare(["pass", "molly"], "new_jersey", bankroll=200, sessions=3000, seed=8, rolls=60)
    _, _, heights = common_bars(comparison.simulations)
    assert all(0.997 < shares.sum() <= 1 + 1e-9 for shares in heights)


def test_invalid_plot_files(tmp_path: Path) -> None:
    simulation = simulate("pass", "nj", bankroll=100, sessions=10, seed=1, rolls=20)
    with pytest.raises(PlotError, match=r"must end in .svg, .png or .pdf, got 'plot.txt'"):
        simulation.plot(tmp_path / "plot.txt")
    with pytest.raises(PlotError, match="the folder does not exist"):
        simulation.plot(tmp_path / "nowhere" / "plot.svg")
