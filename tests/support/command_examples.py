"""A working example of every command that prints a result, for tests that walk all commands."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import typer
from typer.main import get_command

from support.journal_session import play_sample_session
from trueodds.cli.command_list import COMMANDS
from trueodds.journal import open_journal

ROOT = Path(__file__).parents[2]

NO_RESULTS = {
    "play": "runs a server",
    "serve": "runs a server",
    "bot": "plays until it is stopped",
    "table": "is interactive",
    "strategy show": "prints a file",
}
"""Commands without a result that could be a table or JSON, and what they do instead."""


def all_commands() -> Iterator[str]:
    """Yield the name of every command, such as "books" and "house check"."""
    from importlib import import_module  # noqa: PLC0415

    for name, entry in COMMANDS.items():
        found = getattr(import_module(f"trueodds.cli.{entry.module}"), entry.attribute)
        if isinstance(found, typer.Typer):
            yield from (f"{name} {each}" for each in getattr(get_command(found), "commands"))  # noqa: B009
        else:
            yield name


class CommandExamples:
    """Examples of commands, with the files they need in a folder."""

    def __init__(self, folder: Path) -> None:
        database, backup = folder / "evening.db", folder / "evening.bak"
        with open_journal(str(database)) as journal:
            play_sample_session(journal)
        shutil.copy(database, backup)
        self._folder = folder
        self._counter = 0
        boardwalk = str(ROOT / "docs" / "examples" / "boardwalk.toml")
        limits = ["--bankroll", "300", "--rolls", "10"]
        sessions = [*limits, "--sessions", "200", "--plot", "{new}.svg"]
        self._examples: dict[str, list[list[str]]] = {
            "books": [[]],
            "rules": [
                ["nj"], ["rws"], ["maryland", "place"], ["nj", "--procedures"], ["sd", "--silences"],
                ["maryland", "--diff", "rws"],
            ],
            "odds": [
                ["nj"], ["rws", "pass"], ["maryland", "fire", "--fractions"], ["nj", "pass_odds"], ["nj", "whirl"],
            ],
            "hand": [["nj"]],
            "session": [["pass", *limits, "--plot", "{new}.svg"]],
            "watch": [["molly", *limits, "--seed", "7"]],
            "simulate": [
                ["pass_345", *sessions], ["pass", "molly", "iron_cross", *sessions],
                ["pass", "--percentiles", *sessions],
            ],
            "compare": [["pass_345", "molly", "iron_cross", "place_6_8", *sessions]],
            "strategies": [[], ["--book", "win"]],
            "strategy check": [["hammerlock"]],
            "house check": [[boardwalk]],
            "house show": [["nj"], ["win"], ["maryland", "--pay-table"]],
            "journal check": [["--database-url", str(database)]],
            "journal export": [["--database-url", str(database)]],
            "journal backup": [["{new}.db", "--database-url", str(database)]],
            "journal restore": [[str(backup), "--database-url", "{new}.db"]],
            "replay": [[str(ROOT / "docs" / "examples" / "evening.txt")]],
            "conform": [[str(ROOT / "tests" / "conformance" / "cases" / "win.json")]],
            "verify": [[str(ROOT / "tests" / "fair" / "six_rolls.json")]],
        }  # fmt: skip

    @property
    def names(self) -> list[str]:
        """The commands that have examples."""
        return list(self._examples)

    def of(self, name: str) -> Iterator[list[str]]:
        """Yield the words of each example of a command. `{new}` stands for a file that does not exist yet."""
        for words in self._examples[name]:
            self._counter += 1
            new = str(self._folder / f"new{self._counter}")
            yield [*name.split(), *(word.format(new=new) for word in words)]
