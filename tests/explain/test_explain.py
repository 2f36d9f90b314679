"""Books and wagers explained in words."""

from __future__ import annotations

import pytest

from support.houses import BOOKS
from trueodds.explain import compare_books, explain_options, explain_procedures, explain_wager, rules_as_written
from trueodds.explain.rulebook_markdown import rulebook_pages
from trueodds.rulebook import load_book


def texts(book: str, kind: str) -> dict[str, str]:
    sheet = explain_wager(rules_as_written(load_book(book)), kind)
    return {statement.topic: statement.text for statement in sheet.statements}


@pytest.mark.parametrize(
    ("book", "kind", "topic", "text"),
    [
        ("new_jersey", "pass", "wins", "7 or 11 on the come-out."),
        ("new_jersey", "pass", "wins later", "Any other number is the point; then its number before a 7."),
        ("new_jersey", "dont_pass", "barred", "12 on the come-out: void, the stake is returned."),
        ("rws", "dont_pass", "barred", "12 on the come-out: no action, the bet stays."),
        ("new_jersey", "come", "wins", "7 or 11 on the next roll."),
        ("new_jersey", "place", "pays", "9 to 5 on 4, 10. 7 to 5 on 5, 9. 7 to 6 on 6, 8."),
        ("new_jersey", "lay", "wins", "A 7 is rolled before its number."),
        (
            "rws",
            "lay",
            "vigorish",
            "5 % of the amount it can win, when it is made, refunded if it comes down undecided; rounded down.",
        ),
        ("new_jersey", "field", "pays", "1 to 1 (3, 4, 9, 10, 11); 2 to 1 (2); 2 to 1 (12)."),
        ("new_jersey", "hop", "wins", "The pair is rolled, in either order, on the next roll."),
        ("new_jersey", "whirl", "no box", "Broken down into units: 4 on Horn and 1 on Any Seven."),
        ("new_jersey", "fire", "loses", "Fewer than 4 different points are made before the loser 7."),
        ("maryland", "small", "wins", "2, 3, 4, 5 and 6 are all rolled before any 7. It is paid at once."),
        (
            "new_jersey",
            "pass_odds",
            "limit",
            "Up to 3x on 4 or 10, 4x on 5 or 9, 5x on 6 or 8, as multiples of the flat bet. "
            "More only up to the next stake that pays exactly.",
        ),
    ],
)  # fmt: skip
def test_statements_about_wagers(book: str, kind: str, topic: str, text: str) -> None:
    assert texts(book, kind)[topic] == text


@pytest.mark.parametrize("book", BOOKS)
def test_every_statement_has_a_text_and_a_citation(book: str) -> None:
    rules = rules_as_written(load_book(book))
    statements = [*explain_procedures(rules.book)]
    for kind in rules.book.wagers:
        statements += explain_wager(rules, kind).statements
    assert all(statement.topic and statement.text and statement.cite for statement in statements)


@pytest.mark.parametrize("book", BOOKS)
def test_every_option_is_explained(book: str) -> None:
    options = explain_options(load_book(book))
    assert [option.name for option in options] == list(load_book(book).options)
    assert all(option.description and option.allowed and option.cite for option in options)


def test_a_book_does_not_differ_from_itself() -> None:
    rules = rules_as_written(load_book("maryland"))
    assert compare_books(rules, rules) == ()


def test_there_is_a_page_for_every_book() -> None:
    assert set(rulebook_pages()) == {"README.md", "differences.md", *(f"{book}.md" for book in BOOKS)}
