"""`trueodds journal`: the log and the ledger of a table service: check, export, back up, restore."""

from __future__ import annotations

import csv
import json
import sys
from collections.abc import Callable, Iterator
from enum import StrEnum
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, ParamSpec, TypeVar

import typer

from trueodds.cli.show import AsJson, clear_errors, needs, print_json

if TYPE_CHECKING:
    from trueodds.journal import Journal

P = ParamSpec("P")
R = TypeVar("R")

app = typer.Typer(name="journal", help="The log and the ledger of a table service.", no_args_is_help=True)

DATABASE = "sqlite:///trueodds.db"
DatabaseUrl = Annotated[
    str,
    typer.Option(
        "--database-url",
        envvar="TRUEODDS_DATABASE_URL",
        help="sqlite:///FILE, a plain file name, or postgresql://...",
    ),
]


class Format(StrEnum):
    """How lines are written."""

    CSV = "csv"
    JSON = "json"


class What(StrEnum):
    """What is exported."""

    HANDS = "hands"
    STATEMENTS = "statements"


def told_clearly(command: Callable[P, R]) -> Callable[P, R]:
    """Turn what can be wrong with a journal into one line on standard error and exit code 2."""

    @wraps(command)
    def run(*args: P.args, **kwargs: P.kwargs) -> R:
        from trueodds.journal import JournalError  # noqa: PLC0415  only these commands need a database

        try:
            return command(*args, **kwargs)
        except JournalError as error:
            typer.echo(str(error), err=True)
            raise typer.Exit(2) from None

    return clear_errors(needs("sqlalchemy", "server")(run))


def _open(url: str) -> Journal:
    from trueodds.journal import open_journal  # noqa: PLC0415

    return open_journal(url, create=False)


@app.command()
@told_clearly
def check(database_url: DatabaseUrl = DATABASE, as_json: AsJson = False) -> None:
    """Check every table: hashes, events, postings, balances, stored positions, dice. Exits 1 with what was found."""
    from trueodds.journal import DamagedError, Finding, VersionError, check_journal  # noqa: PLC0415
    from trueodds.service.proving import RollVerifier  # noqa: PLC0415

    try:
        with _open(database_url) as journal:
            found = check_journal(journal, RollVerifier())
            count = 0 if found else len(journal.tables())
    except (DamagedError, VersionError) as error:
        found, count = (Finding(None, None, f"{error.code}: {error}"),), 0
    if as_json:
        print_json([one._asdict() for one in found])
    else:
        for one in found:
            typer.echo(str(one))
        if not found:
            typer.echo(f"{count} {'table' if count == 1 else 'tables'}: everything is as it was written.")
    if found:
        raise typer.Exit(1)


@app.command()
@told_clearly
def export(
    database_url: DatabaseUrl = DATABASE,
    form: Annotated[Format, typer.Option("--format", help="How to write it.")] = Format.CSV,
    what: Annotated[What, typer.Option("--what", help="Throws with settlements, or money in and out.")] = What.HANDS,
    table: Annotated[str | None, typer.Option("--table", help="The id of a table; all otherwise.")] = None,
    player: Annotated[str | None, typer.Option("--player", help="The id of a player; everybody otherwise.")] = None,
) -> None:
    """Export hands (every throw with its settlements, clauses and sentences) or statements of players."""
    from trueodds.journal import HandLine, StatementLine, read_hands, read_statement  # noqa: PLC0415

    with _open(database_url) as journal:
        if what == What.HANDS:
            _write(form, HandLine._fields, read_hands(journal, table, player))
        else:
            _write(form, StatementLine._fields, read_statement(journal, table, player))


def _write(form: Format, head: tuple[str, ...], lines: Iterator[Any]) -> None:
    """Write lines as they come, so that a long journal needs no memory."""
    if form == Format.CSV:
        writer = csv.writer(sys.stdout, lineterminator="\n")
        writer.writerow(head)
        writer.writerows(lines)
        return
    between = "[\n"
    for line in lines:
        typer.echo(between + json.dumps(line._asdict(), ensure_ascii=False), nl=False)
        between = ",\n"
    typer.echo("[]" if between == "[\n" else "\n]")


@app.command()
@told_clearly
def backup(
    file: Annotated[Path, typer.Argument(help="A new file; lines of JSON if it ends in .jsonl.")],
    database_url: DatabaseUrl = DATABASE,
) -> None:
    """Write a backup while the service goes on: a copy of SQLite, lines of JSON of PostgreSQL."""
    from trueodds.journal import back_up  # noqa: PLC0415

    with _open(database_url) as journal:
        back_up(journal, file)
    typer.echo(f"{file} written.")


@app.command()
@told_clearly
def restore(
    file: Annotated[Path, typer.Argument(help="A backup of either kind.")],
    database_url: DatabaseUrl = DATABASE,
) -> None:
    """Restore a backup into an empty database of either kind and check it. Exits 1 with what was found."""
    from trueodds.journal import restore as restore_backup  # noqa: PLC0415

    done = restore_backup(file, database_url)
    typer.echo(f"{done.records} records restored.")
    for one in done.findings:
        typer.echo(str(one))
    if done.findings:
        raise typer.Exit(1)
    typer.echo("Everything is as it was written.")
