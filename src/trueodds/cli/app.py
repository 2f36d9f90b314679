"""The `trueodds` command: one module a command, gathered here."""

from __future__ import annotations

from typing import Annotated

import typer

from trueodds import __version__
from trueodds.cli import house, journal, strategy
from trueodds.cli.books import books, rules
from trueodds.cli.bot import bot
from trueodds.cli.conform import conform
from trueodds.cli.hand import hand
from trueodds.cli.odds import odds
from trueodds.cli.play import play
from trueodds.cli.replay import replay_file
from trueodds.cli.serve import serve
from trueodds.cli.session import session
from trueodds.cli.simulate import compare, simulate
from trueodds.cli.strategies import strategies
from trueodds.cli.table import table
from trueodds.cli.verify import verify

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


app.command()(play)
app.command()(table)
app.command()(books)
app.command()(rules)
app.command()(odds)
app.command()(hand)
app.command()(session)
app.command("simulate")(simulate)
app.command("compare")(compare)
app.command()(strategies)
app.add_typer(strategy.app)
app.add_typer(house.app)
app.add_typer(journal.app)
app.command()(serve)
app.command()(bot)
app.command("replay")(replay_file)
app.command()(conform)
app.command()(verify)


def main() -> None:
    """Run the command line."""
    app()
