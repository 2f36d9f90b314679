"""`trueodds strategy check` and `show`, as their users run them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from trueodds.cli.app import app
from trueodds.strategy import builtin_strategy_names

MINE = """name = "Mine"
about = "A line with odds."
needs = "Odds; a bankroll of 300."

[[play]]
keep = "pass"
stake = 10

[[play]]
odds = "3-4-5"
behind = "pass"
when = { not = { up = { come = 1 } } }
"""


@pytest.fixture
def mine(tmp_path: Path) -> Path:
    path = tmp_path / "mine.toml"
    path.write_text(MINE)
    return path


def run(*arguments: str | Path, code: int = 0) -> str:
    result = CliRunner().invoke(app, ["strategy", *map(str, arguments)], env={"COLUMNS": "300"})
    assert result.exit_code == code, result.output
    return result.output


def test_check_describes_a_file_and_lists_houses(mine: Path) -> None:
    output = run("check", mine)
    for expected in (
        "Mine. A line with odds.\nNeeds: Odds; a bankroll of 300.\n",
        "(bets named as in Maryland):",
        "   1. Always: keep Pass up with $10 (made before a come-out).",
        "   2. Unless Come is up: put odds behind Pass once it has a point: 3 times the bet on 4 and 10",
        "New Jersey, default house",
        "14 before and 7 after betting",
        f"{mine}, line 10: player bets 30 on pass_odds behind 1: Behind the Win Line for $30 behind $10 on 4 is above",
        "rule 6.1.5.1; house option odds_take",
        "Odds behind the pass bet is not offered at this table",
    ):
        assert expected in output, expected


def test_check_one_book(mine: Path) -> None:
    output = run("check", mine, "--book", "rws")
    assert "keep Pass Line up with S$10" in output
    assert "Maryland" not in output
    refused = run("check", mine, "--book", "win", code=2)
    assert "keep Win Line up with $10" in refused
    assert "rule 6.1.5.1" in refused


def test_check_one_house(mine: Path, tmp_path: Path) -> None:
    house = tmp_path / "house.toml"
    house.write_text(
        'book = "south_dakota"\nname = "Odds for all"\n[options]\nodds_offered = ["put_odds", "pass_odds"]\n'
    )
    output = run("check", mine, "--house", house)
    assert "Odds for all" in output
    assert "14 before and 7 after betting" in output


def test_check_json(mine: Path) -> None:
    output = json.loads(run("check", mine, "--json"))
    assert (output["title"], output["needs"], output["names_from_book"]) == (
        "Mine",
        "Odds; a bankroll of 300.",
        "maryland",
    )
    assert output["plays"][0] == "Always: keep Pass up with $10 (made before a come-out)."
    by_book = {row["book"]: row for row in output["houses"]}
    assert by_book["new_jersey"] == {
        "book": "new_jersey", "house": "New Jersey, default house", "allowed": True,
        "situations_before": 14, "situations_after": 7, "complete": True,
    }  # fmt: skip
    assert by_book["win_line"]["allowed"] is False
    assert by_book["win_line"]["code"] == "odds_limit"
    assert by_book["win_line"]["option"] == "odds_take"


def test_check_a_builtin_strategy() -> None:
    output = run("check", "put_6")
    assert "Maryland has no wager called 'put'; its wagers are pass" in output
    assert "15 before and 8 after betting" in output


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("name = \n", "mine.toml, line 1: not valid TOML: Invalid value"),
        ("[[play]]\nkeep = 'pass'\n", "mine.toml, line 2: play 1: keep: exactly one of stake"),
        ("[[play]]\nkeep = 'pass'\nstake = 10\nstack = 3\n", "mine.toml, line 4: play 1: stack: unknown key"),
    ],
)
def test_error_in_a_file_is_one_line(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(text)
    output = run("check", path, code=2)
    assert message in output
    assert len(output.strip().splitlines()) == 1
    played = CliRunner().invoke(app, ["session", str(path), "--bankroll", "100"])
    assert (played.exit_code, played.output) == (2, output)


def test_unknown_wager(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text("[[play]]\nkeep = 'pass'\nstake = 10\n[play.when]\nup.plaec = 1\n")
    output = run("check", path, code=2)
    assert output.count("mine.toml, line 5: ") == 5
    assert "has no wager called 'plaec'; did you mean 'place'?" in output
    path.write_text("[[play]]\nstake = 10\nkeep = 'plaec:6'\n")
    output = run("check", path, code=2)
    assert output.count("mine.toml, line 3: ") == output.count("has no wager called 'plaec'; ") == 5
    assert output.count("did you mean 'place'?") == 4, "Win Line has no place bets"


def test_too_many_situations(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("trueodds.cli.strategy_command.CHECK_MEMORY_BYTES", 1 << 20)
    assert "after betting, and more" in run("check", "ats_molly", "--book", "maryland")
    (output,) = json.loads(run("check", "ats_molly", "--book", "maryland", "--json"))["houses"]
    assert (output["allowed"], output["complete"]) == (True, False)


def test_show_prints_the_file(tmp_path: Path) -> None:
    path = tmp_path / "begin.toml"
    path.write_text(run("show", "squeeze"))
    assert "Squeeze play" in run("check", path, "--book", "sd")
    assert "no built-in strategy is called 'nobody'; the names are" in run("show", "nobody", code=2)


def test_strategies_lists_needs() -> None:
    output = json.loads(CliRunner().invoke(app, ["strategies", "--json"]).output)
    assert [row["name"] for row in output] == list(builtin_strategy_names())
    assert {"name", "title", "about", "needs"} == set(output[0])
    assert "a bankroll of" in CliRunner().invoke(app, ["strategies"], env={"COLUMNS": "300"}).output
