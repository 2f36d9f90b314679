"""Rows of the journal as clients see them: with sentences, and with the names of whom they are about."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from threading import Lock
from typing import Any, Final, NamedTuple

from pydantic import BaseModel

from trueodds.journal import Content, Record, Row
from trueodds.rulebook import say
from trueodds.server.currency import Currencies
from trueodds.server.names import Names, ids_within, put_names
from trueodds.server.wire import Frame
from trueodds.service.sentence import say_record
from trueodds.table import Called, Changed, DiceMoved, Made, Mark, NoRoll, Rolled, SurveillanceTold
from trueodds.table.stick import stick_call

_REMEMBERED: Final = 2048


class EventView(BaseModel):
    """One thing that happened at a table. `number` counts without gaps; `names` has who is named in `body` by id.

    `clauses` has the end of each sentence that says where it is written, or nothing. `call` is what the stick says of
    a throw, and `mark` what became of the puck; `new_hand` says that the next throw begins a hand.
    """

    number: int
    at_ms: int
    kind: str
    body: dict[str, Any]
    sentences: list[str]
    clauses: list[str]
    names: dict[str, str]
    hash: str
    call: str | None
    mark: Mark | None
    new_hand: bool


def view_rows(rows: Iterable[Row], names: Names, currencies: Currencies) -> list[EventView]:
    """Show rows to a client; looks names up."""
    return [view_row(row, names.within(row.body), currencies.of(row.table_id)) for row in rows]


class _Written(NamedTuple):
    """A row as it was written, with names that were known at `edition` and hold until a time."""

    frame: Frame
    edition: int
    until_ms: int


class Frames:
    """Rows as frames of a socket. A row is written once, however many are told of it, while names hold."""

    def __init__(self, names: Names, currencies: Currencies, clock: Callable[[], int]) -> None:
        self._names = names
        self._currencies = currencies
        self._clock = clock
        self._lock = Lock()
        self._written: dict[str, _Written] = {}
        self._joined: tuple[tuple[Row, ...], int, bytes] = ((), 0, b"")

    def known(self, rows: Iterable[Row]) -> list[Frame] | None:
        """Write rows without asking the database for anything; None when somebody has to be looked up."""
        frames = []
        now_ms, edition = self._clock(), self._names.edition
        for row in rows:
            written = self._written.get(row.hash)
            if written is not None and written.edition == edition and now_ms < written.until_ms:
                frames.append(written.frame)
                continue
            ids = ids_within(row.body)
            names = self._names.recall(ids)
            if names is None:
                return None
            frames.append(self._write(row, ids, names, edition))
        return frames

    def joined(self, rows: tuple[Row, ...]) -> bytes | None:
        """Write rows in one piece, once for all who are told of them together; None as for `known`."""
        told, edition, octets = self._joined
        now = self._names.edition
        if told is not rows or edition != now:
            frames = self.known(rows)
            if frames is None:
                return None
            octets = b"".join([frame.octets for frame in frames])
            self._joined = rows, now, octets
        return octets

    def write(self, rows: Iterable[Row]) -> list[Frame]:
        """Write rows; looks names up."""
        edition = self._names.edition
        named = [(row, ids_within(row.body)) for row in rows]
        return [self._write(row, ids, self._names.of(ids), edition) for row, ids in named]

    def _write(self, row: Row, ids: tuple[str, ...], names: dict[str, str], edition: int) -> Frame:
        frame = Frame.of(f'{{"event":{write_view(row, names, self._currencies.of(row.table_id))}}}')
        with self._lock:
            if len(self._written) >= _REMEMBERED:
                del self._written[next(iter(self._written))]
            self._written[row.hash] = _Written(frame, edition, self._names.until_ms(ids))
        return frame


def view_row(row: Row, known: dict[str, str], currency: str) -> EventView:
    """Show a row with the names that are known."""
    content = row.content()
    said = [put_names(sentence, known) for sentence in _sentences(content, currency)]
    body = json.loads(row.body)
    if row.kind == "opened":
        # Nobody may know the seeds of others before the throw, to decide whether to open their own; the proof has them.
        body["seed"] = None
    return EventView(
        number=row.sequence, at_ms=row.at_ms, kind=row.kind, body=body, sentences=said, clauses=_clauses(content),
        names=known, hash=row.hash, **_throw(content),
    )  # fmt: skip


def write_view(row: Row, known: dict[str, str], currency: str) -> str:
    """Write what `view_row` shows as JSON; the body of most rows is JSON already."""
    if row.kind == "opened":
        return view_row(row, known, currency).model_dump_json()
    content = row.content()
    said = [put_names(sentence, known) for sentence in _sentences(content, currency)]
    thrown = _encode(_throw(content))[1:]
    return (
        f'{{"number":{row.sequence},"at_ms":{row.at_ms},"kind":"{row.kind}","body":{row.body},'
        f'"sentences":{_encode(said)},"clauses":{_encode(_clauses(content))},"names":{_encode(known)},'
        f'"hash":"{row.hash}",{thrown}'
    )


_encode = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode


def _throw(content: Content) -> dict[str, Any]:
    """Say what a throw is called, what became of the puck, and whether a hand is over."""
    if isinstance(content, Rolled):
        return {"call": stick_call(content), "mark": content.mark, "new_hand": content.new_hand}
    return {"call": None, "mark": None, "new_hand": isinstance(content, DiceMoved) and content.new_hand}


def _clauses(content: Content) -> list[str]:
    """Say which clauses each sentence ends with."""
    match content:
        case Rolled():
            return ["", *(say(settled.ruling.cite) for settled in content.settled)]
        case Made() | Changed() | Called() | NoRoll() | DiceMoved() | SurveillanceTold():
            return [say(content.cite)]
        case _:
            return [""]


def _sentences(content: Content, currency: str) -> list[str]:
    """Say what happened."""
    if isinstance(content, Record):
        return [say_record(content, currency)]
    if isinstance(content, Rolled):
        return [content.sentence, *(settled.sentence for settled in content.settled)]
    return [content.sentence]
