"""The built-in strategies and the books that allow them, read from docs/strategies.md.

tests/strategy/test_builtin_strategies.py compiles each strategy in every book to check the page. Other tests use the
page to save that time.
"""

from __future__ import annotations

import re
from pathlib import Path

from trueodds.rulebook import book_ids, load_book

PAGE = (Path(__file__).parents[2] / "docs" / "strategies.md").read_text("utf-8")
TABLE_ROWS = {
    name: (needs, where) for name, needs, where in re.findall(r"\| `(\w+)` \| .* \| (.*\.) \| (.*) \|\n", PAGE)
}
BOOK_BY_CODE = {load_book(book).code: book for book in book_ids()}


def books_allowing(name: str) -> list[str]:
    """Return the books whose default house allows a strategy."""
    where = TABLE_ROWS[name][1]
    return list(book_ids()) if where == "all five" else [BOOK_BY_CODE[code] for code in where.split(", ")]


ALL_PAIRS = [(book, name) for name in TABLE_ROWS for book in books_allowing(name)]
"""Every strategy in every book that allows it."""

ONE_BOOK_EACH = [
    (books_allowing(name)[index % len(books_allowing(name))], name) for index, name in enumerate(TABLE_ROWS)
]
"""Every strategy in one book that allows it, taking turns between its books."""
