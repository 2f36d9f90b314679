"""Generate the pages under docs/coverage: every clause of each rule text, and where it is in the book."""

from __future__ import annotations

from trueodds.explain.anchor import anchor
from trueodds.explain.clause_coverage import ClauseHome, ClauseRow, clause_coverage
from trueodds.explain.markdown_page import anchored, markdown_page, markdown_table
from trueodds.rulebook import Book, book_ids, load_book

MAX_LINKS = 8
"""How many links a row shows for each kind of home. A few clauses are cited by almost every wager."""


def coverage_pages() -> dict[str, str]:
    """Return every page by its file name: one for each book, and an index."""
    books = [load_book(name) for name in book_ids()]
    pages = {f"{book.id}.md": _coverage_page(book) for book in books}
    pages["README.md"] = _index_page(books)
    return pages


def _coverage_page(book: Book) -> str:
    rows = [
        [anchored(clause_anchor(row.clause.id), row.clause.id), _links_text(book, row)] for row in clause_coverage(book)
    ]
    return markdown_page(
        f"# Coverage of {book.title}",
        f"{book.source}. Every clause of the text, and where it is in [the book](../rulebooks/{book.id}.md). "
        "The [index](README.md) says when a clause counts as covered.",
        markdown_table(["clause", "where"], rows),
    )


def clause_anchor(clause_id: str) -> str:
    """Return the anchor of a clause on its coverage page.

    >>> clause_anchor("1.2(a)1.i")
    'clause-1-2-a-1-i'
    """
    return anchor("clause", clause_id)


def _links_text(book: Book, row: ClauseRow) -> str:
    if not row.covered:
        return "MISSING"
    if not row.homes:
        ends = dict.fromkeys((row.sub_clauses[0], row.sub_clauses[-1]))
        return f"{row.clause.kind}: see " + " to ".join(f"[{clause}](#{clause_anchor(clause)})" for clause in ends)
    kinds: dict[str, list[ClauseHome]] = {}
    for home in row.homes:
        kinds.setdefault(home.kind, []).append(home)
    return "; ".join(f"{kind}: {_homes_text(book, homes)}" for kind, homes in kinds.items())


def _homes_text(book: Book, homes: list[ClauseHome]) -> str:
    links = [f"[{home.name}](../rulebooks/{book.id}.md#{home.anchor})" for home in homes[:MAX_LINKS]]
    more = f" and {len(homes) - MAX_LINKS} more" if len(homes) > MAX_LINKS else ""
    return ", ".join(links) + more


def _index_page(books: list[Book]) -> str:
    rows = []
    for book in books:
        coverage = clause_coverage(book)
        clauses = [row for row in coverage if row.clause.kind == "clause"]
        not_carried_out = [row for row in clauses if {home.kind for home in row.homes} == {"not for software"}]
        rows.append([
            f"[{book.title}]({book.id}.md)", str(len(coverage)), str(len(coverage) - len(clauses)),
            str(len(clauses) - len(not_carried_out)), str(len(not_carried_out)),
        ])  # fmt: skip
    return markdown_page(
        "# Coverage",
        "Each page lists every clause of a rule text, with links to the wager, option, procedure, definition or other "
        "part of the book that says what the clause says.",
        markdown_table(["book", "clauses", "titles and intros", "in the book", "not for software"], rows),
        "A clause is covered if a part of the book cites exactly that clause; a citation of a clause around it is not "
        "enough. A section title, and a line that only introduces a list (intro), are also covered when everything "
        "under them is.",
        "The titles of whole documents, tables of contents, page footers, dates of amendments and the statutes that a "
        "text rests on are not clauses. The words of the texts are not part of trueodds: "
        "`src/trueodds/rulebook/clauses` holds the id of each clause and a hash of its words, made by "
        "`tests/support/rule_texts.py`.",
    )
