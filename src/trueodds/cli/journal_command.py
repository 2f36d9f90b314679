"""`trueodds journal`: check, export, back up and restore the journal of a table service."""

from __future__ import annotations

import csv
import json
import sys
from collections.abc import Callable, Iterator
from enum import StrEnum
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, ParamSpec, TypeVar

import typer

from trueodds.cli.interrupts import catch_interrupts
from trueodds.cli.output import JsonOption, print_json, report_errors, requires_extra

if TYPE_CHECKING:
    from trueodds.journal import HandExportRow, Journal, StatementRow

P = ParamSpec("P")
R = TypeVar("R")

app = typer.Typer(
    name="journal", help="Check, export, back up and restore the journal of a table service.", no_args_is_help=True
)

DEFAULT_DATABASE_URL = "sqlite:///trueodds.db"
DatabaseUrl = Annotated[
    str,
    typer.Option(
        "--database-url",
        envvar="TRUEODDS_DATABASE_URL",
        help="sqlite:///FILE, a plain file name, or postgresql://...",
    ),
]


class ExportFormat(StrEnum):
    """The file format of an export."""

    CSV = "csv"
    JSON = "json"


class ExportContent(StrEnum):
    """What to export."""

    HANDS = "hands"
    STATEMENTS = "statements"


def report_journal_errors(command: Callable[P, R]) -> Callable[P, R]:
    """Print a journal error as one line on standard error, and exit with code 2."""

    @wraps(command)
    def run(*args: P.args, **kwargs: P.kwargs) -> R:
        from trueodds.journal import JournalError  # noqa: PLC0415  only these commands need a database

        catch_interrupts()  # so that databases and files are closed
        try:
            return command(*args, **kwargs)
        except JournalError as error:
            typer.echo(str(error), err=True)
            raise typer.Exit(2) from None

    return report_errors(requires_extra("sqlalchemy", "server")(run))


def _open_existing(url: str) -> Journal:
    from trueodds.journal import open_journal  # noqa: PLC0415

    return open_journal(url, create=False)


@app.command()
@report_journal_errors
def check(database_url: DatabaseUrl = DEFAULT_DATABASE_URL, as_json: JsonOption = False) -> None:
    """Check the hashes, events, ledger, positions and dice of every table. Exit code 1 if there are problems."""
    from trueodds.journal import CorruptDatabaseError, JournalProblem, SchemaVersionError, check_journal  # noqa: PLC0415
    from trueodds.service.roll_audit import RollAuditor  # noqa: PLC0415

    try:
        with _open_existing(database_url) as journal:
            problems = check_journal(journal, RollAuditor())
            count = 0 if problems else len(journal.headers())
    except (CorruptDatabaseError, SchemaVersionError) as error:
        problems, count = (JournalProblem(None, None, f"{error.code}: {error}"),), 0
    if as_json:
        print_json([problem._asdict() for problem in problems])
    else:
        for problem in problems:
            typer.echo(str(problem))
        if not problems:
            typer.echo(f"Checked {count} {'table' if count == 1 else 'tables'}: no problems found.")
    if problems:
        raise typer.Exit(1)


@app.command()
@report_journal_errors
def export(
    database_url: DatabaseUrl = DEFAULT_DATABASE_URL,
    export_format: Annotated[ExportFormat, typer.Option("--format", help="Output format.")] = ExportFormat.CSV,
    content: Annotated[
        ExportContent, typer.Option("--content", help="Rolls with their settlements, or changes of racks.")
    ] = ExportContent.HANDS,
    table: Annotated[str | None, typer.Option("--table", help="Id of a table (default: all tables).")] = None,
    player: Annotated[str | None, typer.Option("--player", help="Id of a player (default: all players).")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="The same as --format json.")] = False,
) -> None:
    """Export hands (every roll with its settlements, clauses and sentences) or statements of players."""
    from trueodds.journal import HandExportRow, StatementRow, iter_hand_rows, iter_statement_rows  # noqa: PLC0415

    if as_json:
        export_format = ExportFormat.JSON
    with _open_existing(database_url) as journal:
        if content == ExportContent.HANDS:
            _write_rows(export_format, HandExportRow._fields, iter_hand_rows(journal, table, player))
        else:
            _write_rows(export_format, StatementRow._fields, iter_statement_rows(journal, table, player))


def _write_rows(
    export_format: ExportFormat, columns: tuple[str, ...], rows: Iterator[HandExportRow] | Iterator[StatementRow]
) -> None:
    """Write rows one at a time, so that a long journal needs little memory."""
    if export_format == ExportFormat.CSV:
        writer = csv.writer(sys.stdout, lineterminator="\n")
        writer.writerow(columns)
        writer.writerows(rows)
        return
    separator = "[\n"
    for row in rows:
        typer.echo(separator + json.dumps(row._asdict(), ensure_ascii=False), nl=False)
        separator = ",\n"
    typer.echo("[]" if separator == "[\n" else "\n]")


@app.command()
@report_journal_errors
def backup(
    file: Annotated[Path, typer.Argument(help="New file to write; JSON lines if the name ends in .jsonl.")],
    database_url: DatabaseUrl = DEFAULT_DATABASE_URL,
    as_json: JsonOption = False,
) -> None:
    """Write a backup while the service runs: a copy of an SQLite file, or JSON lines of PostgreSQL."""
    from trueodds.journal import write_backup  # noqa: PLC0415

    with _open_existing(database_url) as journal:
        write_backup(journal, file)
    if as_json:
        print_json({"file": str(file)})
    else:
        typer.echo(f"Wrote {file}.")


@app.command()
@report_journal_errors
def restore(
    file: Annotated[Path, typer.Argument(help="Backup file of either kind.")],
    database_url: DatabaseUrl = DEFAULT_DATABASE_URL,
    as_json: JsonOption = False,
) -> None:
    """Restore a backup into an empty database of either kind and check it. Exit code 1 if there are problems."""
    from trueodds.journal import restore_backup  # noqa: PLC0415

    result = restore_backup(file, database_url)
    if as_json:
        print_json({"rows": result.row_count, "problems": [problem._asdict() for problem in result.problems]})
    else:
        typer.echo(f"Restored {result.row_count} rows.")
        for problem in result.problems:
            typer.echo(str(problem))
        if not result.problems:
            typer.echo("No problems found.")
    if result.problems:
        raise typer.Exit(1)
