"""The command line, run in this process: what it prints, its JSON, its errors and exit codes."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from support.houses import BOOKS
from trueodds import __version__
from trueodds.cli.app import app
from trueodds.rulebook import OPTION_SPECS, load_book

ROOT = Path(__file__).parents[2]
CASES = ROOT / "tests" / "conformance" / "cases"


def run(*words: str, typed: str = "") -> Result:
    return CliRunner().invoke(app, words, input=typed, env={"COLUMNS": "200", "NO_COLOR": "1"})


def test_version_and_help() -> None:
    assert run("--version").output.strip() == f"trueodds {__version__}"
    for command in ("table", "books", "rules", "replay", "conform"):
        assert run(command, "--help").exit_code == 0
        assert command in run("--help").output
    for command in ("check", "show"):
        assert run("house", command, "--help").exit_code == 0


def test_books() -> None:
    shown = run("books")
    for book in BOOKS:
        assert book in shown.output
    told = json.loads(run("books", "--json").output)
    assert {row["id"]: row["digest"] for row in told} == {book: load_book(book).digest for book in BOOKS}


@pytest.mark.parametrize("book", BOOKS)
def test_rules_of_every_wager_in_plain_words(book: str) -> None:
    sheets = json.loads(run("rules", book, "--json").output)
    assert [sheet["kind"] for sheet in sheets] == list(load_book(book).wagers)
    for sheet in sheets:
        topics = [statement["topic"] for statement in sheet["statements"]]
        assert {"when", "wins", "loses", "pays", "take down"} <= set(topics)
        assert all(statement["text"] and statement["cite"] for statement in sheet["statements"]), sheet["kind"]
    assert load_book(book).wagers["pass"].title in run("rules", book).output


def test_rules_of_one_wager_by_any_of_its_names() -> None:
    for name in ("place", "PLACE", "Place Bet to Win", "place:6"):
        shown = run("rules", "NJ", name).output
        assert "9 to 5 on 4, 10" in shown
        assert "19:47-1.2(a)5" in shown
    misspelled = run("rules", "new_jersey", "plaec")
    assert misspelled.exit_code == 2
    assert "New Jersey has no wager called 'plaec'; did you mean 'place'?" in misspelled.output


def test_rules_side_by_side() -> None:
    rows = json.loads(run("rules", "maryland", "lay", "--diff", "rws", "--json").output)
    told = {row["topic"]: (row["left"], row["right"]) for row in rows}
    assert told["come-out"] == ("Works on a come-out.", "Off on a come-out unless the player calls it on.")
    everything = json.loads(run("rules", "maryland", "--diff", "rws", "--json").output)
    assert {"wager": "fire", "topic": "offered", "left": "yes", "right": ""} in everything
    assert "Win Line" in run("rules", "win_line", "pass", "--diff", "new_jersey").output


def test_silences() -> None:
    rows = json.loads(run("rules", "rws", "--silences", "--json").output)
    assert [row["id"] for row in rows] == sorted(load_book("rws").silences)
    assert "A-02" in run("rules", "rws", "--silences").output


@pytest.mark.parametrize("book", BOOKS)
def test_house_show_has_every_option(book: str) -> None:
    rows = json.loads(run("house", "show", book, "--json").output)
    assert [row["name"] for row in rows] == list(load_book(book).options)
    assert all(
        row["description"] == OPTION_SPECS[row["name"]].description and row["allowed"] and row["cite"] for row in rows
    )
    assert run("house", "show", book).exit_code == 0


@pytest.mark.parametrize("book", BOOKS)
def test_house_show_has_the_maximum_of_odds_and_the_replacement_of_dont_bets(book: str) -> None:
    rows = {row["name"]: row for row in json.loads(run("house", "show", book, "--json").output)}
    for name, default, value in (("odds_max_bet", "none", "in cents"), ("dont_replace", "free", "strict")):
        assert (rows[name]["default"], rows[name]["default_house"]) == (default, default)
        assert value in rows[name]["description"]
        assert any(clause.startswith("A-") for clause in rows[name]["cite"])
        assert name in run("house", "show", book).output


def test_house_check(tmp_path: Path) -> None:
    good = run("house", "check", str(ROOT / "docs" / "examples" / "boardwalk.toml"))
    assert good.exit_code == 0
    assert "New Jersey allows every option" in good.output
    told = json.loads(run("house", "check", str(ROOT / "docs" / "examples" / "boardwalk.toml"), "--json").output)
    assert told["changed_options"]["min_bet"] == 1500
    bad = tmp_path / "bad.toml"
    bad.write_text('book = "maryland"\n[options]\nvig_bp = 600\n', "utf-8")
    refused = run("house", "check", str(bad))
    assert refused.exit_code == 2
    assert "COMAR 36.05.05.05G(3)" in refused.output
    assert run("house", "check", str(tmp_path / "none.toml")).exit_code == 2


def test_a_book_file() -> None:
    riverboat = str(ROOT / "tests" / "sixth_book" / "riverboat.toml")
    assert "With the Boat" in run("rules", riverboat, "pass").output
    assert "odds_take" in run("house", "show", riverboat).output
    assert "field_eleven" in run("house", "show", riverboat, "--pay-table").output
    assert json.loads(run("house", "show", riverboat, "--pay-table", "--json").output)[0]["constraint"] == "minimum"
    assert "With the Boat for" in run("table", "--book", riverboat, typed="pass 10\nquit\n").output


def test_procedures_in_words() -> None:
    told = json.loads(run("rules", "new_jersey", "--procedures", "--json").output)
    assert {row["code"] for row in told["throws"]} >= {"off_table", "dispute"}
    assert any(row["text"] == "left of shooter" for row in told["procedures"])
    shown = run("rules", "rws", "--procedures").output
    assert "irregular throws" in shown
    assert "Closing the bets" in shown


def test_replay(tmp_path: Path) -> None:
    evening = ROOT / "docs" / "examples" / "evening.txt"
    told = run("replay", str(evening))
    assert told.exit_code == 0
    assert "Pass Odds 8 wins $36 on $30 at 6 to 5" in told.output
    assert "12 steps replayed" in told.output
    data = json.loads(run("replay", str(evening), "--json").output)
    assert len(data["steps"]) == 12
    broken = tmp_path / "broken.txt"
    broken.write_text(evening.read_text("utf-8").replace("roll 6-6", "roll 3-4"), "utf-8")
    failed = run("replay", str(broken))
    assert failed.exit_code == 2
    lines = evening.read_text("utf-8").splitlines()
    assert f"line {len(lines)}: the history must end at" in failed.output
    assert run("replay", str(tmp_path / "none.txt")).exit_code == 2
    start_line = next(number for number, line in enumerate(lines, 1) if line.startswith("start"))
    del lines[-1]
    for impossible in (
        "plaice:9 10 as 1",
        "place:7 10 as 1",
        "pass 10 as 1, pass 10 as 1",
        "pass 10 as 1 with come_odds 5 as 2",
    ):
        start = [f"start puck off new | Ann: {impossible}" if line.startswith("start") else line for line in lines]
        broken.write_text("\n".join(start), "utf-8")
        failed = run("replay", str(broken))
        assert failed.exit_code == 2, failed.output
        assert f"line {start_line}: the start is not a valid position" in failed.output
    binary = tmp_path / "binary.txt"
    binary.write_bytes(b"\xff\xfe\x00")
    assert run("replay", str(binary)).exit_code == 2


def test_conform(tmp_path: Path) -> None:
    passed = run("conform", *(str(path) for path in sorted(CASES.glob("*.json"))))
    assert passed.exit_code == 0
    assert passed.output.splitlines()[-1] == "422 passed, 0 failed"
    document = json.loads((CASES / "win.json").read_text("utf-8"))
    document["cases"] = document["cases"][:3]
    document["cases"][0]["final"]["player_net"] = 1
    document["cases"][1]["steps"][0]["amount"] = 0
    path = tmp_path / "cases.json"
    path.write_text(json.dumps(document), "utf-8")
    failed = run("conform", str(path))
    assert failed.exit_code == 1
    assert "final player_net: expected 1" in failed.output
    assert "must be positive" in failed.output
    assert failed.output.splitlines()[-1] == "1 passed, 2 failed"
    assert run("conform", str(tmp_path / "none.json")).exit_code == 2


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["rules", "atlantis"], "no such book"),
        (["house", "show", "atlantis"], "no such book"),
        (["table", "--book", "atlantis"], "no such book"),
        (["table", "--dice", "3-4,9-9"], "roll 2: a roll must be written like 3-4"),
        (["table", "--dice", "3-4", "--seed", "1"], "exclude each other"),
        (["table", "--book", "rws", "--house", "x.toml"], "give --book or --house"),
        (["table", "--bankroll", "0"], "must be positive"),
        (["table", "--bankroll", "lots"], "must be written like"),
        (["table", "--players", "Ann,Ann"], "--players must be different names"),
        (["table", "--players", "Ann,"], "--players must be different names"),
        (["table", "--dice-file", "none.txt"], "cannot read"),
        (["table", "--house", "none.toml"], "cannot read the file"),
        (["table", "--book", "none.toml"], "cannot read the file"),
        (["table", "--save", "/nowhere/at/all/h.txt"], "cannot write"),
        (["rules", "rws", "place", "--silences"], "give at most one of"),
        (["rules", "rws", "--silences", "--procedures"], "give at most one of"),
    ],
)
def test_errors_are_one_line_without_traceback(words: list[str], message: str) -> None:
    done = run(*words)
    assert done.exit_code == 2
    assert message in done.output
    assert "Traceback" not in done.output
    assert len(done.output.strip().splitlines()) == 1


def test_a_table_from_a_pipe(tmp_path: Path) -> None:
    rolls = tmp_path / "rolls.txt"
    rolls.write_text("; two rolls\n4-4\n\n3-4\n", "utf-8")
    saved = tmp_path / "history.txt"
    typed = "pass 10\nroll\nodds 20\nroll\nroll\n"
    done = run("table", "--book", "NJ", "--dice-file", str(rolls), "--save", str(saved), typed=typed)
    assert done.exit_code == 0
    assert "Player: Pass Odds 8 loses $20 to 7: N.J.A.C. 19:47-1.6(a)" in done.output
    assert "There are no more rolls." in done.output
    assert "Player leaves with $470 (-$30)." in done.output
    assert run("replay", str(saved)).exit_code == 0
