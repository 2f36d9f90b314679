"""A row of a table's log, chained to the row before it."""

from __future__ import annotations

from typing import NamedTuple

from trueodds.journal.codec import EVENT_KINDS, kind_of, read_event, write_event
from trueodds.journal.encoding import digest
from trueodds.journal.record import Record, read_record
from trueodds.table import Event

Content = Event | Record
"""What a row can say: an engine event, or a record of the service."""


class Row(NamedTuple):
    """One thing that happened at a table. Rows are numbered from 1; `body` is canonical JSON."""

    table_id: str
    sequence: int
    at_ms: int
    kind: str
    body: str
    hash: str

    def content(self) -> Content:
        """Read what the row says."""
        return read_content(self.kind, self.body)

    @property
    def is_event(self) -> bool:
        """Whether the row is an engine event."""
        return self.kind in EVENT_KINDS


class NewRow(Row):
    """A row that was just written: what it says is known and need not be read."""

    _content: Content

    @classmethod
    def of(cls, content: Content, row: Row) -> NewRow:
        """Keep what a row says with it."""
        new = cls(*row)
        new._content = content
        return new

    def content(self) -> Content:
        """Give what the row says."""
        return self._content


def read_content(kind: str, body: str) -> Content:
    """Read the body of a row of a kind."""
    return read_event(kind, body) if kind in EVENT_KINDS else read_record(kind, body)


def write_content(content: Content) -> tuple[str, str]:
    """Write the kind and the body of a row."""
    if isinstance(content, Record):
        return content.kind, content.text()
    return kind_of(content), write_event(content)


def row_hash(previous: str, table_id: str, sequence: int, at_ms: int, kind: str, body: str) -> str:
    """Chain a row to the one before it; the first is chained to the digest of the header."""
    return digest("row", previous, table_id, sequence, at_ms, kind, body)
