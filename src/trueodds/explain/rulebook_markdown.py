"""Generate the pages under docs/rulebooks from the books."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping

from trueodds.explain.book_sheet import (
    compare_books,
    explain_options,
    explain_procedures,
    explain_wagers,
    rules_as_written,
)
from trueodds.explain.wager_sheet import RuleStatement
from trueodds.rulebook import Book, book_ids, format_citation, load_book

GENERATED_NOTE = "<!-- Generated from the book by `python3 dev.py docs`. Change the book, not this page. -->"


Section = str | list[str]
"""A paragraph, or the lines of a table."""


def rulebook_pages() -> dict[str, str]:
    """Return every page by its file name: one for each book, the differences, and an index."""
    books = [load_book(name) for name in book_ids()]
    pages = {f"{book.id}.md": _book_page(book) for book in books}
    pages["differences.md"] = _differences_page(books)
    pages["README.md"] = _index_page(books)
    return pages


def _page(*sections: Section) -> str:
    lines = [GENERATED_NOTE, ""]
    for section in sections:
        lines += [section] if isinstance(section, str) else section
        lines.append("")
    return "\n".join(lines).rstrip() + "\n"


def _table(head: list[str], rows: Iterable[list[str]]) -> list[str]:
    body = ["| " + " | ".join(_cell(cell) for cell in row) + " |" for row in rows]
    return ["| " + " | ".join(head) + " |", "|" + "---|" * len(head), *body]


def _cell(text: str) -> str:
    return text.replace("|", "\\|").replace("\n", " ")


def _book_page(book: Book) -> str:
    games = ", ".join(name.replace("_", " ") for name in book.games)
    return _page(
        f"# {book.title}",
        f"{book.source}. {len(book.wagers)} wagers, {len(book.silences)} silences, games: {games}.",
        "This page describes the book with its own defaults for all options. A house may change the options below.",
        "## Wagers",
        *_wager_sections(book),
        "## House options",
        _options_table(book),
        "## Pay tables",
        "A house may change odds with its `paytable` option, within their constraint: `fixed` odds not at all, "
        "`minimum` odds only upward, `free` odds in any way.",
        _pay_table(book),
        "## Dice and seats",
        _statements_table(explain_procedures(book)),
        "## Invalid throws",
        _throws_table(book),
        "## Silences",
        'Points that the text leaves open, and how trueodds resolves them. In citations, "our choice" marks a silence.',
        _silences_table(book),
    )


def _wager_sections(book: Book) -> Iterable[Section]:
    for sheet in explain_wagers(rules_as_written(book)):
        selections = f" On {', '.join(sheet.selections)}." if sheet.selections else ""
        aliases = f" Also called {', '.join(sheet.aliases)}." if sheet.aliases else ""
        offered = "" if sheet.offered else " Offered only if the house chooses to."
        yield f"### {sheet.title}"
        yield f"`{sheet.kind}`.{selections}{aliases}{offered}"
        yield _statements_table(sheet.statements)


def _statements_table(statements: Iterable[RuleStatement]) -> list[str]:
    rows = [[statement.topic, statement.text, format_citation(statement.cite)] for statement in statements]
    return _table(["topic", "rule", "clause"], rows)


def _options_table(book: Book) -> list[str]:
    rows = [
        [
            f"`{option.name}`",
            option.description,
            _json(option.default),
            _json(option.default_house),
            option.allowed,
            format_citation(option.cite),
        ]
        for option in explain_options(book)
    ]
    return _table(["option", "description", "book default", "default house", "allowed", "clause"], rows)


def _pay_table(book: Book) -> list[str]:
    rows = [
        [f"`{key}`", str(row.odds), row.constraint, format_citation(row.cite)] for key, row in book.pay_table.items()
    ]
    return _table(["key", "odds", "constraint", "clause"], rows)


def _throws_table(book: Book) -> list[str]:
    rows = [
        [throw.code.replace("_", " "), throw.ruling, _officials_text(throw.officials), format_citation(throw.cite)]
        for throw in book.irregular_throws.values()
    ]
    return _table(["throw", "ruling", "officials", "clause"], rows)


def _silences_table(book: Book) -> list[str]:
    rows = [
        [
            silence.id,
            silence.about,
            silence.says,
            silence.we_do,
            silence.why,
            ", ".join(f"`{name}`" for name in silence.options),
        ]
        for silence in sorted(book.silences.values())
    ]
    return _table(["id", "about", "the text", "we do", "because", "option"], rows)


def _json(value: object) -> str:
    return "`" + json.dumps(value, ensure_ascii=False) + "`"


def _officials_text(officials: Mapping[str, tuple[str, ...]]) -> str:
    return "; ".join(f"{game.replace('_', ' ')}: {', '.join(people) or 'nobody'}" for game, people in officials.items())


def _differences_page(books: list[Book]) -> str:
    sections: list[Section] = ["# Differences", "Every topic on which two books differ, for each wager."]
    rules = [rules_as_written(book) for book in books]
    for index, left in enumerate(rules):
        for right in rules[index + 1 :]:
            rows = [
                [f"`{difference.wager}`", difference.topic, difference.left or "-", difference.right or "-"]
                for difference in compare_books(left, right)
            ]
            sections += [
                f"## {left.book.title} and {right.book.title}",
                _table(["wager", "topic", left.book.title, right.book.title], rows),
            ]
    return _page(*sections)


def _index_page(books: list[Book]) -> str:
    rows = [
        [f"[{book.title}]({book.id}.md)", f"`{book.id}`", book.source, str(len(book.wagers)), str(len(book.silences))]
        for book in books
    ]
    return _page(
        "# Rulebooks",
        "Each page is generated from a book: every wager, payout, option and silence, with its clause.",
        _table(["book", "id", "source", "wagers", "silences"], rows),
        "[Differences](differences.md) compares every two of them.",
    )
