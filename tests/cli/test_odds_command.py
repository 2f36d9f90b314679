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
    boardwalk = str(ROOT / "docs" / "examples" / "boardwalk.toml")
    assert "-2.7778 %" in run("new_jersey", "field", "--house", boardwalk)[1]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["atlantis"], "no such book"),
        (["rws", "roulette"], "has no wager called 'roulette'"),
        (["rws", "pass_odds"], "pass_odds is an odds bet"),
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
