"""The `trueodds` application. Each command is imported when it is used."""

from __future__ import annotations

import sys
from importlib import import_module
from typing import TYPE_CHECKING, Annotated

import typer
from typer.core import TyperGroup
from typer.main import get_command

from trueodds import __version__
from trueodds.cli.command_list import ABOUT, COMMANDS, help_text
from trueodds.cli.interrupts import CLOSED_PIPE_EXIT_CODE, discard_output

if TYPE_CHECKING:
    from typer._click.core import Command, Context
    from typer._click.formatting import HelpFormatter


class _LazyGroup(TyperGroup):
    """A group whose commands are listed in `COMMANDS` and imported on demand."""

    def list_commands(self, ctx: Context) -> list[str]:
        """Return the names of all commands."""
        return list(COMMANDS)

    def get_command(self, ctx: Context, cmd_name: str) -> Command | None:
        """Import and return a command, or None if there is no such command."""
        entry = COMMANDS.get(cmd_name)
        if entry is None:
            return None
        found = getattr(import_module(f"trueodds.cli.{entry.module}"), entry.attribute)
        if not isinstance(found, typer.Typer):
            single = typer.Typer(add_completion=False, pretty_exceptions_enable=False)
            single.command(cmd_name)(found)
            found = single
        command = get_command(found)
        command.name = cmd_name
        return command

    def invoke(self, ctx: Context) -> object:
        """Run a command. If nobody reads its output any more, exit quietly."""
        try:
            try:
                return super().invoke(ctx)
            finally:
                sys.stdout.flush()
        except BrokenPipeError:
            discard_output()
            raise typer.Exit(CLOSED_PIPE_EXIT_CODE) from None

    def format_help(self, ctx: Context, formatter: HelpFormatter) -> None:
        """Print the help without importing the commands."""
        typer.echo(help_text())


app = typer.Typer(
    name="trueodds",
    help=ABOUT,
    cls=_LazyGroup,
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)


def _print_version(is_requested: bool) -> None:
    if is_requested:
        typer.echo(f"trueodds {__version__}")
        raise typer.Exit


@app.callback()
def root(
    version: Annotated[
        bool, typer.Option("--version", callback=_print_version, is_eager=True, help="Print the version and exit.")
    ] = False,
) -> None:
    """Craps by the book."""
