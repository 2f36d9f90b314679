"""Documentation that drifts fails: README commands run, its example says what it prints, pages match the data."""

from __future__ import annotations

import contextlib
import io
import re
import shlex
import subprocess
import sys
from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest

from trueodds.automaton import Automaton
from trueodds.cli.command_list import COMMANDS as CLI_COMMANDS
from trueodds.cli.odds_command import odds_pages
from trueodds.explain.coverage_markdown import coverage_page
from trueodds.explain.rulebook_markdown import rulebook_pages
from trueodds.notation import parse_history, parse_position
from trueodds.rulebook import House, load_book
from trueodds.rulebook.wager_definition import REQUIRED_FACETS
from trueodds.strategy import builtin_strategy, builtin_strategy_names, describe, parse_strategy
from trueodds.strategy.strategy_parser import KEYWORDS
from trueodds.table import RefusalCode
from trueodds.wagers import TableRules

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text("utf-8")
BLOCKS = re.findall(r"```(\w*)\n(.*?)```", README, re.DOTALL)
RUN_UNTIL_STOPPED = {"serve", "bot"}
COMMANDS = [
    line.split("#")[0].strip()
    for kind, block in BLOCKS
    if not kind
    for line in block.splitlines()
    if line.startswith(".venv/bin/trueodds") and line.split()[1] not in RUN_UNTIL_STOPPED
]
DOCS = sorted((ROOT / "docs").rglob("*.md"))


def test_the_readme_begins_with_the_two_commands() -> None:
    assert [line.split("#")[0].strip() for line in BLOCKS[0][1].splitlines()] == [
        "python3 dev.py play",
        "python3 dev.py test",
    ]


@pytest.mark.parametrize("command", COMMANDS)
def test_readme_commands_run(command: str, tmp_path: Path) -> None:
    for name in ("docs", "tests"):
        (tmp_path / name).symlink_to(ROOT / name)
    words = shlex.split(command)
    words[0] = str(Path(sys.executable).parent / "trueodds")
    expanded = [str(p) for word in words for p in (sorted(tmp_path.glob(word)) if "*" in word else [word])]
    done = subprocess.run(expanded, cwd=tmp_path, input="quit\n", text=True, capture_output=True, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout
    assert not done.stderr


def _run_example(code: str) -> None:
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed), contextlib.chdir(ROOT):
        exec(compile(code, "example", "exec"), {})  # noqa: S102  our own documentation
    expected = [line.removeprefix("# ") for line in code.splitlines() if line.startswith("# ")]
    assert printed.getvalue().splitlines() == expected


def test_the_readme_example_prints_what_it_says() -> None:
    for code in [block for kind, block in BLOCKS if kind == "python"]:
        _run_example(code)


@pytest.mark.parametrize("page", DOCS, ids=lambda page: page.name)
def test_examples_in_pages_run(page: Path) -> None:
    for code in re.findall(r"```python\n(.*?)```", page.read_text("utf-8"), re.DOTALL):
        _run_example(code)


@pytest.mark.parametrize(("folder", "make"), [("rulebooks", rulebook_pages), ("odds", odds_pages)])
def test_generated_pages_match_the_data(folder: str, make: Callable[[], dict[str, str]]) -> None:
    stored = {path.name: path.read_text("utf-8") for path in (ROOT / "docs" / folder).iterdir()}
    assert stored == make(), "run python3 dev.py docs"


def test_the_coverage_page_matches_the_data() -> None:
    assert (ROOT / "docs" / "coverage.md").read_text("utf-8") == coverage_page(), "run python3 dev.py docs"


@cache
def anchors(page: Path) -> frozenset[str]:
    """Return the anchors of a page: its explicit ones, and those that GitHub makes from headings."""
    text = page.read_text("utf-8")
    headings = [re.sub(r"<[^>]+>", "", line) for line in re.findall(r"^#+ (.+)$", text, re.MULTILINE)]
    slugs = [re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings]
    return frozenset([*slugs, *re.findall(r'<a id="([^"]+)">', text)])


@pytest.mark.parametrize("page", [ROOT / "README.md", *DOCS], ids=lambda page: page.name)
def test_links_lead_somewhere(page: Path) -> None:
    for target, anchor in re.findall(r"\]\(([^)#\s]*)(?:#([^)\s]+))?\)", page.read_text("utf-8")):
        if target.startswith("http"):
            continue
        linked = page.parent / target if target else page
        assert linked.exists(), target
        assert not anchor or anchor in anchors(linked), f"{target}#{anchor}"


@pytest.mark.parametrize("page", DOCS, ids=lambda page: page.name)
def test_anchors_are_unique(page: Path) -> None:
    found = re.findall(r'<a id="([^"]+)">', page.read_text("utf-8"))
    assert len(found) == len(set(found)), [anchor for anchor in found if found.count(anchor) > 1]


def test_every_command_is_in_the_readme() -> None:
    for name in [*CLI_COMMANDS, "house check", "house show"]:
        assert f"trueodds {name}" in README, name


def test_notation_examples_are_notation() -> None:
    text = (ROOT / "docs" / "notation.md").read_text("utf-8")
    (position,) = [line for line in re.findall(r"`([^`\n]+)`", text) if line.startswith("puck ")]
    assert parse_position(position)
    assert parse_history((ROOT / "docs" / "examples" / "evening.txt").read_text("utf-8")).actions


def test_every_key_and_code_has_a_name_people_can_find() -> None:
    """Refusal codes and wager keys are words, so that an error can be looked up by them."""
    for word in (*RefusalCode, *REQUIRED_FACETS):
        assert re.fullmatch(r"[a-z_]+", word)


def test_every_strategy_of_the_library_is_documented() -> None:
    page = (ROOT / "docs" / "strategies.md").read_text("utf-8")
    for name in builtin_strategy_names():
        strategy = builtin_strategy(name)
        assert f"| `{name}` | {strategy.name} | {strategy.about} |" in page


def test_strategy_files_on_the_page_are_allowed_and_described() -> None:
    page = (ROOT / "docs" / "strategies.md").read_text("utf-8")
    house = House(load_book("new_jersey"))
    descriptions = {}
    for text in re.findall(r"```toml\n(.*?)```", page, re.DOTALL):
        strategy = parse_strategy(text)
        assert len(Automaton(strategy, house).next)
        descriptions[strategy.name] = describe(strategy, TableRules(house))
    assert "\n".join(f"{n:>4}. {line}" for n, line in enumerate(descriptions["Press the six"], 1)) in page


def test_every_condition_and_action_of_a_file_is_documented() -> None:
    page = (ROOT / "docs" / "strategies.md").read_text("utf-8")
    for word in KEYWORDS:
        assert re.search(rf"`{word} = ", page), word


def test_modules_named_in_the_architecture_exist() -> None:
    text = (ROOT / "docs" / "architecture.md").read_text("utf-8")
    for path in re.findall(r"`(\w+/[\w/]+\.(?:py|toml))`", text):
        base = ROOT if path.startswith("tests/") else ROOT / "src" / "trueodds"
        assert (base / path).exists(), path
