"""Where each clause of a rule text is: in a wager, an option, a procedure, or among the clauses not for software."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Final, NamedTuple

from trueodds.explain.anchor import anchor
from trueodds.rulebook import Book, Citation, WagerDefinition, is_silence
from trueodds.rulebook.clause_list import Clause, load_clauses
from trueodds.rulebook.wager_definition import REQUIRED_FACETS

PAPER_TOPICS: Final = ("notices", "documents", "records")
"""Topics of procedures that are about papers and notices."""


class ClauseHome(NamedTuple):
    """A part of a book that cites clauses. `anchor` is its place on the page of the book."""

    kind: str
    name: str
    anchor: str
    cite: Citation


class ClauseRow(NamedTuple):
    """A clause of a text, and where it is. `sub_clauses` are the ids directly inside it."""

    clause: Clause
    homes: tuple[ClauseHome, ...]
    sub_clauses: tuple[str, ...]
    covered: bool


def clause_coverage(book: Book) -> tuple[ClauseRow, ...]:
    """Return a row for each clause of a book's text, in the order of the text.

    This is the rule of coverage:

    1. A clause is covered by a citation of exactly that clause, anywhere in the book. A citation of the clause around
       it, or of one inside it, is not enough.
    2. A section and an intro, which say nothing themselves, are also covered when all their sub-clauses are.
    """
    clauses = load_clauses(book.id)
    homes: dict[str, list[ClauseHome]] = {clause_id: [] for clause_id in clauses}
    for home in clause_homes(book):
        for clause_id in dict.fromkeys(cited_clauses(book, home.cite)):
            if clause_id in clauses:
                homes[clause_id].append(home)
    sub_clauses: dict[str, list[str]] = {clause_id: [] for clause_id in clauses}
    for clause in clauses.values():
        if clause.parent:
            sub_clauses[clause.parent].append(clause.id)
    covered_ids: set[str] = set()
    for clause in reversed(list(clauses.values())):
        below = sub_clauses[clause.id]
        only_title = clause.kind != "clause" and below
        if homes[clause.id] or (only_title and covered_ids.issuperset(below)):
            covered_ids.add(clause.id)
    return tuple(
        ClauseRow(clause, tuple(homes[clause.id]), tuple(sub_clauses[clause.id]), clause.id in covered_ids)
        for clause in clauses.values()
    )


def missing_clauses(book: Book) -> tuple[str, ...]:
    """Return the clauses that no part of a book covers. Sections and intros are left out: they follow the others."""
    return tuple(row.clause.id for row in clause_coverage(book) if not row.covered and row.clause.kind == "clause")


def cited_clauses(book: Book, cite: Citation) -> Iterator[str]:
    """Yield the ids of a book's own clauses in a citation. Silences and clauses of adopted books are left out."""
    prefix, suffix = book.clause.split("{}")
    for reference in cite:
        if not is_silence(reference) and reference.startswith(prefix) and reference.endswith(suffix):
            yield reference[len(prefix) : len(reference) - len(suffix)]


def clause_homes(book: Book) -> Iterator[ClauseHome]:
    """Yield every part of a book that cites something."""
    for kind, wager in book.wagers.items():
        yield ClauseHome("wager", wager.title, anchor("wager", kind), _wager_cite(book, wager))
    yield from _written_homes(book)
    for name, option in book.options.items():
        cites = [option.cite, *(bound.cite for bound in option.bounds), *option.allows.values()]
        yield ClauseHome("option", name, anchor("option", name), _merged(cites))
    for key, row in book.pay_table.items():
        yield ClauseHome("payout", key, anchor("payout", key), _merged([row.cite, row.constraint_cite]))
    for name, cite in book.game_cites.items():
        yield ClauseHome("table", name, anchor("table", name), cite)
    for game in book.games.values():
        for name, cite in game.cites.items():
            title = f"{game.name}: {name}".replace("_", " ")
            yield ClauseHome("table", title, anchor("table", game.name, name), cite)
    for name, rule in book.custody.stated().items():
        yield ClauseHome("dice", name.replace("_", " "), anchor("dice", name), rule.cite)
    for code, throw in book.irregular_throws.items():
        yield ClauseHome("throw", code.replace("_", " "), anchor("throw", code), throw.cite)
    for name, tender in book.tenders.items():
        yield ClauseHome("tender", name.replace("_", " "), anchor("tender", name), tender.cite)
    for code, cite in book.refusal_cites.items():
        yield ClauseHome("refusal", code.replace("_", " "), anchor("refusal", code), cite)


def _written_homes(book: Book) -> Iterator[ClauseHome]:
    for procedure in book.procedures:
        kind = "paper or notice" if procedure.topic in PAPER_TOPICS else "procedure"
        yield ClauseHome(kind, procedure.title, anchor("procedure", procedure.id), procedure.cite)
    for definition in book.definitions:
        yield ClauseHome("definition", definition.term, anchor("definition", definition.term), definition.cite)
    for row in book.not_for_software:
        yield ClauseHome("not for software", row.about, anchor("not-for-software", row.about), row.cite)


def _wager_cite(book: Book, wager: WagerDefinition) -> Citation:
    """Return everything that a wager cites, without common citations that none of its own terms needs."""
    raw = book.raw["wager"]
    table = raw[wager.kind] if isinstance(raw, Mapping) else {}
    used = {facet for key in wager.terms for facet in REQUIRED_FACETS[key]} | set(table["cite"])
    cites: list[Citation] = []
    for facet in wager.cites:
        found = wager.cites[facet]
        if facet in used:
            cites += [found] if isinstance(found, tuple) else list(found.values())
    return _merged(cites)


def _merged(cites: Iterable[Citation]) -> Citation:
    return tuple(dict.fromkeys(reference for cite in cites for reference in cite))
