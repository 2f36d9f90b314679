"""A finding: something in a journal that is not as it was written."""

from __future__ import annotations

from typing import NamedTuple


class Finding(NamedTuple):
    """What is wrong, at which table and row; None where it is at no table or at no single row.

    >>> str(Finding("t1", 7, "postings: none stand where the row says rack:p1 +5"))
    'table t1, row 7: postings: none stand where the row says rack:p1 +5'
    """

    table_id: str | None
    sequence: int | None
    what: str

    def __str__(self) -> str:
        where = "database" if self.table_id is None else f"table {self.table_id}"
        return f"{where}{'' if self.sequence is None else f', row {self.sequence}'}: {self.what}"
