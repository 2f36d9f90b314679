"""`trueodds books` and `trueodds rules`: what the rulebooks say."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from trueodds.cli.show import AsJson, clear_errors, open_book, print_json, print_table
from trueodds.explain import Sheet, bare_rules, contrasts, find_kind, procedures_of, sheet_of, sheets_of, spots_in_words
from trueodds.rulebook import Book, BookError, book_ids, load_book, say
from trueodds.wagers import Rules


@clear_errors
def books(as_json: AsJson = False) -> None:
    """List the rulebooks."""
    shelf = [load_book(name) for name in book_ids()]
    if as_json:
        print_json([
            {
                "id": book.id, "code": book.code, "title": book.title, "text": book.text, "games": list(book.games),
                "wagers": len(book.wagers), "silences": len(book.silences), "digest": book.digest,
            }
            for book in shelf
        ])  # fmt: skip
        return
    print_table(
        "Rulebooks",
        ["id", "code", "title", "wagers", "silences", "games", "text"],
        [
            [
                book.id,
                book.code,
                book.title,
                str(len(book.wagers)),
                str(len(book.silences)),
                ", ".join(book.games),
                book.text,
            ]
            for book in shelf
        ],
    )


@clear_errors
def rules(
    book: Annotated[str, typer.Argument(help="A book's id or code, as `trueodds books` lists them, or a book file.")],
    wager: Annotated[str | None, typer.Argument(help="A wager by any of its names: place, 'Any Seven', yo.")] = None,
    diff: Annotated[str | None, typer.Option("--diff", metavar="OTHER", help="Set another book beside it.")] = None,
    silences: Annotated[bool, typer.Option("--silences", help="What the text leaves open, and what we do.")] = False,
    procedures: Annotated[
        bool, typer.Option("--procedures", help="Who holds the dice; which throws are void.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Say what a book says, in plain words, with the clause behind every statement."""
    if sum((silences, procedures, diff is not None)) > 1 or (wager is not None and (silences or procedures)):
        raise BookError(book, "ask for one of a WAGER, --diff, --silences and --procedures (WAGER goes with --diff)")
    left = bare_rules(open_book(book))
    kind = _kind(left, wager)
    if silences:
        _print_silences(left.book, as_json)
    elif procedures:
        _print_procedures(left.book, as_json)
    elif diff is not None:
        _print_diff(left, bare_rules(open_book(diff)), kind, as_json)
    elif kind is not None:
        _print_sheet(left, sheet_of(left, kind), as_json)
    else:
        _print_sheets(left, as_json)


def _kind(rules: Rules, wager: str | None) -> str | None:
    if wager is None:
        return None
    kind = find_kind(rules, wager)
    if kind is None:
        raise BookError(rules.book.id, f"no wager {wager!r}; there are {', '.join(rules.book.wagers)}")
    return kind


def _sheet_data(sheet: Sheet) -> dict[str, Any]:
    return {
        "kind": sheet.kind, "title": sheet.title, "aliases": list(sheet.aliases), "offered": sheet.offered,
        "statements": [
            {"topic": one.topic, "text": one.text, "cite": list(one.cite)} for one in sheet.statements
        ],
    }  # fmt: skip


def _print_sheets(rules: Rules, as_json: bool) -> None:
    sheets = sheets_of(rules)
    if as_json:
        print_json([_sheet_data(sheet) for sheet in sheets])
        return
    rows = []
    for sheet in sheets:
        said = {one.topic: one for one in sheet.statements}
        offered = "" if sheet.offered else " (not offered unless switched on)"
        rows.append([sheet.kind, sheet.title + offered, said["when"].text, said["pays"].text, say(said["when"].cite)])
    print_table(
        f"{rules.book.title}: wagers as the text has them; a house may differ",
        ["kind", "title", "when", "pays", "where"],
        rows,
    )


def _print_sheet(rules: Rules, sheet: Sheet, as_json: bool) -> None:
    if as_json:
        print_json(_sheet_data(sheet))
        return
    picks = spots_in_words(rules, sheet.kind)
    title = f"{rules.book.title}: {sheet.title}" + (f", on {picks}" if picks else "")
    title += " (as the text has it; a house may differ)"
    rows = [[one.topic, one.text, say(one.cite)] for one in sheet.statements]
    print_table(title, ["topic", "what the book says", "where"], rows)


def _print_silences(book: Book, as_json: bool) -> None:
    found = sorted(book.silences.values())
    if as_json:
        print_json([one._asdict() for one in found])
        return
    rows = [[one.id, one.about, one.says, one.we_do, one.why, ", ".join(one.options)] for one in found]
    print_table(f"{book.title}: silences", ["id", "about", "the text", "we do", "because", "option"], rows)


def _print_procedures(book: Book, as_json: bool) -> None:
    said = procedures_of(book)
    if as_json:
        print_json({
            "procedures": [{"topic": one.topic, "text": one.text, "cite": list(one.cite)} for one in said],
            "throws": [{**row._asdict(), "by": dict(row.by)} for row in book.throws.values()],
        })  # fmt: skip
        return
    print_table(
        f"{book.title}: dice and seats", ["", "", "where"], [[one.topic, one.text, say(one.cite)] for one in said]
    )
    rows = [
        [row.code, row.ruling, ", ".join(sorted({who for people in row.by.values() for who in people})), say(row.cite)]
        for row in book.throws.values()
    ]
    print_table(f"{book.title}: irregular throws", ["throw", "ruling", "called by", "where"], rows)


def _print_diff(left: Rules, right: Rules, kind: str | None, as_json: bool) -> None:
    found = contrasts(left, right, kind)
    if as_json:
        print_json([one._asdict() for one in found])
        return
    rows = [[one.wager, one.topic, one.left or "-", one.right or "-"] for one in found]
    print_table(
        f"{left.book.title} and {right.book.title}", ["wager", "topic", left.book.title, right.book.title], rows
    )
