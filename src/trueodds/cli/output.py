"""Printing for people and for programs, and errors as one clear line."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from functools import wraps
from importlib.util import find_spec
from pathlib import Path
from typing import Annotated, Any, ParamSpec, TypeVar

import typer
from rich.console import Console
from rich.table import Table

from trueodds.chain import ChainError
from trueodds.conformance import CaseError
from trueodds.money import MoneyError
from trueodds.notation import NotationError
from trueodds.rolls import RollsError
from trueodds.rulebook import Book, House, RulebookError, book_ids, load_book, load_book_file, load_house
from trueodds.strategy import StrategyError
from trueodds.table.position import PositionError
from trueodds.wagers import Rules

P = ParamSpec("P")
R = TypeVar("R")


class MissingExtraError(ValueError):
    """A library that comes with an extra is not installed."""


CLEAR = (
    ChainError, StrategyError, RulebookError, NotationError, CaseError, RollsError, MoneyError, PositionError, OSError,
    MissingExtraError,
)  # fmt: skip
"""What can be wrong with what was asked for; the message says all there is to say."""

AsJson = Annotated[bool, typer.Option("--json", help="Print JSON instead of a table.")]


def console() -> Console:
    """Make a console for standard output, as wide as the terminal."""
    return Console(highlight=False, soft_wrap=False)


def print_table(title: str, head: list[str], rows: Iterable[Iterable[str]]) -> None:
    """Print a table for people."""
    table = Table(title=title, title_justify="left", show_lines=False, header_style="bold")
    for index, name in enumerate(head):
        table.add_column(name, overflow="fold", no_wrap=index == 0)
    for row in rows:
        table.add_row(*row)
    console().print(table)


def print_json(value: Any) -> None:
    """Print for programs."""
    typer.echo(json.dumps(value, indent=2, ensure_ascii=False))


def needs(module: str, extra: str) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Say which extra to install where a library is missing that a command needs."""

    def wrap(command: Callable[P, R]) -> Callable[P, R]:
        @wraps(command)
        def run(*args: P.args, **kwargs: P.kwargs) -> R:
            if find_spec(module) is None:
                raise MissingExtraError(f"this needs {module}: pip install 'trueodds[{extra}]'")
            return command(*args, **kwargs)

        return run

    return wrap


def chosen_house(book: str | None, house: Path | None) -> House:
    """Read a house file, or take the default house of a book; of the one with the most wagers when none is named."""
    if book is not None and house is not None:
        raise NotationError("give --book or --house, not both: a house file names its book")
    if house is not None:
        return load_house(house)
    return House(open_book(book or max(book_ids(), key=lambda name: len(load_book(name).wagers))))


def open_book(name: str) -> Book:
    """Find a book on the shelf, or read one's own from a file; a book that cannot be played is an error here."""
    if not name.endswith(".toml"):
        return load_book(name)
    book = load_book_file(Path(name))
    Rules(House(book))
    return book


def clear_errors(command: Callable[P, R]) -> Callable[P, R]:
    """Turn what can go wrong with a file or a name into one line on standard error and exit code 2."""

    @wraps(command)
    def run(*args: P.args, **kwargs: P.kwargs) -> R:
        try:
            return command(*args, **kwargs)
        except CLEAR as error:
            typer.echo(str(error), err=True)
            raise typer.Exit(2) from None

    return run
