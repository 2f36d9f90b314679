"""`trueodds bot`: a strategy that plays at a table of a server, as a guest like any other."""

from __future__ import annotations

import asyncio
from typing import Annotated
from urllib.parse import urlsplit

import typer

from trueodds.cli.session import find_strategy
from trueodds.cli.show import clear_errors, needs
from trueodds.notation import NotationError, parse_amount

INTERRUPTED = 130


@clear_errors
@needs("sqlalchemy", "server")
def bot(  # noqa: PLR0913, PLR0917  an option each
    url: Annotated[str, typer.Argument(help="The server: http://127.0.0.1:8000")],
    strategy: Annotated[str, typer.Option("--strategy", help="A strategy of the library, or a strategy file (.toml).")],
    table: Annotated[str | None, typer.Option("--table", help="The table to sit down at; a new one otherwise.")] = None,
    book: Annotated[
        str | None, typer.Option("--book", help="The book of a new table: its id or code; the fullest otherwise.")
    ] = None,
    name: Annotated[str | None, typer.Option("--name", help="What it is called there; made up otherwise.")] = None,
    buy_in: Annotated[str, typer.Option("--buy-in", help="What it buys in for, like 500 or 500.50.")] = "500",
    rolls: Annotated[int | None, typer.Option("--rolls", help="Leave after so many throws.", min=1)] = None,
    invitation: Annotated[str | None, typer.Option("--invitation", help="What lets it in at such a table.")] = None,
    wait: Annotated[
        float, typer.Option("--wait", help="Seconds it holds the dice before it throws.", min=0, max=60)
    ] = 1.0,
) -> None:
    """Play a strategy at a table of a server, a line a throw.

    It keeps its own seeds and verifies every roll. It takes the dice when it could throw them, comes back after lost
    connections, and leaves after --rolls, when it has nothing up and cannot pay its next bet, or on Ctrl-C: what may
    come down comes down, and the rest is played out. A second Ctrl-C does not wait for that.
    """
    from trueodds.cli.visitor import Visit, visit  # noqa: PLC0415  only this command needs a client
    from trueodds.client import ClientError  # noqa: PLC0415
    from trueodds.journal import JournalError  # noqa: PLC0415

    if urlsplit(url).scheme not in {"http", "https"} or not urlsplit(url).netloc:
        raise NotationError(f"a server is named like http://127.0.0.1:8000, not {url!r}")
    if table is not None and book is not None:
        raise NotationError("give --table or --book, not both: a table has its book")
    cents = int(parse_amount(buy_in))
    if cents <= 0:
        raise NotationError(f"a buy-in is more than nothing, not {buy_in}")
    wanted = Visit(url, find_strategy(strategy), table, book, name, cents, rolls, invitation, wait)
    try:
        asyncio.run(visit(wanted, typer.echo))
    except (ClientError, JournalError) as error:
        typer.echo(str(error), err=True)
        raise typer.Exit(2) from None
    except (KeyboardInterrupt, asyncio.CancelledError):
        typer.echo("gone without leaving: the seat stays", err=True)
        raise typer.Exit(INTERRUPTED) from None
