"""Rows of the journal as clients see them: with sentences, and with the names of whom they are about."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

from pydantic import BaseModel

from trueodds.journal import Content, Record, Row
from trueodds.server.names import Names, put_names
from trueodds.table import Rolled
from trueodds.table.stick import stick_call


class EventView(BaseModel):
    """One thing that happened at a table. `number` counts without gaps; `names` has who is named in `body` by id.

    `call` is what the stick says of a throw.
    """

    number: int
    at_ms: int
    kind: str
    body: dict[str, Any]
    sentences: list[str]
    names: dict[str, str]
    hash: str
    call: str | None = None


def view_rows(rows: Iterable[Row], names: Names) -> list[EventView]:
    """Show rows to a client; looks names up."""
    return [_view(row, names) for row in rows]


def _view(row: Row, names: Names) -> EventView:
    known = names.within(row.body)
    content = row.content()
    said = [put_names(sentence, known) for sentence in _sentences(content)]
    return EventView(
        number=row.sequence, at_ms=row.at_ms, kind=row.kind, body=json.loads(row.body), sentences=said, names=known,
        hash=row.hash, call=stick_call(content) if isinstance(content, Rolled) else None,
    )  # fmt: skip


def _sentences(content: Content) -> list[str]:
    """Say what happened; records of the service say it with their kind and body alone."""
    if isinstance(content, Record):
        return []
    if isinstance(content, Rolled):
        return [content.sentence, *(settled.sentence for settled in content.settled)]
    return [content.sentence]
