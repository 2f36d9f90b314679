"""An event as it is stored: numbered, timed and chained to the event before it."""

from __future__ import annotations

from typing import NamedTuple

from trueodds.journal.canonical_json import hash_fields
from trueodds.journal.event_codec import (
    ENGINE_EVENT_KINDS,
    decode_engine_event,
    encode_engine_event,
    engine_event_kind,
)
from trueodds.journal.service_event import ServiceEvent, decode_service_event
from trueodds.table import Event

AnyEvent = Event | ServiceEvent
"""An engine event or a service event."""


class StoredEvent(NamedTuple):
    """One event of a table. Events are numbered from 1; `body` is canonical JSON."""

    table_id: str
    sequence: int
    at_ms: int
    kind: str
    body: str
    hash: str

    def decode(self) -> AnyEvent:
        """Return the event."""
        return decode_event(self.kind, self.body)

    @property
    def is_engine_event(self) -> bool:
        """Whether this is an engine event."""
        return self.kind in ENGINE_EVENT_KINDS


class NewStoredEvent(StoredEvent):
    """A stored event that was just written: the event is at hand and need not be decoded."""

    _event: AnyEvent

    @classmethod
    def from_event(cls, event: AnyEvent, stored: StoredEvent) -> NewStoredEvent:
        """Return a stored event together with the event it was encoded from."""
        new = cls(*stored)
        new._event = event
        return new

    def decode(self) -> AnyEvent:
        """Return the event."""
        return self._event


def decode_event(kind: str, body: str) -> AnyEvent:
    """Return the event of a kind and a body."""
    return decode_engine_event(kind, body) if kind in ENGINE_EVENT_KINDS else decode_service_event(kind, body)


def encode_event(event: AnyEvent) -> tuple[str, str]:
    """Return the kind and the body of an event."""
    if isinstance(event, ServiceEvent):
        return event.kind, event.encode_body()
    return engine_event_kind(event), encode_engine_event(event)


def event_hash(previous_hash: str, table_id: str, sequence: int, at_ms: int, kind: str, body: str) -> str:
    """Return the hash that chains an event to the one before it. The first is chained to the hash of the header."""
    return hash_fields("event", previous_hash, table_id, sequence, at_ms, kind, body)
