"""Walking through all rows of a table, a few at a time."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from trueodds.journal.header import Header
from trueodds.journal.journal import Journal
from trueodds.journal.row import Row

_AT_A_TIME: Final = 1000


def walk(journal: Journal, table_id: str, after: int = 0) -> Iterator[Row]:
    """Give every row of a table that follows a number, in order."""
    while some := journal.rows(table_id, after, _AT_A_TIME):
        yield from some
        after = some[-1].sequence


def chosen(journal: Journal, table_id: str | None) -> tuple[Header, ...]:
    """Give the header of one table, or of all."""
    return journal.tables() if table_id is None else (journal.load(table_id).header,)
