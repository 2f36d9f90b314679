"""`trueodds bot`: play a strategy at a table of a server."""

from __future__ import annotations

import asyncio
from typing import Annotated
from urllib.parse import urlsplit

import typer

from trueodds.cli.interrupts import INTERRUPTED_EXIT_CODE, catch_interrupts
from trueodds.cli.output import UsageError, find_strategy, report_errors, requires_extra
from trueodds.notation import parse_amount


@report_errors
@requires_extra("sqlalchemy", "server")
def bot(  # noqa: PLR0913, PLR0917  an option each
    url: Annotated[str, typer.Argument(help="Address of the server, such as http://127.0.0.1:8000.")],
    strategy: Annotated[str, typer.Option("--strategy", help="Built-in strategy or strategy file (.toml).")],
    table: Annotated[
        str | None, typer.Option("--table", help="Id of the table to join (default: a new table).")
    ] = None,
    book: Annotated[
        str | None,
        typer.Option("--book", help="Id or code of the book of a new table (default: the book with most wagers)."),
    ] = None,
    name: Annotated[
        str | None, typer.Option("--name", help="Name of the player (default: the strategy and a random suffix).")
    ] = None,
    buy_in: Annotated[str, typer.Option("--buy-in", help="Buy-in in dollars, such as 500 or 500.50.")] = "500",
    rolls: Annotated[
        int | None, typer.Option("--rolls", help="Leave after this many rolls (default: no limit).", min=1)
    ] = None,
    invitation: Annotated[str | None, typer.Option("--invitation", help="Invitation of a private table.")] = None,
    wait: Annotated[float, typer.Option("--wait", help="Seconds to wait before each roll.", min=0, max=60)] = 1.0,
) -> None:
    """Play a strategy at a table of a server and print one line per roll.

    The bot has its own client seeds, verifies every roll and reconnects after a lost connection. It leaves after
    --rolls, when it has no bets and cannot pay the next one, or on Ctrl-C. It takes down what it can and waits until
    the remaining bets are decided. A second Ctrl-C stops without waiting.
    """
    from trueodds.cli.remote_bot import BotOptions, run_bot  # noqa: PLC0415  only this command needs a client
    from trueodds.client import ClientError  # noqa: PLC0415
    from trueodds.journal import JournalError  # noqa: PLC0415

    if urlsplit(url).scheme not in {"http", "https"} or not urlsplit(url).netloc:
        raise UsageError(f"the address of a server must look like http://127.0.0.1:8000, got {url!r}")
    if table is not None and book is not None:
        raise UsageError("give --table or --book, not both: a table has its book")
    cents = int(parse_amount(buy_in))
    if cents <= 0:
        raise UsageError(f"--buy-in must be positive, got {buy_in}")
    wanted = BotOptions(url, find_strategy(strategy), table, book, name, cents, rolls, invitation, wait)
    catch_interrupts()
    try:
        asyncio.run(run_bot(wanted, typer.echo))
    except (ClientError, JournalError) as error:
        typer.echo(str(error), err=True)
        raise typer.Exit(2) from None
    except (KeyboardInterrupt, asyncio.CancelledError):
        typer.echo("stopped without leaving: the bot keeps its seat", err=True)
        raise typer.Exit(INTERRUPTED_EXIT_CODE) from None
