"""The currency of each table, which never changes."""

from __future__ import annotations

from typing import Final

from trueodds.journal import Journal

_REMEMBERED: Final = 10_000


class Currencies:
    """Knows the currencies of tables; asks the database the first time, so it is never done on the event loop."""

    def __init__(self, journal: Journal) -> None:
        self._journal = journal
        self._known: dict[str, str] = {}

    def of(self, table_id: str) -> str:
        """Give the currency of a table."""
        if table_id not in self._known:
            if len(self._known) >= _REMEMBERED:
                self._known.clear()
            self._known[table_id] = self._journal.header(table_id).currency
        return self._known[table_id]
