"""Generate the pages under docs/rulebooks from the books."""

from __future__ import annotations

import json
from collections.abc import Iterable

from trueodds.explain.anchor import anchor
from trueodds.explain.book_sheet import compare_books, explain_options, explain_wagers, rules_as_written
from trueodds.explain.coverage_markdown import book_anchor
from trueodds.explain.markdown_page import Section, anchored, markdown_page, markdown_table
from trueodds.explain.procedure_sheet import AnchoredStatement, dice_and_seats, officials_text
from trueodds.rulebook import PROCEDURE_TOPICS, Book, Procedure, book_ids, format_citation, load_book


def rulebook_pages() -> dict[str, str]:
    """Return every page by its file name: one for each book, the differences, and an index."""
    books = [load_book(name) for name in book_ids()]
    pages = {f"{book.id}.md": _book_page(book) for book in books}
    pages["differences.md"] = _differences_page(books)
    pages["README.md"] = _index_page(books)
    return pages


def _book_page(book: Book) -> str:
    games = ", ".join(name.replace("_", " ") for name in book.games)
    return markdown_page(
        f"# {book.title}",
        f"{book.source}. {len(book.wagers)} wagers, {len(book.silences)} silences, games: {games}.",
        "This page describes the book with its own defaults for all options. A house may change the options below. "
        f"[Coverage](../coverage.md#{book_anchor(book)}) lists every clause of the text and where it is on this page.",
        "## Wagers",
        *_wager_sections(book),
        "## House options",
        _options_table(book),
        "## Pay tables",
        "A house may change odds with its `paytable` option, within their constraint: `fixed` odds not at all, "
        "`minimum` odds only upward, `free` odds in any way.",
        _pay_table(book),
        "## Dice and seats",
        _anchored_table(dice_and_seats(book)),
        "## Invalid throws",
        _throws_table(book),
        "## What bets are made with",
        _tenders_table(book),
        "## Refusals",
        "The clause behind each kind of refusal that is not about one wager alone.",
        _refusals_table(book),
        *_procedure_sections(book),
        *_definition_sections(book),
        *_not_for_software_sections(book),
        "## Silences",
        'Points that the text leaves open, and how trueodds resolves them. In citations, "our choice" marks a silence.',
        _silences_table(book),
    )


def _wager_sections(book: Book) -> Iterable[Section]:
    for sheet in explain_wagers(rules_as_written(book)):
        selections = f" On {', '.join(sheet.selections)}." if sheet.selections else ""
        aliases = f" Also called {', '.join(sheet.aliases)}." if sheet.aliases else ""
        offered = "" if sheet.offered else " Offered only if the house chooses to."
        yield f"### {anchored(anchor('wager', sheet.kind), sheet.title)}"
        yield f"`{sheet.kind}`.{selections}{aliases}{offered}"
        rows = [[statement.topic, statement.text, format_citation(statement.cite)] for statement in sheet.statements]
        yield markdown_table(["topic", "rule", "clause"], rows)


def _anchored_table(statements: Iterable[AnchoredStatement]) -> list[str]:
    rows = [
        [anchored(link, statement.topic), statement.text, format_citation(statement.cite)]
        for link, statement in statements
    ]
    return markdown_table(["topic", "rule", "clause"], rows)


def _options_table(book: Book) -> list[str]:
    rows = [
        [
            anchored(anchor("option", option.name), f"`{option.name}`"),
            option.description,
            _json(option.default),
            _json(option.default_house),
            option.allowed,
            format_citation(option.cite),
        ]
        for option in explain_options(book)
    ]
    return markdown_table(["option", "description", "book default", "default house", "allowed", "clause"], rows)


def _pay_table(book: Book) -> list[str]:
    rows = [
        [anchored(anchor("payout", key), f"`{key}`"), str(row.odds), row.constraint, format_citation(row.cite)]
        for key, row in book.pay_table.items()
    ]
    return markdown_table(["key", "odds", "constraint", "clause"], rows)


