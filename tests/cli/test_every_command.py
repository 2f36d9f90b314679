"""Every command that prints results: its JSON, and its tables in narrow terminals."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from support.command_examples import NO_RESULTS, CommandExamples, all_commands
from trueodds.cli.app import app

# Line coverage of the engine calls made here would take minutes and add nothing.
pytestmark = pytest.mark.no_cover

COMMANDS = [name for name in all_commands() if name not in NO_RESULTS]
TABLES = [
    "books", "rules", "odds", "hand", "session", "simulate", "compare", "strategies", "strategy check", "house check",
    "house show", "verify",
]  # fmt: skip


@pytest.fixture(scope="module")
def examples(tmp_path_factory: pytest.TempPathFactory) -> CommandExamples:
    return CommandExamples(tmp_path_factory.mktemp("examples"))


def run(words: list[str], columns: int = 200) -> Result:
    return CliRunner().invoke(app, words, env={"COLUMNS": str(columns), "NO_COLOR": "1"})


def test_every_command_is_walked(examples: CommandExamples) -> None:
    assert sorted(all_commands()) == sorted([*COMMANDS, *NO_RESULTS])
    assert sorted(examples.names) == sorted(COMMANDS)


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_prints_json(name: str, examples: CommandExamples) -> None:
    for words in examples.of(name):
        done = run([*words, "--json"])
        assert done.exit_code == 0, done.output
        json.loads(done.stdout)


@pytest.mark.parametrize("columns", [60, 80])
@pytest.mark.parametrize("name", TABLES)
def test_no_word_or_number_is_broken(name: str, columns: int, examples: CommandExamples) -> None:
    for words in examples.of(name):
        wide, narrow = (run(words, width) for width in (2000, columns))
        assert narrow.exit_code == wide.exit_code == 0, narrow.output
        expected, found = _words(wide.stdout), _words(narrow.stdout)
        # Blocks have no heading for the first column.
        assert not found - expected, f"{words}: broken into {sorted(found - expected)[:10]}"
        assert len(expected - found) <= 2, f"{words}: without {sorted(expected - found)[:10]}"
        for line in narrow.stdout.splitlines():
            is_sentence = not re.search(r"[│┃]", line) and not line.startswith("  ")
            assert len(line) <= columns or is_sentence or max(map(len, line.split())) > columns // 2, line


def _words(text: str) -> set[str]:
    """Return the words of a text without the lines of its tables."""
    return set(re.sub(r"[\u2500-\u257f]", " ", text).split())


@pytest.mark.parametrize("columns", [60, 80])
def test_the_list_of_wagers_at_a_table_is_readable(columns: int) -> None:
    def layout(width: int) -> set[str]:
        shown = CliRunner().invoke(app, ["table"], input="layout\nquit\n", env={"COLUMNS": str(width), "NO_COLOR": "1"})
        return _words(shown.output)

    assert not layout(columns) - layout(400)


@pytest.mark.parametrize("columns", [60, 80])
def test_amounts_on_the_table_are_whole(columns: int) -> None:
    typed = "accept\npass 1200\nroll\nodds 3600\nplace 6 1200\nlay 4 1200\nbuy 5 1200\ncome 1500\nroll\nquit\n"
    words = ["table", "--book", "nj", "--players", "Annabel,Bob", "--bankroll", "50000", "--dice", "5-5,4-5"]
    shown = CliRunner().invoke(app, words, input=typed, env={"COLUMNS": str(columns), "NO_COLOR": "1"})
    assert "\u2026" not in shown.output
    last_table = shown.output.rsplit("Puck", 1)[1]
    for amount in ("$1,200", "$3,600", "$1,500"):
        assert amount in last_table


def test_json_lists_what_a_case_got_wrong(tmp_path: Path) -> None:
    source = Path(__file__).parents[1] / "conformance" / "cases" / "win.json"
    document = json.loads(source.read_text("utf-8"))
    document["cases"] = document["cases"][:2]
    document["cases"][0]["final"]["player_net"] = 1
    path = tmp_path / "cases.json"
    path.write_text(json.dumps(document), "utf-8")
    done = run(["conform", str(path), "--json"])
    assert done.exit_code == 1
    report = json.loads(done.stdout)
    assert (report["passed"], report["failed"]) == (1, 1)
    (failure,) = report["failures"]
    assert failure["case"] == document["cases"][0]["id"]
    assert "expected 1" in failure["problems"][0]
