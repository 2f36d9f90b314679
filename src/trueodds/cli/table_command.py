"""`trueodds table`: play craps in the terminal."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Annotated

import typer

from trueodds.cli.interrupts import catch_interrupts
from trueodds.cli.output import find_house, make_console, report_errors
from trueodds.money import parse_dollars
from trueodds.notation import NotationError
from trueodds.roll_sources import recorded_rolls, scripted_rolls, seeded_rolls, system_rolls
from trueodds.terminal import Shell, TerminalGame

DEFAULT_BANKROLL = "500"


@report_errors
def table(
    book: Annotated[
        str | None,
        typer.Option("--book", help="Name of a rulebook, or a book file (default: maryland).", metavar="BOOK"),
    ] = None,
    house: Annotated[Path | None, typer.Option("--house", help="A house file; it names its book.")] = None,
    seed: Annotated[
        int | None, typer.Option("--seed", help="Random seed of the dice (default: system entropy).")
    ] = None,
    dice: Annotated[str | None, typer.Option("--dice", help="Use exactly these rolls, e.g. 3-4,6-1")] = None,
    dice_file: Annotated[
        Path | None, typer.Option("--dice-file", help="Read the rolls from a file, one per line.")
    ] = None,
    players: Annotated[
        str, typer.Option("--players", help="Names of the players, clockwise, separated by commas.")
    ] = "Player",
    bankroll: Annotated[str, typer.Option("--bankroll", help="Dollars each player buys in for.")] = DEFAULT_BANKROLL,
    save: Annotated[Path | None, typer.Option("--save", help="Write the history to this file when you leave.")] = None,
) -> None:
    """Play craps in the terminal. Type help at the prompt. Chips only, no real money."""
    names = [name.strip() for name in players.split(",")]
    if not all(names) or len(set(names)) != len(names) or not all(name.isprintable() for name in names):
        raise NotationError(f"--players must be different names separated by commas, got {players!r}")
    if sum(option is not None for option in (seed, dice, dice_file)) > 1:
        raise NotationError("--seed, --dice and --dice-file exclude each other")
    if seed is not None:
        rolls = seeded_rolls(seed)
    elif dice is not None:
        rolls = scripted_rolls(dice.split(","))
    else:
        rolls = system_rolls() if dice_file is None else recorded_rolls(dice_file)
    if save is not None and (save.is_dir() or not save.absolute().parent.is_dir()):
        raise NotationError(f"cannot write {save}: it is a directory, or its directory does not exist")
    parse_dollars(bankroll, "--bankroll")
    game = TerminalGame(find_house(book, house), names, bankroll, rolls)
    shell = Shell(game, make_console(), _line_reader(), save)
    _enable_completion(shell)
    catch_interrupts()
    shell.run()
    if not shell.save_succeeded:
        raise typer.Exit(2)


def _line_reader() -> Callable[[str], str]:
    """Return a function that reads a line. Lines from a pipe are echoed after the prompt."""
    if sys.stdin.isatty():
        return input

    def read(prompt: str) -> str:
        line = sys.stdin.readline()
        if not line:
            raise EOFError
        typer.echo(f"{prompt}{line.rstrip()}")
        return line

    return read


def _enable_completion(shell: Shell) -> None:
    """Complete words with the Tab key where the readline module exists."""
    try:
        import readline  # noqa: PLC0415  not on every system
    except ImportError:
        return

    def complete(text: str, state: int) -> str | None:
        completions = shell.complete(text, readline.get_line_buffer()[: readline.get_endidx()])
        return f"{completions[state]} " if state < len(completions) else None

    readline.set_completer_delims(" ")
    readline.set_completer(complete)
    readline.parse_and_bind("tab: complete")
