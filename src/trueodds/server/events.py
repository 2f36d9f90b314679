"""Rows of the journal as clients see them: with sentences, and with the names of whom they are about."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

from pydantic import BaseModel

from trueodds.journal import Record, Row
from trueodds.server.currency import Currencies
from trueodds.server.names import Names, put_names
from trueodds.service.sentence import say_record
from trueodds.table import Rolled


class EventView(BaseModel):
    """One thing that happened at a table. `number` counts without gaps; `names` has who is named in `body` by id."""

    number: int
    at_ms: int
    kind: str
    body: dict[str, Any]
    sentences: list[str]
    names: dict[str, str]
    hash: str


def view_rows(rows: Iterable[Row], names: Names, currencies: Currencies) -> list[EventView]:
    """Show rows to a client; looks names up."""
    return [_view(row, names, currencies.of(row.table_id)) for row in rows]


def _view(row: Row, names: Names, currency: str) -> EventView:
    known = names.within(row.body)
    said = [put_names(sentence, known) for sentence in _sentences(row, currency)]
    return EventView(
        number=row.sequence, at_ms=row.at_ms, kind=row.kind, body=json.loads(row.body), sentences=said, names=known,
        hash=row.hash,
    )  # fmt: skip


def _sentences(row: Row, currency: str) -> list[str]:
    """Say what happened."""
    content = row.content()
    if isinstance(content, Record):
        return [say_record(content, currency)]
    if isinstance(content, Rolled):
        return [content.sentence, *(settled.sentence for settled in content.settled)]
    return [content.sentence]
