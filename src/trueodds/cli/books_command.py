"""The commands `trueodds books` and `trueodds rules`."""

from __future__ import annotations

from typing import Annotated

import typer

from trueodds.cli.output import JsonOption, find_book, print_json, print_table, report_errors
from trueodds.explain import (
    RuleStatement,
    WagerSheet,
    compare_books,
    explain_procedures,
    explain_wager,
    explain_wagers,
    officials_text,
    rules_as_written,
)
from trueodds.rulebook import Book, RulebookError, book_ids, format_citation, load_book
from trueodds.wagers import TableRules


@report_errors
def books(as_json: JsonOption = False) -> None:
    """List the rulebooks."""
    all_books = [load_book(name) for name in book_ids()]
    if as_json:
        print_json([
            {
                "id": book.id, "code": book.code, "title": book.title, "source": book.source,
                "games": list(book.games), "wagers": len(book.wagers), "silences": len(book.silences),
                "digest": book.digest,
            }
            for book in all_books
        ])  # fmt: skip
        return
    print_table(
        "Rulebooks",
        ["id", "code", "title", "wagers", "silences", "games", "source"],
        [
            [
                book.id,
                book.code,
                book.title,
                str(len(book.wagers)),
                str(len(book.silences)),
                ", ".join(book.games),
                book.source,
            ]
            for book in all_books
        ],
    )


@report_errors
def rules(
    book: Annotated[str, typer.Argument(help="Id or code of a book (see `trueodds books`), or a book file.")],
    wager: Annotated[str | None, typer.Argument(help="Name of a wager: place, 'Any Seven', yo (default: all).")] = None,
    diff: Annotated[str | None, typer.Option("--diff", metavar="OTHER", help="Compare with another book.")] = None,
    silences: Annotated[
        bool, typer.Option("--silences", help="List the silences: points that the text leaves open, and our choices.")
    ] = False,
    procedures: Annotated[
        bool, typer.Option("--procedures", help="List what people do at the table, definitions, and invalid throws.")
    ] = False,
    as_json: JsonOption = False,
) -> None:
    """Explain the rules of a book, with the clause behind every statement."""
    if sum((silences, procedures, diff is not None)) > 1 or (wager is not None and (silences or procedures)):
        raise RulebookError("give at most one of WAGER, --diff, --silences and --procedures, or WAGER with --diff")
    left = rules_as_written(find_book(book))
    kind = None if wager is None else left.book.find_wager(wager).kind
    if silences:
        _print_silences(left.book, as_json)
    elif procedures:
        _print_procedures(left.book, as_json)
    elif diff is not None:
        _print_diff(left, rules_as_written(find_book(diff)), kind, as_json)
    elif kind is not None:
        _print_sheet(left, explain_wager(left, kind), as_json)
    else:
        _print_sheets(left, as_json)


def _statement_data(statement: RuleStatement) -> dict[str, object]:
    return {"topic": statement.topic, "text": statement.text, "cite": list(statement.cite)}


def _sheet_data(sheet: WagerSheet) -> dict[str, object]:
    return {
        "kind": sheet.kind,
        "title": sheet.title,
        "aliases": list(sheet.aliases),
        "selections": list(sheet.selections),
        "offered": sheet.offered,
        "statements": [_statement_data(statement) for statement in sheet.statements],
    }


def _statement_rows(statements: tuple[RuleStatement, ...]) -> list[list[str]]:
    return [[statement.topic, statement.text, format_citation(statement.cite)] for statement in statements]


def _print_sheets(rules: TableRules, as_json: bool) -> None:
    sheets = explain_wagers(rules)
    if as_json:
        print_json([_sheet_data(sheet) for sheet in sheets])
        return
    rows = []
    for sheet in sheets:
        by_topic = {statement.topic: statement for statement in sheet.statements}
        offered = "" if sheet.offered else " (only if the house offers it)"
        when, pays = by_topic["when"], by_topic["pays"]
        rows.append([sheet.kind, sheet.title + offered, when.text, pays.text, format_citation(when.cite)])
    title = f"{rules.book.title}: wagers with the book's own defaults; a house may differ"
    print_table(title, ["kind", "title", "when", "pays", "clause"], rows)


def _print_sheet(rules: TableRules, sheet: WagerSheet, as_json: bool) -> None:
    if as_json:
        print_json(_sheet_data(sheet))
        return
    selections = f", on {', '.join(sheet.selections)}" if sheet.selections else ""
    title = f"{rules.book.title}: {sheet.title}{selections} (with the book's own defaults; a house may differ)"
    print_table(title, ["topic", "rule", "clause"], _statement_rows(sheet.statements))


def _print_silences(book: Book, as_json: bool) -> None:
    silences = sorted(book.silences.values())
    if as_json:
        print_json([silence._asdict() for silence in silences])
        return
    rows = [
        [silence.id, silence.about, silence.says, silence.we_do, silence.why, ", ".join(silence.options)]
        for silence in silences
    ]
    print_table(f"{book.title}: silences", ["id", "about", "the text", "we do", "because", "option"], rows)


def _print_procedures(book: Book, as_json: bool) -> None:
    statements = explain_procedures(book)
    throws = book.irregular_throws.values()
    if as_json:
        print_json({
            "procedures": [_statement_data(statement) for statement in statements],
            "throws": [{**throw._asdict(), "officials": dict(throw.officials)} for throw in throws],
        })  # fmt: skip
        return
    print_table(f"{book.title}: procedures", ["topic", "rule", "clause"], _statement_rows(statements))
    rows = [[throw.code, throw.ruling, officials_text(throw), format_citation(throw.cite)] for throw in throws]
    print_table(f"{book.title}: irregular throws", ["throw", "ruling", "officials", "clause"], rows)


def _print_diff(left: TableRules, right: TableRules, kind: str | None, as_json: bool) -> None:
    differences = compare_books(left, right, kind)
    if as_json:
        print_json([difference._asdict() for difference in differences])
        return
    rows = [
        [difference.wager, difference.topic, difference.left or "-", difference.right or "-"]
        for difference in differences
    ]
    print_table(
        f"{left.book.title} and {right.book.title}", ["wager", "topic", left.book.title, right.book.title], rows
    )
