"""Engine events and positions as canonical JSON, and the digest of their schema."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from functools import cache
from typing import Final, TypeVar

from trueodds.journal.canonical_json import Json, decode_canonical, encode_canonical_unchecked
from trueodds.journal.errors import CodecError
from trueodds.journal.json_codec import codec_for
from trueodds.table import (
    BetMade,
    BetResized,
    BetToggled,
    CustodyChanged,
    Event,
    NoRoll,
    PlayerJoined,
    PlayerLeft,
    Position,
    ProcedurePerformed,
    Rolled,
    Seat,
    SeatingChanged,
    SurveillanceNotified,
    TaggedWager,
)

T = TypeVar("T")

ENGINE_EVENT_KINDS: Final[dict[str, type[Event]]] = {
    "bet_made": BetMade,
    "bet_resized": BetResized,
    "bet_toggled": BetToggled,
    "rolled": Rolled,
    "no_roll": NoRoll,
    "seating_changed": SeatingChanged,
    "custody_changed": CustodyChanged,
    "surveillance_notified": SurveillanceNotified,
    "procedure_performed": ProcedurePerformed,
    "player_joined": PlayerJoined,
    "player_left": PlayerLeft,
}
"""The kind under which each engine event is stored. Kinds are frozen; classes may be renamed."""

_KIND_OF: Final = {event: kind for kind, event in ENGINE_EVENT_KINDS.items()}


def engine_event_kind(event: Event) -> str:
    """Return the kind of an engine event.

    >>> from trueodds.table import SeatingChanged
    >>> engine_event_kind(SeatingChanged("Ann", True))
    'seating_changed'
    """
    kind = _KIND_OF.get(type(event))
    if kind is None:
        raise CodecError(f"expected an engine event, got {event!r}")
    return kind


def encode_engine_event(event: Event) -> str:
    """Return the body of an engine event; the inverse of `decode_engine_event`.

    >>> from trueodds.table import SeatingChanged
    >>> encode_engine_event(SeatingChanged("Ann", True))
    '{"player":"Ann","seated":true}'
    """
    codec = codec_for(ENGINE_EVENT_KINDS[engine_event_kind(event)])
    return encode_canonical_unchecked(codec.encode(event))


def decode_engine_event(kind: str, text: str) -> Event:
    """Return the engine event of a kind and a body. Raise `CodecError` unless the body is canonical."""
    if kind not in ENGINE_EVENT_KINDS:
        raise CodecError(f"unknown engine event kind {kind!r}")
    return _decode(ENGINE_EVENT_KINDS[kind], text)


def encode_position(position: Position) -> str:
    """Return a position as JSON; the inverse of `decode_position`."""
    seats = [_encode_seat(seat) for seat in position.seats]
    return _encode_with_items(codec_for(Position).encode(position._replace(seats=())), "seats", seats)


def _encode_seat(seat: Seat) -> str:
    def encode() -> str:
        wagers = [_encode_wager(wager) for wager in seat.wagers]
        return _encode_with_items(codec_for(Seat).encode(seat._replace(wagers=())), "wagers", wagers)

    return _cached(seat, encode)


def _encode_wager(wager: TaggedWager) -> str:
    return _cached(wager, lambda: encode_canonical_unchecked(codec_for(TaggedWager).encode(wager)))


def _encode_with_items(fields: dict[str, Json], name: str, items: list[str]) -> str:
    """Encode a record with one more field, a list whose items are already encoded."""
    if not items:
        return encode_canonical_unchecked(fields)
    # An empty list marks where the items go. Only a key is followed by a colon, so no text value can match.
    marker = f'"{name}":['
    return encode_canonical_unchecked({**fields, name: []}).replace(marker, marker + ",".join(items), 1)


def _cached(value: Seat | TaggedWager, encode: Callable[[], str]) -> str:
    """Encode a seat or wager once: an event changes only one or two of those at a table."""
    known = _CACHE.get(id(value))
    if known is None or known[0] is not value:
        if len(_CACHE) >= _MAX_CACHED:
            _CACHE.clear()
        known = _CACHE[id(value)] = value, encode()
    return known[1]


_MAX_CACHED: Final = 16_384
_CACHE: Final[dict[int, tuple[Seat | TaggedWager, str]]] = {}
"""Encoded seats and wagers by identity. Holding the object keeps its id from being reused."""


def decode_position(text: str) -> Position:
    """Return the position that `encode_position` wrote. Raise `CodecError` unless the text is canonical."""
    return _decode(Position, text)


def _decode(kind: type[T], text: str) -> T:
    codec = codec_for(kind)
    value: T = codec.decode(decode_canonical(text))
    if encode_canonical_unchecked(codec.encode(value)) != text:
        raise CodecError(f"not the canonical form of {kind.__name__}: {text[:60]}")
    return value


@cache
def schema_digest() -> str:
    """Return the digest of the schema of every event and of a position; it changes when any field does."""
    schemas = {kind: codec_for(event).schema for kind, event in ENGINE_EVENT_KINDS.items()}
    schemas["position"] = codec_for(Position).schema
    return hashlib.sha256(encode_canonical_unchecked(schemas).encode()).hexdigest()
