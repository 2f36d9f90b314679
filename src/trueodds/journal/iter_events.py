"""Iterate over all events of a table, in batches."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from trueodds.journal.journal import Journal
from trueodds.journal.stored_event import StoredEvent
from trueodds.journal.table_header import TableHeader

_BATCH_SIZE: Final = 1000


def iter_events(journal: Journal, table_id: str, after: int = 0) -> Iterator[StoredEvent]:
    """Yield the events of a table after a sequence number, in order."""
    while batch := journal.events(table_id, after, _BATCH_SIZE):
        yield from batch
        after = batch[-1].sequence


def select_headers(journal: Journal, table_id: str | None) -> tuple[TableHeader, ...]:
    """Return the header of one table, or of all tables if `table_id` is None."""
    return journal.headers() if table_id is None else (journal.load_state(table_id).header,)
