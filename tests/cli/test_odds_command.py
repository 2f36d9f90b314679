"""The `odds` command."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from trueodds.cli.app import app

# Line coverage of the engine calls made here would take minutes and add nothing.
pytestmark = pytest.mark.no_cover

ROOT = Path(__file__).parents[2]


def run(*words: str) -> tuple[int, str]:
    result = CliRunner().invoke(app, ["odds", *words], env={"COLUMNS": "220", "NO_COLOR": "1"})
    return result.exit_code, result.output


def test_output_formats() -> None:
    code, table = run("maryland", "place")
    assert code == 0
    assert "-1.5152 %" in table
    assert "-1/66" in run("maryland", "place", "--fractions")[1]
    rows = json.loads(run("NJ", "pass", "--format", "json")[1])
    assert [row["wager"] for row in rows] == ["Pass", "Pass with full odds"]
    assert rows[1]["edge"]["exact"] == "-7/1870"
    assert rows[0]["stake_cents"] > 0
    assert {"win", "lose", "push", "edge", "edge_per_resolved", "edge_per_roll", "mean_rolls"} <= set(rows[0])
    table_rows = list(csv.reader(io.StringIO(run("rws", "lay", "--format", "csv", "--fractions")[1])))
    assert table_rows[1][0] == "Lay 4"
    assert table_rows[1][5] == "-1/41"
    assert run("rws", "horn", "--format", "markdown")[1].splitlines()[1].startswith("|---|")
    assert "16.6667 %" in run("rws", "any7", "--dice-weights", "1,1,1,1,1,3/1,1,1,1,1,1")[1]
    assert "$10" in run("maryland", "place", "--stake", "10")[1]
    assert json.loads(run("NJ", "pass", "--json")[1]) == rows
    boardwalk = str(ROOT / "docs" / "examples" / "boardwalk.toml")
    assert "-2.7778 %" in run("new_jersey", "field", "--house", boardwalk)[1]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["atlantis"], "no such book"),
        (["rws", "roulette"], "has no wager called 'roulette'"),
        (["sd", "pass_odds"], "South Dakota, default house offers no wager called pass_odds"),
        (["nj", "place:6", "--stake", "13"], "Place 6 for $13 cannot be paid in full; multiples of $6 can"),
        (["nj", "fire", "--stake", "13"], "Fire for $13 is above"),
        (["nj", "horn", "--stake", "5"], "Horn for $5 cannot be paid in full; multiples of $4 can"),
        (["nj", "pass", "--stake", "-5"], "--stake must be positive, got -5"),
        (["nj", "pass", "--stake", "12.345"], "--stake must be written like 12 or 12.50, got '12.345'"),
        (["rws", "--house", str(ROOT / "docs" / "examples" / "boardwalk.toml")], "is a house of new_jersey"),
        (["rws", "--stake", "ten"], "must be written like"),
        (["rws", "--stake", "0"], "must be positive"),
        (["rws", "--dice-weights", "1,2"], "must have six weights"),
        (["rws", "--dice-weights", "a,b,c,d,e,f"], "weights must be numbers"),
    ],
)
def test_input_errors_are_one_line(words: list[str], message: str) -> None:
    code, output = run(*words)
    assert code == 2
    assert message in output
    assert "Traceback" not in output


def test_wagers_that_the_house_refuses_are_listed() -> None:
    result = CliRunner().invoke(app, ["odds", "nj", "place", "--stake", "10", "--json"])
    assert result.exit_code == 0
    assert [row["spot"] for row in json.loads(result.stdout)] == ["place:4", "place:5", "place:9", "place:10"]
    assert [line[:15] for line in result.stderr.splitlines()] == ["Place 6 for $10", "Place 8 for $10"]


def test_one_spot() -> None:
    assert [row["spot"] for row in json.loads(run("nj", "place:6", "--json")[1])] == ["place:6"]


def test_fire_by_the_number_of_points() -> None:
    code, output = run("nj", "fire")
    assert code == 0
    (row,) = json.loads(run("nj", "fire", "--json")[1])
    assert row["distinct_points"][0]["exact"] == "98/165"
    assert len(row["distinct_points"]) == 7
    assert row["distinct_points"][0]["exact"] in output


def test_an_odds_bet_and_a_bet_that_is_split() -> None:
    assert "Pass Odds 10" in run("nj", "pass_odds")[1]
    code, output = run("nj", "whirl")
    assert code == 0
    assert "-13.3333 %" in output
    assert "The dealer splits Whirl into Horn for $4 and Any Seven for $1" in output
