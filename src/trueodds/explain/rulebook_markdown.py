"""The pages under docs/rulebooks, made from the books so that they cannot drift from them."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping

from trueodds.explain.book import bare_rules, contrasts, option_sheets, procedures_of, sheets_of
from trueodds.explain.wager import spots_in_words
from trueodds.rulebook import Book, book_ids, load_book, say

NOTE = "<!-- Made from the book's data by `python3 dev.py docs`. Change the book, not this page. -->"


def pages() -> dict[str, str]:
    """Make every page: one for each book, one of differences, and an index."""
    books = [load_book(name) for name in book_ids()]
    made = {f"{book.id}.md": _book_page(book) for book in books}
    made["differences.md"] = _differences(books)
    made["README.md"] = _index(books)
    return made


def _page(*parts: str | Iterable[str]) -> str:
    lines = [NOTE, ""]
    for part in parts:
        lines += [part] if isinstance(part, str) else list(part)
        lines.append("")
    return "\n".join(lines).rstrip() + "\n"


def _table(head: list[str], rows: Iterable[list[str]]) -> list[str]:
    body = ["| " + " | ".join(_cell(cell) for cell in row) + " |" for row in rows]
    return ["| " + " | ".join(head) + " |", "|" + "---|" * len(head), *body]


def _cell(text: str) -> str:
    return text.replace("|", "\\|").replace("\n", " ")


def _book_page(book: Book) -> str:
    rules = bare_rules(book)
    sections: list[str | Iterable[str]] = [
        f"# {book.title}",
        f"{book.text}. {len(book.wagers)} wagers, {len(book.silences)} silences, games: "
        f"{', '.join(name.replace('_', ' ') for name in book.games)}.",
        "What is said here is the text under its own bare options; a house may choose among the options below.",
        "## Wagers",
    ]
    for sheet in sheets_of(rules):
        picks = spots_in_words(rules, sheet.kind)
        called = f" Also called {', '.join(sheet.aliases)}." if sheet.aliases else ""
        on = f" On {picks}." if picks else ""
        off = "" if sheet.offered else " Not offered unless the house switches it on."
        sections += [
            f"### {sheet.title}",
            f"`{sheet.kind}`.{on}{called}{off}",
            _table(["", "", "where"], [[one.topic, one.text, say(one.cite)] for one in sheet.statements]),
        ]
    sections += [
        "## What the operator may choose",
        _table(
            ["option", "meaning", "the text's default", "default house", "lawful", "where"],
            [
                [f"`{one.name}`", one.meaning, _json(one.default), _json(one.house), one.lawful, say(one.cite)]
                for one in option_sheets(book)
            ],
        ),
        "## Pay tables",
        "The keys are what a house names in `paytable`; the law says what it may do with them.",
        _table(
            ["key", "odds", "law", "where"],
            [[f"`{key}`", str(row.odds), row.law, say(row.cite)] for key, row in book.pays.items()],
        ),
        "## Dice and seats",
        _table(["", "", "where"], [[one.topic, one.text, say(one.cite)] for one in procedures_of(book)]),
        "## Invalid throws",
        _table(
            ["what", "ruling", "who", "where"],
            [[row.code.replace("_", " "), row.ruling, _who(row.by), say(row.cite)] for row in book.throws.values()],
        ),
        "## Silences",
        _table(
            ["", "about", "the text", "we do", "because", "option"],
            [
                [one.id, one.about, one.says, one.we_do, one.why, ", ".join(f"`{name}`" for name in one.options)]
                for one in sorted(book.silences.values())
            ],
        ),
    ]
    return _page(*sections)


def _json(value: object) -> str:
    return "`" + json.dumps(value, ensure_ascii=False) + "`"


def _who(by: Mapping[str, tuple[str, ...]]) -> str:
    return "; ".join(f"{game.replace('_', ' ')}: {', '.join(people) or 'nobody'}" for game, people in by.items())


def _differences(books: list[Book]) -> str:
    sections: list[str | Iterable[str]] = ["# Differences", "Every topic on which two books differ, wager by wager."]
    rules = [bare_rules(book) for book in books]
    for index, left in enumerate(rules):
        for right in rules[index + 1 :]:
            rows = [[f"`{one.wager}`", one.topic, one.left or "-", one.right or "-"] for one in contrasts(left, right)]
            sections += [
                f"## {left.book.title} and {right.book.title}",
                _table(["wager", "topic", left.book.title, right.book.title], rows),
            ]
    return _page(*sections)


def _index(books: list[Book]) -> str:
    rows = [
        [f"[{book.title}]({book.id}.md)", f"`{book.id}`", book.text, str(len(book.wagers)), str(len(book.silences))]
        for book in books
    ]
    return _page(
        "# The rulebooks",
        "Each page is made from the book's own data: every wager, payout, option and silence with its clause.",
        _table(["book", "id", "text", "wagers", "silences"], rows),
        "[Differences](differences.md) sets every two of them side by side.",
    )
