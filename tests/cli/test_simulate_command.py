"""`trueodds simulate` as its users run it."""

from __future__ import annotations

import json

import pytest
from typer.testing import CliRunner

from trueodds.chain.simulate import Simulation, simulate
from trueodds.cli.app import app
from trueodds.strategy import strategy_names

SHORT = ["simulate", "pass", "--book", "nj", "--bankroll", "100", "--rolls", "12", "--sessions", "2e3", "--seed", "5"]


def test_two_strategies_side_by_side() -> None:
    done = CliRunner().invoke(app, [*SHORT, "horn"])
    assert done.exit_code == 0, done.output
    for said in ("Pass line", "Horn", "2,000", "true mean", "deepest fall", "seed 5"):
        assert said in done.output


def test_json_is_the_summary() -> None:
    told = json.loads(CliRunner().invoke(app, [*SHORT, "--json", "--threads", "2"]).output)
    found = simulate("pass", "new_jersey", bankroll=100, sessions=2000, seed=5, rolls=12)
    assert told == json.loads(json.dumps([found.summary()]))


@pytest.mark.parametrize("sessions", ["0", "many", "1.5", "1e16", "-3", "nan"])
def test_numbers_of_sessions(sessions: str) -> None:
    done = CliRunner().invoke(app, ["simulate", "pass", "--bankroll", "100", "--sessions", sessions])
    assert done.exit_code == 2
    assert "a number of sessions is written like" in done.output


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
    assert all(name in told for name in strategy_names())
