"""`trueodds simulate` as its users run it."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from itertools import islice
from pathlib import Path

import pytest
from typer.testing import CliRunner

from trueodds.cli.app import app
from trueodds.simulation.results import Simulation
from trueodds.simulation.rng import session_rolls
from trueodds.simulation.simulate import compare, simulate
from trueodds.strategy import builtin_strategy_names

SHORT = ["simulate", "pass", "--book", "nj", "--bankroll", "100", "--rolls", "12", "--sessions", "2e3", "--seed", "5"]


def test_two_strategies_side_by_side() -> None:
    done = CliRunner().invoke(app, [*SHORT, "horn"])
    assert done.exit_code == 0, done.output
    for said in ("Pass line", "Horn", "2,000", "95 % interval of the mean", "mean drawdown", "seed 5"):
        assert said in done.output


def test_json_is_the_summary() -> None:
    told = json.loads(CliRunner().invoke(app, [*SHORT, "--json", "--threads", "2"]).output)
    found = simulate("pass", "new_jersey", bankroll=100, sessions=2000, seed=5, rolls=12)
    assert told == json.loads(json.dumps([found.summary()]))


@pytest.mark.parametrize("sessions", ["0", "many", "1.5", "1e16", "-3", "nan"])
def test_numbers_of_sessions(sessions: str) -> None:
    done = CliRunner().invoke(app, ["simulate", "pass", "--bankroll", "100", "--sessions", sessions])
    assert done.exit_code == 2
    assert "number of sessions must be written like" in done.output


def test_interrupted_it_gives_what_was_played() -> None:
    def stop(so_far: Simulation) -> None:
        if so_far.sessions > 20_000:
            raise KeyboardInterrupt

    found = simulate("pass", "new_jersey", bankroll=100, sessions=10**6, seed=5, rolls=12, progress=stop)
    assert 20_000 < found.sessions < 10**6


@pytest.mark.parametrize(
    ("book", "there", "missing"), [("win", "martingale", "molly"), ("sd", "hardways", "fire_line")]
)
def test_strategies_that_a_book_offers(book: str, there: str, missing: str) -> None:
    told = json.loads(CliRunner().invoke(app, ["strategies", "--book", book, "--json"]).output)
    names = {one["name"] for one in told}
    assert there in names
    assert missing not in names


def test_all_strategies_are_listed() -> None:
    told = CliRunner().invoke(app, ["strategies"]).output
    assert all(name in told for name in builtin_strategy_names())


BOTH = ["compare", "pass", "molly", "--book", "nj", "--bankroll", "200", "--rolls", "20", "--sessions", "2e3"]


def test_a_comparison_says_who_is_ahead() -> None:
    done = CliRunner().invoke(app, BOTH)
    assert done.exit_code == 0, done.output
    for said in ("ahead of Pass line", "95 % interval of that", "of sessions", "Three point molly", "in bars of"):
        assert said in done.output


def test_a_comparison_as_json_with_percentiles() -> None:
    told = json.loads(CliRunner().invoke(app, [*BOTH, "--json", "--percentiles"]).output)
    found = compare(["pass", "molly"], "new_jersey", bankroll=200, sessions=2000, seed=1, rolls=20)
    fans = [{"percentile_bands_cents": one.percentile_rows()} for one in found.simulations]
    assert told == json.loads(json.dumps([{**one, **fan} for one, fan in zip(found.summary(), fans, strict=True)]))
    assert told[1]["percentile_bands_cents"][-1]["rolls"] == 20


def test_percentiles_in_a_table() -> None:
    done = CliRunner().invoke(app, [*SHORT, "--percentiles"])
    assert "percentiles of the result over time, from 2,000 sessions" in " ".join(done.output.split())


def test_plots_are_written(tmp_path: Path) -> None:
    done = CliRunner().invoke(app, [*BOTH, "--plot", str(tmp_path / "both.svg")])
    assert done.exit_code == 0, done.output
    assert (tmp_path / "both.svg").stat().st_size > 5000
    refused = CliRunner().invoke(app, [*BOTH, "--plot", str(tmp_path / "both.gif")])
    assert (refused.exit_code, "plot file must end in" in refused.output) == (2, True)


def test_one_strategy_is_no_comparison() -> None:
    done = CliRunner().invoke(app, ["compare", "pass", "--bankroll", "100"])
    assert (done.exit_code, "at least two strategies, got 1" in done.output) == (2, True)


def test_a_dice_file(tmp_path: Path) -> None:
    path = tmp_path / "rolls.txt"
    thrown = list(islice(session_rolls(5, 0), 300))
    path.write_text("; from the pit\n" + "\n".join(map(str, thrown)) + "\n")
    asked = ["simulate", "pass_345", "--book", "nj", "--bankroll", "300", "--rolls", "25", "--dice-file", str(path)]
    told = json.loads(CliRunner().invoke(app, [*asked, "--json"]).output)
    found = simulate("pass_345", "new_jersey", bankroll=300, rolls=25, recording=thrown)
    assert told == json.loads(json.dumps([found.summary()]))
    assert "recorded dice" in " ".join(CliRunner().invoke(app, asked).output.split())
    path.write_text("3-4\n7-1\n")
    refused = CliRunner().invoke(app, asked)
    assert (refused.exit_code, "rolls.txt, line 2" in "".join(refused.output.split("\n"))) == (2, True)
    path.write_text("  ; nothing yet\n")
    for more, said in (
        ([], "before the first session"),
        (["--seed", "3"], "cannot be combined with a seed"),
        (["--percentiles"], "cannot be combined with --dice-file"),
    ):
        refused = CliRunner().invoke(app, [*asked, *more])
        assert (refused.exit_code, said in refused.output) == (2, True)


def test_interrupted_at_the_command_line_it_prints_what_was_played() -> None:
    code = "import sys; from trueodds.cli import main; sys.exit(main())"
    asked = ["simulate", "pass", "--book", "nj", "--bankroll", "500", "--sessions", "1e12", "--json"]
    for patience_s in (
        6,
        15,
        60,
    ):  # before the first portion is played there is nothing to print
        playing = subprocess.Popen([sys.executable, "-c", code, *asked], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        with pytest.raises(subprocess.TimeoutExpired):
            playing.communicate(timeout=patience_s)
        playing.send_signal(signal.SIGINT)
        output, errors = playing.communicate(timeout=60)
        if output:
            break
        assert playing.returncode in {130, -signal.SIGINT}, errors
    assert b"interrupted after" in errors
    (told,) = json.loads(output)
    assert 0 < told["sessions"] < 10**12
