"""Every clause of the five rule texts has a home in its book, and every citation is a clause."""

from __future__ import annotations

import pytest

from support.houses import BOOKS
from trueodds.explain.clause_coverage import cited_clauses, clause_coverage, clause_homes, missing_clauses
from trueodds.rulebook import is_silence, load_book
from trueodds.rulebook.clause_list import load_clauses


@pytest.mark.parametrize("name", BOOKS)
def test_every_clause_has_a_home(name: str) -> None:
    missing = missing_clauses(load_book(name))
    assert not missing, f"{len(missing)} clauses of {name} have no home: {', '.join(missing)}"
    assert all(row.covered for row in clause_coverage(load_book(name)))


@pytest.mark.parametrize("name", BOOKS)
def test_every_citation_is_a_clause_or_a_silence(name: str) -> None:
    """Adopted rules cite the clauses of the book that they come from."""
    book = load_book(name)
    for home in clause_homes(book):
        for reference in home.cite:
            known = [
                clause_id in load_clauses(other)
                for other in BOOKS
                for clause_id in cited_clauses(load_book(other), (reference,))
            ]
            assert is_silence(reference) or any(known), f"{home.kind} {home.name} cites {reference}"
