"""`trueodds session` as its users run it."""

from __future__ import annotations

import csv
import io
import json
from fractions import Fraction
from pathlib import Path

import pytest
from rich.console import Console
from typer.testing import CliRunner

from trueodds.automaton import PlotError
from trueodds.cli import output as show
from trueodds.cli.app import app
from trueodds.cli.progress_bar import DelayedProgressBar
from trueodds.sessions import Session
from trueodds.sessions.session_plot import make_bars, session_chart

SHORT = ["session", "pass_345", "--book", "nj", "--bankroll", "100", "--rolls", "12"]


def run(*words: str, code: int = 0) -> str:
    done = CliRunner().invoke(app, list(words))
    assert done.exit_code == code, done.output
    return done.output


def test_a_table_and_a_drawing() -> None:
    told = run(*SHORT, "--stop-loss", "60")
    for said in ("Pass with 3-4-5x odds: $100 for 12 rolls", "ruin", "profit", "stop loss reached", "█"):
        assert said in told
    assert "stop win" not in told


def test_json_has_the_figures_and_the_distribution() -> None:
    told = json.loads(run(*SHORT, "--json"))
    session = Session("pass_345", "new_jersey", bankroll=100, rolls=12)
    assert told["mean_cents"] == session.mean_cents
    assert [row["result_cents"] for row in told["distribution"]] == session.results_cents.tolist()


def test_fractions_add_up_to_one() -> None:
    told = json.loads(run(*SHORT, "--json", "--rational"))
    assert sum(Fraction(row["exact"]) for row in told["distribution"]) == 1
    mean = sum(Fraction(row["exact"]) * row["result_cents"] for row in told["distribution"])
    assert told["mean_cents"] == {"exact": str(mean), "decimal": float(mean)}
    rows = list(csv.DictReader(run(*SHORT, "--csv", "--rational").splitlines()))
    assert sum(Fraction(row["exact"]) for row in rows) == 1
    assert list(rows[0]) == ["result_cents", "chance", "exact"]


def test_csv() -> None:
    rows = list(csv.DictReader(run(*SHORT, "--csv").splitlines()))
    assert sum(float(row["chance"]) for row in rows) == pytest.approx(1)


@pytest.mark.parametrize("name", ["out.svg", "out.png"])
def test_plots_are_written(tmp_path: Path, name: str) -> None:
    assert "█" not in run(*SHORT, "--plot", str(tmp_path / name))
    head = (tmp_path / name).read_bytes()[:200]
    assert head.startswith(b"\x89PNG") or b"<?xml" in head


def test_a_strategy_file_a_house_file_and_loaded_dice(tmp_path: Path) -> None:
    (tmp_path / "mine.toml").write_text('name = "Mine"\n[[play]]\nkeep = "pass"\nstake = 15\n')
    house = Path(__file__).parents[2] / "docs" / "examples" / "boardwalk.toml"
    told = run(
        "session", str(tmp_path / "mine.toml"), "--house", str(house), "--bankroll", "90", "--shooters", "2",
        "--dice-weights", "1,1,1,1,1,2",
    )  # fmt: skip
    assert "Mine: $90 for 2 shooters" in told


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["nobody", "--bankroll", "100"], "no built-in strategy is called 'nobody'"),
        (["nowhere.toml", "--bankroll", "100"], "nowhere.toml"),
        (["pass", "--bankroll", "0"], "must be positive"),
        (["pass", "--bankroll", "lots"], "must be written like"),
        (["pass", "--bankroll", "100", "--rolls", "0"], "rolls must be an integer from 1"),
        (["pass", "--bankroll", "100", "--shooters", "2", "--rational"], "needs a number of rolls"),
        (["pass", "--bankroll", "100", "--book", "atlantis"], "no such book"),
        (["pass_345", "--bankroll", "100", "--book", "win"], "is refused: player bets 30 on pass_odds"),
        (["pass", "--bankroll", "100", "--dice-weights", "1,2"], "must have six weights"),
        (["pass", "--bankroll", "100", "--rolls", "5", "--plot", "out.gif"], "plot file must end in"),
        (["molly", "--bankroll", "5000", "--memory", "1"], "too many situations for a memory budget of 1 MB"),
        (["molly", "--bankroll", "5000", "--memory", "4"], "too large"),
        (["pass", "--bankroll", "100", "--book", "nj", "--house", "x.toml"], "give --book or --house"),
    ],
)
def test_what_goes_wrong_is_one_clear_line(words: list[str], message: str) -> None:
    done = CliRunner().invoke(app, ["session", *words])
    assert done.exit_code == 2
    assert message in done.output
    assert "Traceback" not in done.output


def test_without_numpy_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(show, "find_spec", lambda _name: None)
    assert "pip install 'trueodds[sim]'" in run(*SHORT, code=2)


def test_figures_can_be_used_in_a_notebook(tmp_path: Path) -> None:
    session = Session("pass", "new_jersey", bankroll=50, rolls=5)
    figure = session.plot()
    assert figure.axes[0].get_title(loc="left") == "Pass line: $50 for 5 rolls, New Jersey"
    with pytest.raises(PlotError, match="plot file must end in"):
        session.plot(tmp_path / "out.txt")
    assert "Pass line" in repr(session)


def test_bars_hold_everything_and_never_mix_wins_with_losses() -> None:
    session = Session("iron_cross", "maryland", bankroll=500, rolls=50)
    shown = make_bars(session.results_cents, session.chances)
    assert shown.chances.sum() == pytest.approx(1, abs=1e-5)
    assert len(shown.centers_cents) <= 61
    assert shown.chances[shown.centers_cents > 0].sum() == pytest.approx(float(session.profit_chance), abs=1e-5)
    assert "result" in session_chart(session)


@pytest.mark.parametrize(("watched", "shown"), [(True, [False, True, True]), (False, [False, False, False])])
def test_a_bar_waits_a_second_and_for_somebody_who_looks(
    monkeypatch: pytest.MonkeyPatch, watched: bool, shown: list[bool]
) -> None:
    times = iter([0.0, 0.5, 1.5, 2.0])
    monkeypatch.setattr("trueodds.cli.progress_bar.monotonic", lambda: next(times))
    seen = []
    with DelayedProgressBar("counting", Console(file=io.StringIO(), force_terminal=watched)) as bar:
        for done in (1, 2, 3):
            bar.update(done, 3, "nearly there")
            seen.append(bar.shown)
    assert seen == shown
