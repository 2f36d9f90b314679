"""The currency of each table, which never changes."""

from __future__ import annotations

from typing import Final

from trueodds.journal import Journal

_MAX_CACHED: Final = 10_000


class TableCurrencies:
    """Caches the currencies of tables. The first lookup queries the database: never call it on the event loop."""

    def __init__(self, journal: Journal) -> None:
        self._journal = journal
        self._cache: dict[str, str] = {}

    def get(self, table_id: str) -> str:
        """Return the currency of a table."""
        if table_id not in self._cache:
            if len(self._cache) >= _MAX_CACHED:
                self._cache.clear()
            self._cache[table_id] = self._journal.header(table_id).currency
        return self._cache[table_id]
