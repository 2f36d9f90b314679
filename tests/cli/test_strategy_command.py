"""`trueodds strategy check` and `show`, as their users run them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from trueodds.cli.app import app
from trueodds.strategy import strategy_names

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


def run(*words: str | Path, code: int = 0) -> str:
    done = CliRunner().invoke(app, ["strategy", *map(str, words)], env={"COLUMNS": "300"})
    assert done.exit_code == code, done.output
    return done.output


def test_a_file_is_told_in_words_and_where_it_plays(mine: Path) -> None:
    told = run("check", mine)
    for said in (
        "Mine. A line with odds.\nNeeds: Odds; a bankroll of 300.\n",
        "with the names of Maryland:",
        "   1. Always: keep Pass up with $10 (made before a come-out).",
        "   2. Unless Come is up: put odds behind Pass once it has a number: 3 times the bet on 4 and 10",
        "New Jersey, default house",
        "14 before and 7 after betting",
        f"{mine}, line 10: player bets 30 on pass_odds behind 1: Behind the Win Line for $30 behind $10 on 4 passes",
        "rule 6.1.5.1; house option odds_take",
        "Odds behind the pass bet is not offered at this table",
    ):
        assert said in told, said


def test_one_book_and_its_names(mine: Path) -> None:
    told = run("check", mine, "--book", "rws")
    assert "keep Pass Line up with S$10" in told
    assert "Maryland" not in told
    refused = run("check", mine, "--book", "win", code=2)
    assert "keep Win Line up with $10" in refused
    assert "rule 6.1.5.1" in refused


def test_one_house(mine: Path, tmp_path: Path) -> None:
    house = tmp_path / "house.toml"
    house.write_text(
        'book = "south_dakota"\nname = "Odds for all"\n[options]\nodds_offered = ["put_odds", "pass_odds"]\n'
    )
    told = run("check", mine, "--house", house)
    assert "Odds for all" in told
    assert "14 before and 7 after betting" in told


def test_json(mine: Path) -> None:
    told = json.loads(run("check", mine, "--json"))
    assert (told["title"], told["needs"], told["named_by"]) == ("Mine", "Odds; a bankroll of 300.", "maryland")
    assert told["plays"][0] == "Always: keep Pass up with $10 (made before a come-out)."
    by_book = {one["book"]: one for one in told["houses"]}
    assert by_book["new_jersey"] == {
        "book": "new_jersey", "house": "New Jersey, default house", "plays": True, "before": 14, "after": 7,
        "whole": True,
    }  # fmt: skip
    assert by_book["win_line"]["plays"] is False
    assert by_book["win_line"]["code"] == "odds_limit"
    assert by_book["win_line"]["option"] == "odds_take"


def test_a_strategy_of_the_library() -> None:
    told = run("check", "put_6")
    assert "Maryland has no wager 'put'; it has pass" in told
    assert "15 before and 8 after betting" in told


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("name = \n", "mine.toml, line 1: Invalid value"),
        ("[[play]]\nkeep = 'pass'\n", "mine.toml, line 2: play 1: keep needs a stake"),
        ("[[play]]\nkeep = 'pass'\nstake = 10\nstack = 3\n", "mine.toml, line 4: play 1: 'stack' is not understood"),
    ],
)
def test_what_is_wrong_with_a_file_is_one_line(tmp_path: Path, text: str, said: str) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(text)
    told = run("check", path, code=2)
    assert said in told
    assert len(told.strip().splitlines()) == 1
    played = CliRunner().invoke(app, ["session", str(path), "--bankroll", "100"])
    assert (played.exit_code, played.output) == (2, told)


def test_a_spot_that_nobody_has(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text("[[play]]\nkeep = 'field'\nstake = 10\n[play.when]\nup.plaec = 1\n")
    told = run("check", path, code=2)
    assert told.count("mine.toml, line 5: ") == 5
    assert "has no wager 'plaec'" in told
    path.write_text("[[play]]\nstake = 10\nkeep = 'plaec:6'\n")
    assert run("check", path, code=2).count("mine.toml, line 3: player bets 10 on plaec:6: plaec:6 is no wager of") == 5


def test_too_many_situations_are_counted_as_far_as_that_goes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("trueodds.cli.strategy.MEMORY", 1 << 20)
    assert "after betting, and more" in run("check", "ats_molly", "--book", "maryland")
    (told,) = json.loads(run("check", "ats_molly", "--book", "maryland", "--json"))["houses"]
    assert (told["plays"], told["whole"]) == (True, False)


def test_the_file_of_a_strategy(tmp_path: Path) -> None:
    path = tmp_path / "begin.toml"
    path.write_text(run("show", "squeeze"))
    assert "Squeeze play" in run("check", path, "--book", "sd")
    assert "no strategy 'nobody'; there are" in run("show", "nobody", code=2)


def test_the_list_says_what_each_needs() -> None:
    told = json.loads(CliRunner().invoke(app, ["strategies", "--json"]).output)
    assert [one["name"] for one in told] == list(strategy_names())
    assert {"name", "title", "about", "needs"} == set(told[0])
    assert "a bankroll of" in CliRunner().invoke(app, ["strategies"], env={"COLUMNS": "300"}).output
