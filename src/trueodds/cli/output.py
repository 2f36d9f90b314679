"""Printing tables and JSON, and reporting errors in one line."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from functools import wraps
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, ParamSpec, TypeVar

import typer

from trueodds.errors import MissingExtraError, TrueoddsError

if TYPE_CHECKING:
    from rich.console import Console

    from trueodds.rulebook import Book, House
    from trueodds.strategy import Strategy

P = ParamSpec("P")
R = TypeVar("R")

JsonOption = Annotated[bool, typer.Option("--json", help="Print JSON instead of a table.")]


class UsageError(TrueoddsError, ValueError):
    """The arguments of a command do not fit together."""


def make_console() -> Console:
    """Return a console for standard output, as wide as the terminal. A closed pipe raises BrokenPipeError."""
    from rich.console import Console  # noqa: PLC0415  slow to import

    class PipeConsole(Console):
        """A console that leaves a closed pipe to its caller."""

        def on_broken_pipe(self) -> None:
            """Raise the BrokenPipeError again that is being handled."""
            raise  # noqa: PLE0704  rich calls this in its except clause

    return PipeConsole(highlight=False)


def print_table(title: str, head: Sequence[str], rows: Iterable[Sequence[str]]) -> None:
    """Print a table that fits into the terminal."""
    from trueodds.text_table import make_table  # noqa: PLC0415

    console = make_console()
    console.print(make_table(title, head, rows, console.width), soft_wrap=True)


def print_wrapped(text: str, indent: int = 0) -> None:
    """Print a sentence in lines that fit into the terminal. All but the first are indented."""
    from trueodds.text_table import wrap  # noqa: PLC0415

    margin = " " * indent
    typer.echo(wrap(text, make_console().width - indent).replace("\n", f"\n{margin}"))


def print_json(value: object) -> None:
    """Print a value as JSON."""
    typer.echo(json.dumps(value, indent=2, ensure_ascii=False))


def exact_and_decimal(value: Fraction) -> dict[str, str | float]:
    """Return a fraction for JSON, exactly and as a decimal number."""
    return {"exact": str(value), "decimal": float(value)}


def requires_extra(module: str, extra: str) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Return a decorator that raises `MissingExtraError` if a module is not installed."""

    def decorate(command: Callable[P, R]) -> Callable[P, R]:
        @wraps(command)
        def run(*args: P.args, **kwargs: P.kwargs) -> R:
            if find_spec(module) is None:
                raise MissingExtraError("this command", module, extra)
            return command(*args, **kwargs)

        return run

    return decorate


def find_house(book: str | None, house: Path | None) -> House:
    """Return the house in a file, or the default house of a book (default: the book with the most wagers)."""
    from trueodds.rulebook import House, book_ids, load_book, load_house  # noqa: PLC0415

    if book is not None and house is not None:
        raise UsageError("give --book or --house, not both: a house file names its book")
    if house is not None:
        return load_house(house)
    return House(find_book(book or max(book_ids(), key=lambda name: len(load_book(name).wagers))))


def find_book(name: str) -> Book:
    """Return a book by id or code, or from a .toml file. A book from a file must be playable."""
    from trueodds.rulebook import House, load_book, load_book_file  # noqa: PLC0415
    from trueodds.wagers import TableRules  # noqa: PLC0415

    if not name.endswith(".toml"):
        return load_book(name)
    book = load_book_file(Path(name))
    TableRules(House(book))
    return book


def find_strategy(name: str) -> Strategy:
    """Return a built-in strategy by its name, or load a strategy from a .toml file."""
    from trueodds.strategy import builtin_strategy, load_strategy  # noqa: PLC0415

    return load_strategy(Path(name)) if name.endswith(".toml") else builtin_strategy(name)


def report_errors(command: Callable[P, R]) -> Callable[P, R]:
    """Decorate a command so that its errors are one line on standard error and exit code 2."""

    @wraps(command)
    def run(*args: P.args, **kwargs: P.kwargs) -> R:
        try:
            return command(*args, **kwargs)
        except BrokenPipeError:
            raise
        except (TrueoddsError, OSError) as error:
            typer.echo(str(error), err=True)
            raise typer.Exit(2) from None

    return run
