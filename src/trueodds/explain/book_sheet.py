"""Explain a whole book in words: its wagers and options, and how it differs from another."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from trueodds.explain.wager_sheet import WagerSheet, explain_wager
from trueodds.rulebook import Book, Citation, House, Option, PlainValue, plain_value
from trueodds.wagers import TableRules


def explain_wagers(rules: TableRules) -> tuple[WagerSheet, ...]:
    """Explain every wager, in the order of the book."""
    return tuple(explain_wager(rules, kind) for kind in rules.book.wagers)


def rules_as_written(book: Book) -> TableRules:
    """Return the rules of a book with its own defaults for all options."""
    return TableRules(House(book, book_defaults=True, name=f"{book.title}, as written"))


class OptionSheet(NamedTuple):
    """An option of a book: its description, its default in the book and in the default house, and what is allowed."""

    name: str
    description: str
    default: PlainValue
    default_house: PlainValue
    allowed: str
    cite: Citation


def explain_options(book: Book) -> tuple[OptionSheet, ...]:
    """Explain every option of a book."""
    house = House(book)
    return tuple(
        OptionSheet(
            option.name,
            option.description,
            plain_value(option.default),
            plain_value(house[option.name]),
            _bounds_text(option),
            option.cite,
        )
        for option in book.options.values()
    )


def _bounds_text(option: Option) -> str:
    """Return what a book allows for an option, with the clause of each bound."""
    if option.name == "paytable":
        return "rows of the pay table, each within its constraint"
    if not option.bounds:
        return "the operator's choice"
    return "; ".join(f"{bound.describe()} ({', '.join(bound.cite)})" for bound in option.bounds)


class BookDifference(NamedTuple):
    """A topic on which two books differ. A text is empty if the book does not have the topic."""

    wager: str
    topic: str
    left: str
    right: str


def compare_books(left: TableRules, right: TableRules, kind: str | None = None) -> tuple[BookDifference, ...]:
    """Return where two books differ, about one kind of wager or about all."""
    kinds = [kind] if kind else list(dict.fromkeys([*left.book.wagers, *right.book.wagers]))
    differences: list[BookDifference] = []
    for wager in kinds:
        lefts, rights = _texts_by_topic(left, wager), _texts_by_topic(right, wager)
        if lefts and rights:
            differences += [
                BookDifference(wager, topic, lefts.get(topic, ""), rights.get(topic, ""))
                for topic in dict.fromkeys([*lefts, *rights])
                if lefts.get(topic) != rights.get(topic)
            ]
        elif lefts or rights:
            differences.append(BookDifference(wager, "offered", "yes" if lefts else "", "yes" if rights else ""))
    return tuple(differences)


def _texts_by_topic(rules: TableRules, kind: str) -> Mapping[str, str]:
    if kind not in rules.book.wagers:
        return {}
    sheet = explain_wager(rules, kind)
    if not sheet.offered:
        return {}
    return {"title": sheet.title} | {statement.topic: statement.text for statement in sheet.statements}
