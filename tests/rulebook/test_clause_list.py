"""The lists of clauses are well formed, and equal to what the rule texts give."""

from __future__ import annotations

from pathlib import Path

import pytest

from support.houses import BOOKS
from support.rule_texts import LISTS, LostLineError, clause_list, new_jersey, read_texts, win_line
from trueodds.rulebook import BookError
from trueodds.rulebook.clause_list import is_sub_clause, load_clauses

RULE_TEXTS = Path(__file__).parents[3] / "shared" / "seeds"
"""Where the maintainers keep the rule texts: beside the checkout. They are not part of it, and may be absent."""


@pytest.mark.parametrize("book", BOOKS)
def test_a_list_is_well_formed(book: str) -> None:
    clauses = load_clauses(book)
    assert len(clauses) > 30
    with_sub_clauses = {clause.parent for clause in clauses.values()}
    for clause in clauses.values():
        assert clause.kind == "clause" or clause.id in with_sub_clauses, clause
        assert not clause.parent or list(clauses).index(clause.parent) < list(clauses).index(clause.id), clause


@pytest.mark.parametrize("book", BOOKS)
def test_a_list_equals_its_rule_text(book: str) -> None:
    """Without the texts there is nothing to compare with; the form of the lists is checked above all the same."""
    if RULE_TEXTS.is_dir():
        stored = (LISTS / f"{book}.txt").read_text("utf-8")
        assert stored == clause_list(read_texts(RULE_TEXTS)[book]), "run tests/support/rule_texts.py"


@pytest.mark.parametrize(
    ("book", "clause", "parent"),
    [
        ("new_jersey", "1.2(a)1.ii(2)", "1.2(a)1.ii"),
        ("new_jersey", "1.2(a)1.ii", "1.2(a)1"),
        ("new_jersey", "1.2(a)10", "1.2(a)"),
        ("new_jersey", "1.10(a)", "1.10"),
        ("new_jersey", "1.10", ""),
        ("maryland", ".03A(20)(a)", ".03A(20)"),
        ("maryland", ".03A", ".03"),
        ("rws", "App.D 3(c)(i)", "App.D 3(c)"),
        ("rws", "App.D 10", "App.D"),
        ("rws", "1 'Marker Buttons'(i)", "1 'Marker Buttons'"),
        ("rws", "3.10(xii)", "3.10"),
        ("rws", "3.10", "3"),
        ("south_dakota", "(2)(c)", "(2)"),
        ("win_line", "6.1.3.1.2", "6.1.3.1"),
    ],
)
def test_the_clause_around_a_clause_is_known(book: str, clause: str, parent: str) -> None:
    assert load_clauses(book)[clause].parent == parent


def test_a_clause_is_not_inside_itself_or_a_longer_number() -> None:
    assert not is_sub_clause("1.2", "1.2")
    assert not is_sub_clause("3.10", "3.1")
    assert not is_sub_clause("1.2(a)1.ii", "1.2(a)1.i")
    assert not is_sub_clause("2.1", "3")


def test_a_book_without_a_list_is_an_error() -> None:
    with pytest.raises(BookError, match="riverboat: there is no list of the clauses of this book"):
        load_clauses("riverboat")


def test_a_line_that_belongs_to_no_clause_is_an_error() -> None:
    with pytest.raises(LostLineError, match="stray"):
        win_line("a stray line\n| 6.1 |\nWagers.\n")


def test_a_skipped_number_is_an_error() -> None:
    with pytest.raises(LostLineError, match=r"expected b, got c"):
        new_jersey("19:47-1.1 Dice\n\n(a) One.\n\n(c) Three.\n")


def test_wrapped_lines_belong_to_the_clause_before_them() -> None:
    clauses = new_jersey("19:47-1.1 Dice\n\n(a) One\n\nand two.\n1. Three.\n")
    assert clauses == {"1.1": ["# Dice"], "1.1(a)": ["One", "and two."], "1.1(a)1": ["Three."]}
