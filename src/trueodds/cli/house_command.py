"""The commands `trueodds house check` and `trueodds house show`."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer

from trueodds.cli.output import JsonOption, find_book, print_json, print_table, report_errors
from trueodds.explain import explain_options
from trueodds.rulebook import Book, House, format_citation, load_house, plain_value

app = typer.Typer(name="house", help="Show and check house options.", no_args_is_help=True)


@app.command()
@report_errors
def check(
    file: Annotated[Path, typer.Argument(help="House file: book, name, currency and a table of options.")],
    as_json: JsonOption = False,
) -> None:
    """Check a house file against its book.

    Exits with code 2 and prints the clause if the book forbids an option.
    """
    house = load_house(file)
    default = House(house.book)
    changed = {name: plain_value(value) for name, value in house.options.items() if value != default[name]}
    if as_json:
        print_json({
            "book": house.book.id, "name": house.name, "currency": house.currency, "digest": house.digest,
            "changed_options": changed,
        })  # fmt: skip
        return
    typer.echo(f"{house.name}: {house.book.title} allows every option.")
    rows = [[name, json.dumps(value), json.dumps(plain_value(default[name]))] for name, value in changed.items()]
    if rows:
        print_table("Options that differ from the default house", ["option", "this house", "default house"], rows)


@app.command()
@report_errors
def show(
    book: Annotated[str, typer.Argument(help="Id or code of a book (see `trueodds books`), or a book file.")],
    pay_table: Annotated[
        bool, typer.Option("--pay-table", help="List the pay table and what a house may change in it.")
    ] = False,
    as_json: JsonOption = False,
) -> None:
    """List the options of a book: defaults, allowed values and clauses."""
    chosen = find_book(book)
    if pay_table:
        _print_pay_table(chosen, as_json)
        return
    options = explain_options(chosen)
    if as_json:
        print_json([option._asdict() for option in options])
        return
    rows = [
        [
            option.name,
            option.description,
            json.dumps(option.default),
            json.dumps(option.default_house),
            option.allowed,
            format_citation(option.cite),
        ]
        for option in options
    ]
    head = ["option", "description", "book default", "default house", "allowed", "clause"]
    print_table(f"{chosen.title}: options", head, rows)


def _print_pay_table(book: Book, as_json: bool) -> None:
    rows = book.pay_table.items()
    if as_json:
        print_json([
            {"key": key, "odds": str(row.odds), "constraint": row.constraint, "cite": list(row.cite)}
            for key, row in rows
        ])  # fmt: skip
        return
    cells = [[key, str(row.odds), row.constraint, format_citation(row.cite)] for key, row in rows]
    print_table(f"{book.title}: pay table", ["key", "odds", "constraint", "clause"], cells)
