"""The commands of `trueodds`: where each one is implemented, and its line in the help.

This module imports nothing heavy, so that `trueodds --help` is quick.
"""

from __future__ import annotations

from textwrap import fill
from typing import Final, NamedTuple


class CommandEntry(NamedTuple):
    """A command: its module in this package, the function or `typer.Typer` in it, and a one-line summary."""

    module: str
    attribute: str
    summary: str


COMMANDS: Final = {
    "play": CommandEntry("play_command", "play", "Play craps in the browser."),
    "table": CommandEntry("table_command", "table", "Play craps in the terminal."),
    "books": CommandEntry("books_command", "books", "List the rulebooks."),
    "rules": CommandEntry("books_command", "rules", "Explain the rules of a book, with clauses."),
    "odds": CommandEntry("odds_command", "odds", "Print the exact odds of every wager."),
    "hand": CommandEntry("hand_command", "hand", "Print how long a shooter's hand lasts, exactly."),
    "session": CommandEntry("session_command", "session", "Compute the exact results of a session."),
    "watch": CommandEntry("watch_command", "watch", "Play one session of a strategy, roll by roll."),
    "simulate": CommandEntry("simulate_command", "simulate", "Simulate sessions of one or more strategies."),
    "compare": CommandEntry("simulate_command", "compare", "Compare strategies on the same dice."),
    "strategies": CommandEntry("strategies_command", "strategies", "List the built-in strategies."),
    "strategy": CommandEntry("strategy_command", "app", "Check a strategy file, or print a built-in one."),
    "house": CommandEntry("house_command", "app", "Check a house file, or show the house options."),
    "journal": CommandEntry("journal_command", "app", "Check, export, back up or restore a database."),
    "serve": CommandEntry("serve_command", "serve", "Serve tables over HTTP and WebSocket."),
    "bot": CommandEntry("bot_command", "bot", "Play a strategy at a table of a server."),
    "replay": CommandEntry("replay_command", "replay_file", "Replay a history, step by step."),
    "conform": CommandEntry("conform_command", "conform", "Run conformance cases against the engine."),
    "verify": CommandEntry("verify_command", "verify", "Verify fair rolls from their proofs."),
}
"""All commands, in the order of the help."""

ABOUT: Final = "Craps by the book: five real rulebooks, settled to the cent, with the clause behind every decision."


def help_text() -> str:
    """Return the text of `trueodds --help`."""
    width = max(map(len, COMMANDS))
    commands = [f"  {name:<{width}}  {entry.summary}" for name, entry in COMMANDS.items()]
    options = ["  --version  Print the version and exit.", "  --help     Show this message and exit."]
    return "\n".join(
        [
            "Usage: trueodds [OPTIONS] COMMAND [ARGS]...", "",
            fill(ABOUT, 78, initial_indent="  ", subsequent_indent="  "), "",
            "Options:", *options, "", "Commands:", *commands, "",
            "Run 'trueodds COMMAND --help' for the options of a command.",
        ]
    )  # fmt: skip
