"""`trueodds table`: a table to play at in the terminal."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from trueodds.cli.show import chosen_house, clear_errors
from trueodds.money import checked_stake
from trueodds.notation import NotationError, parse_amount
from trueodds.rolls import entropy, recorded, scripted, seeded
from trueodds.terminal import Game, Shell

DEFAULT_BANKROLL = "500"


@clear_errors
def table(
    book: Annotated[
        str | None,
        typer.Option(
            "--book", help="Which rulebook to play by, or a book file; the fullest otherwise.", metavar="BOOK"
        ),
    ] = None,
    house: Annotated[Path | None, typer.Option("--house", help="A house file; it names its book.")] = None,
    seed: Annotated[int | None, typer.Option("--seed", help="Dice that repeat for the same number.")] = None,
    dice: Annotated[str | None, typer.Option("--dice", help="These rolls and no others: 3-4,6-1")] = None,
    dice_file: Annotated[Path | None, typer.Option("--dice-file", help="Rolls from a file, one a line.")] = None,
    players: Annotated[str, typer.Option("--players", help="Names, clockwise, with commas.")] = "Player",
    bankroll: Annotated[str, typer.Option("--bankroll", help="What each player buys in for.")] = DEFAULT_BANKROLL,
    save: Annotated[Path | None, typer.Option("--save", help="Write the history here when you leave.")] = None,
) -> None:
    """Play craps in the terminal: type help at the prompt. Play chips only, no real money."""
    chosen = chosen_house(book, house)
    names = [name.strip() for name in players.split(",")]
    if not all(names) or len(set(names)) != len(names) or not all(name.isprintable() for name in names):
        raise NotationError(f"players are different names with commas between, not {players!r}")
    given = [one for one in (seed, dice, dice_file) if one is not None]
    if len(given) > 1:
        raise NotationError("give one of --seed, --dice and --dice-file")
    if seed is not None:
        rolls = seeded(seed)
    elif dice is not None:
        rolls = scripted(dice.split(","))
    else:
        rolls = entropy() if dice_file is None else recorded(dice_file)
    if save is not None and (save.is_dir() or not save.absolute().parent.is_dir()):
        raise NotationError(f"{save} cannot be written: there is no such folder, or it is one")
    game = Game(chosen, names, checked_stake(parse_amount(bankroll), "a bankroll"), rolls)
    shell = Shell(game, Console(highlight=False), _reader(), save)
    _complete_with(shell)
    shell.run()
    if not shell.saved:
        raise typer.Exit(2)


def _reader() -> Callable[[str], str]:
    """Read lines: with a prompt from a person, without one from a pipe."""
    if sys.stdin.isatty():
        return input

    def read(prompt: str) -> str:
        line = sys.stdin.readline()
        if not line:
            raise EOFError
        typer.echo(f"{prompt}{line.rstrip()}")
        return line

    return read


def _complete_with(shell: Shell) -> None:
    """Complete words with Tab where the terminal can."""
    try:
        import readline  # noqa: PLC0415  not on every system
    except ImportError:
        return

    def complete(text: str, state: int) -> str | None:
        found = shell.complete(text, readline.get_line_buffer()[: readline.get_endidx()])
        return f"{found[state]} " if state < len(found) else None

    readline.set_completer_delims(" ")
    readline.set_completer(complete)
    readline.parse_and_bind("tab: complete")
