"""`trueodds house`: what an operator may choose, and whether a house file is lawful."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer

from trueodds.cli.show import AsJson, clear_errors, open_book, print_json, print_table
from trueodds.explain import option_sheets
from trueodds.rulebook import Book, House, load_house, plain, say

app = typer.Typer(name="house", help="What an operator may choose over a book.", no_args_is_help=True)


@app.command()
@clear_errors
def check(
    file: Annotated[Path, typer.Argument(help="A house file: book, name, currency and a table of options.")],
    as_json: AsJson = False,
) -> None:
    """Check a house against its book. Exits 2 with the clause if the book forbids it."""
    house = load_house(file)
    default = House(house.book)
    changed = {name: plain(value) for name, value in house.options.items() if value != default[name]}
    if as_json:
        print_json({
            "book": house.book.id, "name": house.name, "currency": house.currency, "digest": house.digest,
            "differs": changed,
        })  # fmt: skip
        return
    typer.echo(f"{house.name}: lawful under {house.book.title}.")
    rows = [[name, json.dumps(value), json.dumps(plain(default[name]))] for name, value in changed.items()]
    if rows:
        print_table("Differs from the default house", ["option", "this house", "default house"], rows)


@app.command()
@clear_errors
def show(
    book: Annotated[str, typer.Argument(help="A book's id or code, or a book file.")],
    pays: Annotated[
        bool, typer.Option("--pays", help="The pay tables: the keys a house may name, and their law.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Show every option of a book: its default, its lawful range and its clause."""
    shown = open_book(book)
    if pays:
        _print_pays(shown, as_json)
        return
    sheets = option_sheets(shown)
    if as_json:
        print_json([one._asdict() for one in sheets])
        return
    rows = [
        [one.name, one.meaning, json.dumps(one.default), json.dumps(one.house), one.lawful, say(one.cite)]
        for one in sheets
    ]
    head = ["option", "meaning", "the text's default", "default house", "lawful", "where"]
    print_table(f"{shown.title}: options", head, rows)


def _print_pays(book: Book, as_json: bool) -> None:
    rows = book.pays.items()
    if as_json:
        print_json([{"key": key, "odds": str(row.odds), "law": row.law, "cite": list(row.cite)} for key, row in rows])
        return
    said = [[key, str(row.odds), row.law, say(row.cite)] for key, row in rows]
    print_table(f"{book.title}: pay tables", ["key", "odds", "law", "where"], said)
