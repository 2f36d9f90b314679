"""When players joined, left, bought in or cashed out, indexed by player."""

from __future__ import annotations

from typing import Final, NamedTuple

from trueodds.journal.canonical_json import decode_object
from trueodds.journal.service_event import BOUGHT_IN, CASHED_OUT
from trueodds.journal.stored_event import StoredEvent

JOINED: Final = "player_joined"
LEFT: Final = "player_left"
ACTIVITY_KINDS: Final = frozenset({JOINED, LEFT, BOUGHT_IN, CASHED_OUT})


class PlayerActivity(NamedTuple):
    """An event about a player's seat or chips. `cents` is the amount bought or cashed out, else 0."""

    table_id: str
    sequence: int
    player: str
    at_ms: int
    kind: str
    cents: int


def activity_from_event(event: StoredEvent) -> PlayerActivity | None:
    """Return the activity that an event records, or None if it is of another kind.

    >>> activity_from_event(StoredEvent("t1", 2, 1000, "bought_in", '{"cents":500,"player":"p1"}', "")).cents
    500
    """
    if event.kind not in ACTIVITY_KINDS:
        return None
    body = decode_object(event.body)
    return PlayerActivity(
        event.table_id, event.sequence, body["player"], event.at_ms, event.kind, body.get("cents", 0)
    )  # fmt: skip
