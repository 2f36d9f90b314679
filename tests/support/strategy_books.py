"""The strategies of the library in the books that let them play, as the page of the library has it.

That the page is right is tested by compiling each in every book; here it saves doing so again.
"""

from __future__ import annotations

import re
from pathlib import Path

from trueodds.rulebook import book_ids, load_book

PAGE = (Path(__file__).parents[2] / "docs" / "strategies.md").read_text("utf-8")
ROWS = {name: (needs, where) for name, needs, where in re.findall(r"\| `(\w+)` \| .* \| (.*\.) \| (.*) \|\n", PAGE)}
CODES = {load_book(book).code: book for book in book_ids()}


def books_of(name: str) -> list[str]:
    """Name the books that let a strategy play."""
    where = ROWS[name][1]
    return list(book_ids()) if where == "all five" else [CODES[code] for code in where.split(", ")]


PAIRS = [(book, name) for name in ROWS for book in books_of(name)]
"""Every strategy in every book."""

ONE_EACH = [(books_of(name)[index % len(books_of(name))], name) for index, name in enumerate(ROWS)]
"""Every strategy in one book, all books in turn."""
