"""`trueodds watch`: what it prints, its JSON and its errors."""

from __future__ import annotations

import json

import pytest
from typer.testing import CliRunner, Result

from trueodds.cli.app import app


def run(*words: str) -> Result:
    return CliRunner().invoke(app, ["watch", *words], env={"COLUMNS": "120", "NO_COLOR": "1"})


def test_a_session_in_words() -> None:
    done = run("pass_345", "--book", "nj", "--bankroll", "100", "--dice", "4-4,1-2,5-3,6-1", "--rolls", "4")
    assert done.exit_code == 0, done.output
    assert done.output.splitlines()[:6] == [
        "   1  come-out, rack $100",
        "      bets 10 on pass as 1",
        "      4-4, 8: the point is 8",
        "   2  point 8, rack $90",
        "      bets 50 on pass_odds behind 1 as 2",
        "      1-2, 3",
    ]
    assert "Pass Odds 8 wins $60 on $50 at 6 to 5" in done.output
    assert done.output.splitlines()[-1] == (
        "The session ended after 4 rolls: it had its number of rolls. Final rack $180 (+$80)."
    )


def test_open_bets_are_closed_out() -> None:
    done = run("pass_345", "--book", "nj", "--bankroll", "100", "--dice", "4-4,1-2,3-4", "--rolls", "2")
    assert "takes down 2 (pass_odds)" in done.output
    assert "ended after 2 rolls and 1 to decide the open bets" in done.output


def test_json_has_every_step() -> None:
    steps = json.loads(run("molly", "--bankroll", "300", "--rolls", "8", "--seed", "7", "--json").output)
    assert [step["ended_by"] for step in steps[:9]] == [None] * 8 + ["rolls"]
    assert steps[0]["actions"] == ["bets 10 on pass as 1"]
    assert steps[-1]["roll"] is None
    assert steps == json.loads(run("molly", "--bankroll", "300", "--rolls", "8", "--seed", "7", "--json").output)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["pass", "--bankroll", "-5"], "bankroll must be positive, got -5"),
        (["pass", "--bankroll", "100", "--dice", "3-4"], "the rolls end before the session does"),
        (["pass", "--bankroll", "100", "--dice", "3-4", "--seed", "1"], "exclude each other"),
        (["mollly", "--bankroll", "100"], "did you mean 'molly'"),
    ],
)
def test_errors(words: list[str], message: str) -> None:
    done = run(*words)
    assert done.exit_code == 2
    assert message in done.output
