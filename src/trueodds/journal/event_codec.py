"""Engine events and positions as text, exactly and in one way, and the digest of their shape."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable
from functools import cache
from typing import Any, Final, get_args

from trueodds.journal.coder import coder_of
from trueodds.journal.encoding import encode_json, read_json
from trueodds.journal.errors import CodecError
from trueodds.table import Entry, Event, Position, Seat


def _kind(event: type) -> str:
    return re.sub(r"(?<!^)(?=[A-Z])", "_", event.__name__).lower()


EVENT_KINDS: Final[dict[str, Any]] = {_kind(event): event for event in get_args(Event)}
"""The kinds of rows that are engine events: made, changed, called, rolled, no_roll and so on."""

_KIND_OF: Final = {event: kind for kind, event in EVENT_KINDS.items()}


def kind_of(event: Event) -> str:
    """Name the kind of an event.

    >>> from trueodds.table import Seated
    >>> kind_of(Seated("Ann", True))
    'seated'
    """
    kind = _KIND_OF.get(type(event))
    if kind is None:
        raise CodecError(f"{event!r} is no event")
    return kind


def write_event(event: Event) -> str:
    """Write an event; the inverse of `read_event`.

    >>> from trueodds.table import Seated
    >>> write_event(Seated("Ann", True))
    '{"player":"Ann","seated":true}'
    """
    coder = coder_of(EVENT_KINDS[kind_of(event)])
    return encode_json(coder.write(event))


def read_event(kind: str, text: str) -> Event:
    """Read an event; what is not written as `write_event` writes it is refused."""
    if kind not in EVENT_KINDS:
        raise CodecError(f"no event is called {kind!r}")
    event: Event = _read(EVENT_KINDS[kind], text)
    return event


def write_position(position: Position) -> str:
    """Write a position; the inverse of `read_position`."""
    seats = [_write_seat(seat) for seat in position.seats]
    return _write_with(coder_of(Position).write(position._replace(seats=())), "seats", seats)


def _write_seat(seat: Seat) -> str:
    def write() -> str:
        entries = [_write_entry(entry) for entry in seat.entries]
        return _write_with(coder_of(Seat).write(seat._replace(entries=())), "entries", entries)

    return _once(seat, write)


def _write_entry(entry: Entry) -> str:
    return _once(entry, lambda: encode_json(coder_of(Entry).write(entry)))


def _write_with(fields: dict[str, Any], name: str, texts: list[str]) -> str:
    """Write the fields of a record, and one more that is a row of items which are written already."""
    if not texts:
        return encode_json(fields)
    # An empty row holds the place. Only a key has a colon after its quotes, so no text can be taken for it.
    place = f'"{name}":['
    return encode_json({**fields, name: []}).replace(place, place + ",".join(texts), 1)


def _once(value: Seat | Entry, write: Callable[[], str]) -> str:
    """Write what is up once: of all seats and wagers of a table, a row changes one or two."""
    known = _WRITTEN.get(id(value))
    if known is None or known[0] is not value:
        if len(_WRITTEN) >= _REMEMBERED:
            _WRITTEN.clear()
        known = _WRITTEN[id(value)] = value, write()
    return known[1]


_REMEMBERED: Final = 16_384
_WRITTEN: Final[dict[int, tuple[Seat | Entry, str]]] = {}
"""Seats and wagers as they are written, by identity: they are kept here, so that nothing else can have their id."""


def read_position(text: str) -> Position:
    """Read a position."""
    position: Position = _read(Position, text)
    return position


def _read(kind: type, text: str) -> Any:
    coder = coder_of(kind)
    value = coder.read(read_json(text))
    if encode_json(coder.write(value)) != text:
        raise CodecError(f"{kind.__name__} is not written in the one way")
    return value


@cache
def schema_digest() -> str:
    """Digest of the shape of every event and of a position: it changes when any field of any type does."""
    shapes = {kind: coder_of(event).shape for kind, event in EVENT_KINDS.items()}
    shapes["position"] = coder_of(Position).shape
    return hashlib.sha256(encode_json(shapes).encode()).hexdigest()
