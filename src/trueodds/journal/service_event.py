"""Service events: what the table service records besides engine events."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, NamedTuple

from trueodds.journal.canonical_json import Json, JsonObject, decode_object, encode_canonical, is_valid_id
from trueodds.journal.errors import CodecError
from trueodds.money import MAX_STAKE_CENTS

BOUGHT_IN: Final = "bought_in"
CASHED_OUT: Final = "cashed_out"
ANCHOR_PUBLISHED: Final = "anchor_published"
SEED_COMMITTED: Final = "seed_committed"
SEED_WITHDRAWN: Final = "seed_withdrawn"
ROLL_LOCKED: Final = "roll_locked"
SEED_OPENED: Final = "seed_opened"
SEED_MISSED: Final = "seed_missed"
SECRET_REVEALED: Final = "secret_revealed"  # noqa: S105  a kind of event
ACTED_FOR_ABSENT: Final = "acted_for_absent"
SELF_LIMIT_REACHED: Final = "self_limit_reached"
DEPARTURE_REQUESTED: Final = "departure_requested"
NOTE_ADDED: Final = "note_added"
PACE_SET: Final = "pace_set"
BOT_ADDED: Final = "bot_added"

SERVICE_EVENT_KINDS: Final[Mapping[str, str]] = {
    BOUGHT_IN: "A player bought chips: `player`, `cents`.",
    CASHED_OUT: "A player took chips off the table: `player`, `cents`.",
    ANCHOR_PUBLISHED: "The anchor of a chain of secrets was published: `anchor`, `chain_length`.",
    SEED_COMMITTED: "A seat committed to a seed for the next roll: `player`, `roll`, `commitment`.",
    SEED_WITHDRAWN: "A seat withdrew its commitment because it left: `player`.",
    ROLL_LOCKED: "Bets were closed for a roll: `lock`, with its link and the digest of the layout.",
    SEED_OPENED: "A seat opened its seed: `player`, `seed`.",
    SEED_MISSED: "A seat did not open its seed in time: `player`, `roll`.",
    SECRET_REVEALED: "The server revealed its secret for a roll: `proof`, from which the dice follow.",
    ACTED_FOR_ABSENT: "The table acted for a player who was away: `player`, `action`.",
    SELF_LIMIT_REACHED: "A player reached a limit they set for themselves: `player`.",
    DEPARTURE_REQUESTED: "A player is leaving, and bets that must stay up are played out: `player`.",
    NOTE_ADDED: "A note of the operator, such as `invitation_only`.",
    PACE_SET: "The table has its own pace: milliseconds by name.",
    BOT_ADDED: "A bot plays a seat: `player`, the built-in `strategy` it follows, its `buy_in_cents`.",
}
"""Every kind of service event and what its body holds. Bodies are JSON objects without fractions."""

MONEY_KINDS: Final = (BOUGHT_IN, CASHED_OUT)


class ServiceEvent(NamedTuple):
    """An event of the service, of one of the `SERVICE_EVENT_KINDS`.

    >>> ServiceEvent("bought_in", {"player": "p1", "cents": 50000}).encode_body()
    '{"cents":50000,"player":"p1"}'
    """

    kind: str
    body: JsonObject

    def encode_body(self) -> str:
        """Return the body as canonical JSON; the inverse of `decode_service_event`."""
        validate_service_event(self)
        return encode_canonical(dict(self.body))


def bought_in(player: str, cents: int, **extra: Json) -> ServiceEvent:
    """Return the event that a player bought chips."""
    return ServiceEvent(BOUGHT_IN, {**extra, "player": player, "cents": cents})


def cashed_out(player: str, cents: int, **extra: Json) -> ServiceEvent:
    """Return the event that a player took chips off the table."""
    return ServiceEvent(CASHED_OUT, {**extra, "player": player, "cents": cents})


def departure_requested(player: str) -> ServiceEvent:
    """Return the event that a player asked to leave while bets must stay up."""
    return ServiceEvent(DEPARTURE_REQUESTED, {"player": player})


def decode_service_event(kind: str, text: str) -> ServiceEvent:
    """Return the service event of a kind and a body. Raise `CodecError` unless the body is canonical."""
    event = ServiceEvent(kind, decode_object(text))
    validate_service_event(event)
    return event


def validate_service_event(event: ServiceEvent) -> None:
    """Raise `CodecError` for an unknown kind, or for a movement of money without a player and an amount."""
    if event.kind not in SERVICE_EVENT_KINDS:
        raise CodecError(f"unknown service event kind {event.kind!r}; choose from {', '.join(SERVICE_EVENT_KINDS)}")
    if event.kind not in MONEY_KINDS:
        return
    player, cents = event.body.get("player"), event.body.get("cents")
    if not is_valid_id(player):
        raise CodecError(f"{event.kind}: player must be a player id, got {player!r}")
    if type(cents) is not int or not 0 < cents <= MAX_STAKE_CENTS:
        raise CodecError(f"{event.kind}: cents must be a whole number from 1 to {MAX_STAKE_CENTS}, got {cents!r}")
