"""The state of a table, and how events change it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from types import MappingProxyType

from trueodds.journal.errors import AppendError, CodecError, InvalidEventError, JournalError
from trueodds.journal.ledger import Posting, apply_postings, postings_for_event, rack_account, racks_in_cents
from trueodds.journal.service_event import ServiceEvent
from trueodds.journal.stored_event import AnyEvent, NewStoredEvent, StoredEvent, encode_event, event_hash
from trueodds.journal.table_header import TableHeader
from trueodds.table import Position, apply_event
from trueodds.table.apply_event import EventError


@dataclass(frozen=True, slots=True)
class TableState:
    """A table after event number `sequence`, whose hash is `hash`. `balances` holds every account in cents."""

    header: TableHeader
    sequence: int
    hash: str
    position: Position
    balances: MappingProxyType[str, int]

    @classmethod
    def new(cls, header: TableHeader) -> TableState:
        """Return the state of a table without events."""
        return cls(header, 0, header.hash, Position(), MappingProxyType({}))

    def rack_cents(self, player: str) -> int:
        """Return what a player has in the rack, in cents."""
        return self.balances.get(rack_account(player), 0)

    @property
    def racks_cents(self) -> dict[str, int]:
        """What each player has in the rack, in cents."""
        return racks_in_cents(self.balances)


@dataclass(frozen=True, slots=True)
class AppliedEvents:
    """Events applied to a state, their postings, and the resulting state. Made by `apply_events`."""

    previous_hash: str
    events: tuple[StoredEvent, ...]
    postings: tuple[tuple[Posting, ...], ...]
    state: TableState

    def followed_by(self, later: AppliedEvents) -> AppliedEvents:
        """Return these events followed by later ones. Raise `InvalidEventError` if those start elsewhere."""
        if later.previous_hash != self.state.hash:
            raise InvalidEventError("the later events do not follow these")
        return AppliedEvents(
            self.previous_hash, self.events + later.events, self.postings + later.postings, later.state
        )

    def starts_from(self, state: TableState, at_ms: int) -> bool:
        """Return whether the events were applied to a state at a time. The hash covers everything before."""
        return self.previous_hash == state.hash and all(event.at_ms == at_ms for event in self.events)


def apply_events(state: TableState, at_ms: int, events: Sequence[AnyEvent]) -> AppliedEvents:
    """Number, hash and apply events to a state, without storing them.

    Raise `InvalidEventError` if an event cannot happen, or `InsufficientFundsError` if a rack cannot pay for it.
    """
    if type(at_ms) is not int or not 0 <= at_ms < 2**63:
        raise InvalidEventError(f"at_ms must be a whole number of milliseconds, got {at_ms!r}")
    table_id, sequence, last_hash, position = state.header.table_id, state.sequence, state.hash, state.position
    balances = state.balances.copy()
    stored: list[StoredEvent] = []
    all_postings: list[tuple[Posting, ...]] = []
    for event in events:
        try:
            kind, body = encode_event(event)
            postings = postings_for_event(event)
            position = position if isinstance(event, ServiceEvent) else apply_event(position, event)
            apply_postings(balances, postings)
        except AppendError:
            raise
        except (CodecError, EventError, JournalError) as error:
            raise InvalidEventError(f"table {table_id}: {error}") from None
        sequence += 1
        last_hash = event_hash(last_hash, table_id, sequence, at_ms, kind, body)
        stored.append(NewStoredEvent.from_event(event, StoredEvent(table_id, sequence, at_ms, kind, body, last_hash)))
        all_postings.append(postings)
    after = TableState(state.header, sequence, last_hash, position, MappingProxyType(balances))
    return AppliedEvents(state.hash, tuple(stored), tuple(all_postings), after)