def _throws_table(book: Book) -> list[str]:
    rows = [
        [
            anchored(anchor("throw", throw.code), throw.code.replace("_", " ")),
            throw.ruling,
            officials_text(throw),
            format_citation(throw.cite),
        ]
        for throw in book.irregular_throws.values()
    ]
    return markdown_table(["throw", "ruling", "officials", "clause"], rows)


def _tenders_table(book: Book) -> list[str]:
    rows = [
        [
            anchored(anchor("tender", name), name.replace("_", " ")),
            tender.accepts if isinstance(tender.accepts, str) else ", ".join(f"`{kind}`" for kind in tender.accepts),
            format_citation(tender.cite),
        ]
        for name, tender in book.tenders.items()
    ]
    return markdown_table(["tender", "wagers", "clause"], rows)


def _refusals_table(book: Book) -> list[str]:
    rows = [
        [anchored(anchor("refusal", code), f"`{code}`"), format_citation(cite)]
        for code, cite in book.refusal_cites.items()
    ]
    return markdown_table(["refusal", "clause"], rows)


def _procedure_sections(book: Book) -> Iterable[Section]:
    if book.procedures:
        yield "## Procedures"
    for topic in PROCEDURE_TOPICS:
        procedures = [procedure for procedure in book.procedures if procedure.topic == topic]
        if procedures:
            yield f"### {topic.capitalize()}"
        for procedure in procedures:
            yield f"#### {anchored(anchor('procedure', procedure.id), procedure.title)}"
            yield from _procedure_section(procedure)


def _procedure_section(procedure: Procedure) -> Iterable[Section]:
    about = {
        "Games": ", ".join(name.replace("_", " ") for name in procedure.games),
        "When": procedure.when,
        "By": ", ".join(procedure.by),
        "Options": ", ".join(f"[`{name}`](#{anchor('option', name)})" for name in procedure.options),
        "Clause": format_citation(procedure.cite),
    }
    yield " ".join(f"{name}: {text}." for name, text in about.items() if text)
    yield [f"{number}. {step}" for number, step in enumerate(procedure.steps, 1)]


def _definition_sections(book: Book) -> Iterable[Section]:
    if book.definitions:
        yield "## Definitions"
        rows = [
            [anchored(anchor("definition", row.term), row.term), row.meaning, format_citation(row.cite)]
            for row in book.definitions
        ]
        yield markdown_table(["term", "meaning", "clause"], rows)


def _not_for_software_sections(book: Book) -> Iterable[Section]:
    if book.not_for_software:
        yield "## Not for software"
        yield "Clauses that trueodds does not carry out, and the reason."
        rows = [
            [anchored(anchor("not-for-software", row.about), row.about), row.reason, format_citation(row.cite)]
            for row in book.not_for_software
        ]
        yield markdown_table(["about", "reason", "clause"], rows)


def _silences_table(book: Book) -> list[str]:
    rows = [
        [
            anchored(anchor("silence", silence.id), silence.id),
            silence.about,
            silence.says,
            silence.we_do,
            silence.why,
            ", ".join(f"`{name}`" for name in silence.options),
        ]
        for silence in sorted(book.silences.values())
    ]
    return markdown_table(["id", "about", "the text", "we do", "because", "option"], rows)


def _json(value: object) -> str:
    return "`" + json.dumps(value, ensure_ascii=False) + "`"


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
                markdown_table(["wager", "topic", left.book.title, right.book.title], rows),
            ]
    return markdown_page(*sections)


def _index_page(books: list[Book]) -> str:
    rows = [
        [f"[{book.title}]({book.id}.md)", f"`{book.id}`", book.source, str(len(book.wagers)), str(len(book.silences))]
        for book in books
    ]
    return markdown_page(
        "# Rulebooks",
        "Each page is generated from a book: every wager, payout, option and silence, with its clause.",
        markdown_table(["book", "id", "source", "wagers", "silences"], rows),
        "[Differences](differences.md) compares every two of them.",
    )
