"""The `hand` command."""

from __future__ import annotations

import json

from typer.testing import CliRunner

from trueodds.cli.app import app


def test_hand_command() -> None:
    def run(*words: str) -> tuple[int, str]:
        result = CliRunner().invoke(app, ["hand", *words], env={"COLUMNS": "200", "NO_COLOR": "1"})
        return result.exit_code, result.output

    code, output = run("maryland", "--rolls", "154")
    assert code == 0
    assert "8.525510 (1671/196)" in output
    assert "at least 154 rolls" in output
    assert "All Small wins" in output
    printed = json.loads(run("new_jersey", "--json")[1])
    assert printed["at_least_rolls"]["1"]["exact"] == "1"
    assert printed["median_rolls"] == 6
    for words, message in (
        (["rws", "--rolls", "0"], "from 1 to 5000"),
        (["rws", "--dice-weights", "1,2"], "six weights"),
        (["rws", "--dice-weights", "1,0,0,0,0,0/1,1,1,0,0,0"], "never resolved"),
        (["x"], "no such book"),
    ):
        code, output = run(*words)
        assert code == 2, output
        assert message in output
