"""Generate docs/coverage.md: every clause of each rule text, and where it is in the book."""

from __future__ import annotations

from trueodds.explain.anchor import anchor
from trueodds.explain.clause_coverage import ClauseHome, ClauseRow, clause_coverage
from trueodds.explain.markdown_page import Section, anchored, markdown_page, markdown_table
from trueodds.rulebook import Book, book_ids, load_book

MAX_LINKS = 8
"""How many links a row shows for each kind of home. A few clauses are cited by almost every wager."""


def coverage_page() -> str:
    """Return the page: an overview, then the clauses of each book."""
    books = [load_book(name) for name in book_ids()]
    return markdown_page(*_overview(books), *(block for book in books for block in coverage_of_book(book)))


def coverage_of_book(book: Book) -> tuple[Section, ...]:
    """Return the part of the page about one book."""
    rows = [
        [anchored(clause_anchor(book, row.clause.id), row.clause.id), _links_text(book, row)]
        for row in clause_coverage(book)
    ]
    return (
        f"## {anchored(book_anchor(book), book.title)}",
        f"{book.source}. Every clause of the text, and where it is in [the book](rulebooks/{book.id}.md).",
        markdown_table(["clause", "where"], rows),
    )


def book_anchor(book: Book) -> str:
    """Return the anchor of a book on the page."""
    return anchor("book", book.id)


def clause_anchor(book: Book, clause_id: str) -> str:
    """Return the anchor of a clause on the page.

    >>> clause_anchor(load_book("nj"), "1.2(a)1.i")
    'new-jersey-1-2-a-1-i'
    """
    return anchor(book.id, clause_id)


def _links_text(book: Book, row: ClauseRow) -> str:
    if not row.covered:
        return "MISSING"
    if not row.homes:
        ends = dict.fromkeys((row.sub_clauses[0], row.sub_clauses[-1]))
        return f"{row.clause.kind}: see " + " to ".join(
            f"[{clause}](#{clause_anchor(book, clause)})" for clause in ends
        )
    kinds: dict[str, list[ClauseHome]] = {}
    for home in row.homes:
        kinds.setdefault(home.kind, []).append(home)
    return "; ".join(f"{kind}: {_homes_text(book, homes)}" for kind, homes in kinds.items())


def _homes_text(book: Book, homes: list[ClauseHome]) -> str:
    links = [f"[{home.name}](rulebooks/{book.id}.md#{home.anchor})" for home in homes[:MAX_LINKS]]
    more = f" and {len(homes) - MAX_LINKS} more" if len(homes) > MAX_LINKS else ""
    return ", ".join(links) + more


def _overview(books: list[Book]) -> tuple[Section, ...]:
    rows = []
    for book in books:
        coverage = clause_coverage(book)
        clauses = [row for row in coverage if row.clause.kind == "clause"]
        not_carried_out = [row for row in clauses if {home.kind for home in row.homes} == {"not for software"}]
        rows.append([
            f"[{book.title}](#{book_anchor(book)})", str(len(coverage)), str(len(coverage) - len(clauses)),
            str(len(clauses) - len(not_carried_out)), str(len(not_carried_out)),
        ])  # fmt: skip
    return (
        "# Coverage",
        "This page lists every clause of the five rule texts, with links to the wager, option, procedure, definition "
        "or other part of the book that says what the clause says.",
        markdown_table(["book", "clauses", "titles and intros", "in the book", "not for software"], rows),
        "A clause is covered if a part of the book cites exactly that clause; a citation of a clause around it is not "
        "enough. A section title, and a line that only introduces a list (intro), are also covered when everything "
        "under them is.",
        "The titles of whole documents, tables of contents, page footers, dates of amendments and the statutes that a "
        "text rests on are not clauses. The words of the texts are not part of trueodds: "
        "`src/trueodds/rulebook/clauses` holds the id of each clause and a hash of its words, made by "
        "`tests/support/rule_texts.py`.",
    )
