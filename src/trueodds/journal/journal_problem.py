"""A problem that a check of the journal found."""

from __future__ import annotations

from typing import NamedTuple


class JournalProblem(NamedTuple):
    """What is wrong, and where. The table or sequence is None if the problem concerns no single one.

    >>> str(JournalProblem("t1", 7, "postings: stored none, expected rack:p1 +5"))
    'table t1, event 7: postings: stored none, expected rack:p1 +5'
    """

    table_id: str | None
    sequence: int | None
    message: str

    def __str__(self) -> str:
        where = "database" if self.table_id is None else f"table {self.table_id}"
        return f"{where}{'' if self.sequence is None else f', event {self.sequence}'}: {self.message}"
