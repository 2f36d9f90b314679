"""Rows of the journal as clients see them: with sentences, and with the names of whom they are about."""

from __future__ import annotations

import json
from collections.abc import Iterable
from threading import Lock
from typing import Any, Final, NamedTuple

from pydantic import BaseModel

from trueodds.journal import Record, Row
from trueodds.server.names import Names, ids_within, put_names
from trueodds.table import Rolled

_REMEMBERED: Final = 2048


class EventView(BaseModel):
    """One thing that happened at a table. `number` counts without gaps; `names` has who is named in `body` by id."""

    number: int
    at_ms: int
    kind: str
    body: dict[str, Any]
    sentences: list[str]
    names: dict[str, str]
    hash: str


def view_rows(rows: Iterable[Row], names: Names) -> list[EventView]:
    """Show rows to a client; looks names up."""
    return [_view(row, names.within(row.body)) for row in rows]


class _Written(NamedTuple):
    """A row as it was written, who stands in it, and what they were called."""

    text: str
    ids: tuple[str, ...]
    names: dict[str, str]


class Frames:
    """Rows as frames of a socket. A row is written once, however many are told of it, until somebody in it is renamed."""

    def __init__(self, names: Names) -> None:
        self._names = names
        self._lock = Lock()
        self._written: dict[str, _Written] = {}

    def known(self, rows: Iterable[Row]) -> list[str] | None:
        """Write rows without asking the database for anything; None when somebody has to be looked up."""
        texts = [self._known(row) for row in rows]
        return None if None in texts else [text for text in texts if text is not None]

    def write(self, rows: Iterable[Row]) -> list[str]:
        """Write rows; looks names up."""
        return [self._write(row, self._names.within(row.body)) for row in rows]

    def _known(self, row: Row) -> str | None:
        written = self._written.get(row.hash)
        names = self._names.recall(ids_within(row.body) if written is None else written.ids)
        if names is None:
            return None
        if written is not None and written.names == names:
            return written.text
        return self._write(row, names)

    def _write(self, row: Row, names: dict[str, str]) -> str:
        text = f'{{"event":{_view(row, names).model_dump_json()}}}'
        with self._lock:
            if len(self._written) >= _REMEMBERED:
                del self._written[next(iter(self._written))]
            self._written[row.hash] = _Written(text, ids_within(row.body), names)
        return text


def _view(row: Row, known: dict[str, str]) -> EventView:
    said = [put_names(sentence, known) for sentence in _sentences(row)]
    return EventView(
        number=row.sequence, at_ms=row.at_ms, kind=row.kind, body=json.loads(row.body), sentences=said, names=known,
        hash=row.hash,
    )  # fmt: skip


def _sentences(row: Row) -> list[str]:
    """Say what happened; records of the service say it with their kind and body alone."""
    content = row.content()
    if isinstance(content, Record):
        return []
    if isinstance(content, Rolled):
        return [content.sentence, *(settled.sentence for settled in content.settled)]
    return [content.sentence]
