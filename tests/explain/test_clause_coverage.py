"""Every clause of the five rule texts has a home in its book, and every citation is a clause."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import Any

import pytest

from support.houses import BOOKS
from trueodds.explain import clause_coverage as clause_coverage_module
from trueodds.explain.clause_coverage import cited_clauses, clause_coverage, clause_homes, missing_clauses
from trueodds.explain.coverage_markdown import clause_anchor, coverage_of_book, coverage_page
from trueodds.explain.markdown_page import markdown_page
from trueodds.rulebook import is_silence, load_book, parse_book
from trueodds.rulebook.clause_list import Clause, load_clauses

RIVERBOAT = Path(__file__).parents[1] / "sixth_book" / "riverboat.toml"


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


@pytest.mark.parametrize("name", BOOKS)
def test_every_clause_has_one_row_with_a_link_on_the_coverage_page(name: str) -> None:
    book = load_book(name)
    page = markdown_page(*coverage_of_book(book)).partition("\n\n")[2]
    assert page in coverage_page()
    rows = re.findall(r'^\| <a id="([^"]+)"></a>(.+?) \| (.+) \|$', page, re.MULTILINE)
    assert [clause for _, clause, _ in rows] == list(load_clauses(name))
    assert [link for link, _, _ in rows] == [clause_anchor(book, clause) for clause in load_clauses(name)]
    for _, clause, where in rows:
        assert re.search(r"\[[^]]+\]\([^)]*#[^)]+\)", where), clause


BOAT_CLAUSES = {
    "1": Clause("1", "section", "", ""),
    "1(a)": Clause("1(a)", "intro", "", "1"),
    "1(a)(i)": Clause("1(a)(i)", "clause", "", "1(a)"),
    "1(a)(ii)": Clause("1(a)(ii)", "clause", "", "1(a)"),
    "2": Clause("2", "clause", "", ""),
    "2(a)": Clause("2(a)", "clause", "", "2"),
}


@pytest.mark.parametrize(
    ("section", "cite", "covered"),
    [
        ("procedure", [], set()),
        ("procedure", ["1"], {"1"}),
        ("procedure", ["1(a)"], {"1", "1(a)"}),
        ("procedure", ["1(a)(i)"], {"1(a)(i)"}),
        ("procedure", ["1(a)(i)", "1(a)(ii)"], {"1", "1(a)", "1(a)(i)", "1(a)(ii)"}),
        ("procedure", ["2(a)"], {"2(a)"}),
        ("procedure", ["2"], {"2"}),
        ("not_for_software", ["2", "2(a)"], {"2", "2(a)"}),
        ("definition", ["2"], {"2"}),
    ],
)
def test_the_rule_of_coverage(
    section: str, cite: list[str], covered: set[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Only exact citations cover a clause; titles and intros also follow their sub-clauses."""
    rows: dict[str, dict[str, Any]] = {
        "procedure": {"id": "p", "topic": "dice", "title": "P", "steps": ["Roll."]},
        "definition": {"term": "D", "meaning": "M"},
        "not_for_software": {"about": "A", "reason": "R"},
    }
    boat = tomllib.loads(RIVERBOAT.read_text("utf-8"))
    for name in rows:
        boat[name] = []
    if cite:
        boat[section] = [rows[section] | {"cite": cite}]
    monkeypatch.setattr(clause_coverage_module, "load_clauses", lambda _: BOAT_CLAUSES)
    monkeypatch.setattr(clause_coverage_module, "clause_homes", clause_coverage_module._written_homes)
    assert {row.clause.id for row in clause_coverage(parse_book(boat, load_book)) if row.covered} == covered
