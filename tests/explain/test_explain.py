"""Books and wagers explained in words."""

from __future__ import annotations

import pytest

from support.houses import BOOKS
from trueodds.explain import (
    compare_books,
    explain_options,
    explain_procedures,
    explain_wager,
    officials_text,
    rules_as_written,
)
from trueodds.explain.rulebook_markdown import rulebook_pages
from trueodds.rulebook import House, load_book
from trueodds.wagers import TableRules


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
            "More only up to the next stake that pays exactly. "
            "A house must allow at least 1x and may allow up to 100x.",
        ),
        (
            "rws",
            "pass_odds",
            "limit",
            "Up to 3x on 4 or 10, 4x on 5 or 9, 5x on 6 or 8, as multiples of the flat bet. "
            "A house may not change these multiples.",
        ),
        (
            "maryland",
            "dont_pass_odds",
            "limit",
            "Winnings of up to 3x on 4 or 10, 4x on 5 or 9, 5x on 6 or 8, as multiples of the flat bet.",
        ),
        (
            "new_jersey",
            "buy",
            "vigorish",
            "5 % of the wager (at most 5 % is allowed), when it is made, refunded if it comes down undecided; "
            "rounded down. A house may take it from wins only.",
        ),
        ("new_jersey", "fire", "limits", "From $1 to $5."),
        (
            "new_jersey",
            "fire",
            "other pay table",
            "A house may choose table B: 39 to 1 (4 points); 199 to 1 (5 points); 499 to 1 (6 points).",
        ),
        (
            "new_jersey",
            "horn_high",
            "parts",
            "5 equal parts: 1 on Craps Two, 1 on Craps Three, 1 on Eleven, 1 on Craps Twelve and 1 more on the chosen "
            "number. Each is paid as a bet of its own.",
        ),
        (
            "new_jersey",
            "whirl",
            "parts",
            "5 equal parts: 1 on Craps Two, 1 on Craps Three, 1 on Eleven, 1 on Craps Twelve and 1 on Any Seven. "
            "Each is paid as a bet of its own.",
        ),
        ("rws", "pass", "no action", "Any other roll. It stays on the layout for the next roll."),
    ],
)  # fmt: skip
def test_statements_about_wagers(book: str, kind: str, topic: str, text: str) -> None:
    assert texts(book, kind)[topic] == text


def test_the_vigorish_of_a_house_may_be_below_the_limit_of_its_book() -> None:
    book = load_book("new_jersey")
    rules = TableRules(House(book, {"vig_bp": 400, "vig_timing": {"buy": "on_win"}}))
    (text,) = [one.text for one in explain_wager(rules, "buy").statements if one.topic == "vigorish"]
    assert text == "4 % of the wager (at most 5 % is allowed), taken from a win; rounded down."


def test_only_the_other_fire_table_is_called_other() -> None:
    rules = TableRules(House(load_book("new_jersey"), {"fire_table": "B"}))
    found = {one.topic: one.text for one in explain_wager(rules, "fire").statements}
    assert found["pays"].startswith("39 to 1")
    assert found["other pay table"].startswith("A house may choose table A: 24 to 1")


@pytest.mark.parametrize(
    ("least", "most", "text"),
    [
        (1500, "none", "At least $15."),
        (0, 50000, "At most $500."),
        (1500, 50000, "From $15 to $500."),
        (0, "none", None),
    ],
)
def test_the_limits_of_a_house_are_explained(least: int, most: int | str, text: str | None) -> None:
    rules = TableRules(House(load_book("new_jersey"), {"min_bet": least, "max_bet": most}))
    assert {one.topic: one.text for one in explain_wager(rules, "pass").statements}.get("limits") == text


@pytest.mark.parametrize(
    ("book", "topic", "text"),
    [
        ("new_jersey", "the shooter needs a line bet", "yes, unless game is automated craps"),
        ("rws", "the shooter needs a line bet", "yes"),
        ("maryland", "the shooter needs a line bet", "yes, unless the house changes its option shooter_line_required"),
        ("new_jersey", "the points are", "4, 5, 6, 8, 9, 10"),
    ],
)
def test_statements_about_procedures(book: str, topic: str, text: str) -> None:
    assert {one.topic: one.text for one in explain_procedures(load_book(book))}[topic] == text


def test_procedures_are_listed_by_topic_with_their_steps() -> None:
    statements = explain_procedures(load_book("rws"))
    topics = [statement.topic for statement in statements]
    assert topics.index("equipment: The Puck") < topics.index("betting: Closing the bets")
    assert topics.index("betting: Closing the bets") < topics.index("definition: Boxperson")
    assert topics[-1] == "not for software: The drawings of the layout"
    closing = statements[topics.index("betting: Closing the bets")]
    assert closing.text.splitlines() == [
        "Before each roll, dealer:",
        'Announce "No more bets". The bets are closed from then on.',
        "Accept no wager after that.",
        "Depends on the house option late_bets.",
    ]
    assert closing.cite == ("RWS Game Rules 3.2", "RWS Game Rules 3.8")


@pytest.mark.parametrize("book", BOOKS)
def test_pages_and_procedures_show_every_written_rule(book: str) -> None:
    loaded, page = load_book(book), rulebook_pages()[f"{book}.md"]
    shown = "\n".join(statement.text for statement in explain_procedures(loaded))
    texts = [step for procedure in loaded.procedures for step in procedure.steps]
    texts += [row.meaning for row in loaded.definitions] + [row.reason for row in loaded.not_for_software]
    assert [text for text in texts if text not in shown or text not in page] == []


def test_officials_are_named_by_game() -> None:
    throw = load_book("new_jersey").irregular_throws["no_end_wall"]
    assert officials_text(throw) == (
        "craps: boxperson, stickperson; mini craps: dealer, stickperson, floorperson; automated craps: nobody"
    )


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
