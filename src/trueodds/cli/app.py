"""The `trueodds` command: one module a command, gathered here."""

from __future__ import annotations

from typing import Annotated

import typer

from trueodds import __version__
from trueodds.cli.conform import conform

app = typer.Typer(
    name="trueodds",
    help="Craps, by the book: five real rulebooks, settled to the cent, with the clause that decided it.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)


def _version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"trueodds {__version__}")
        raise typer.Exit


@app.callback()
def root(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version and leave.")
    ] = False,
) -> None:
    """Craps, by the book."""


app.command()(conform)


def main() -> None:
    """Run the command line."""
    app()
