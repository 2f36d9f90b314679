"""Table events as clients see them: with sentences and player names."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from threading import Lock
from typing import Any, Final, NamedTuple, TypedDict

from pydantic import BaseModel

from trueodds.journal import AnyEvent, ServiceEvent, StoredEvent
from trueodds.rulebook import format_citation
from trueodds.server.frames import Frame
from trueodds.server.player_names import PlayerNames, find_ids, replace_ids
from trueodds.server.stick_calls import stick_call
from trueodds.server.table_currencies import TableCurrencies
from trueodds.service.event_sentences import describe_service_event
from trueodds.table import (
    BetMade,
    BetResized,
    BetToggled,
    CustodyChanged,
    NoRoll,
    ProcedurePerformed,
    PuckChange,
    Rolled,
    SurveillanceNotified,
)

_MAX_CACHED: Final = 2048


class EventView(BaseModel):
    """One event of a table. `sequence` has no gaps; `names` has the names of the player ids in `body`.

    `clauses` has for each sentence the citation at its end, or "". For a roll, `stick_call` is the stickman's call and
    `puck_change` what happened to the puck. `ends_hand` means that the next roll starts a new hand.
    """

    sequence: int
    at_ms: int
    kind: str
    body: dict[str, Any]
    sentences: list[str]
    clauses: list[str]
    names: dict[str, str]
    hash: str
    stick_call: str | None
    puck_change: PuckChange | None
    ends_hand: bool


class _RollFields(TypedDict):
    stick_call: str | None
    puck_change: PuckChange | None
    ends_hand: bool


def view_events(events: Iterable[StoredEvent], names: PlayerNames, currencies: TableCurrencies) -> list[EventView]:
    """Return the views of events. It may query the database for names."""
    return [view_event(event, names.look_up_in(event.body), currencies.get(event.table_id)) for event in events]


class _CachedFrame(NamedTuple):
    """An encoded event. It is valid while the names have this version, until `expires_ms`."""

    frame: Frame
    names_version: int
    expires_ms: int


class EventFrames:
    """Encodes events as WebSocket frames. An event is encoded once for all sockets, while its names are valid."""

    def __init__(self, names: PlayerNames, currencies: TableCurrencies, clock: Callable[[], int]) -> None:
        self._names = names
        self._currencies = currencies
        self._clock = clock
        self._lock = Lock()
        self._cache: dict[str, _CachedFrame] = {}
        self._last_joined: tuple[tuple[StoredEvent, ...], int, bytes] = ((), 0, b"")

    def cached(self, events: Iterable[StoredEvent]) -> list[Frame] | None:
        """Return frames without querying the database, or None if a name must be looked up."""
        frames = []
        now_ms, version = self._clock(), self._names.version
        for event in events:
            cached = self._cache.get(event.hash)
            if cached is not None and cached.names_version == version and now_ms < cached.expires_ms:
                frames.append(cached.frame)
                continue
            ids = find_ids(event.body)
            names = self._names.cached(ids)
            if names is None:
                return None
            frames.append(self._encode_event(event, ids, names, version))
        return frames

    def cached_bytes(self, events: tuple[StoredEvent, ...]) -> bytes | None:
        """Return the frames of events as one byte string, or None as `cached` does.

        All sockets of a table receive the same tuple, so the last result is kept.
        """
        last_events, last_version, data = self._last_joined
        version = self._names.version
        if last_events is not events or last_version != version:
            frames = self.cached(events)
            if frames is None:
                return None
            data = b"".join([frame.data for frame in frames])
            self._last_joined = events, version, data
        return data

    def encode(self, events: Iterable[StoredEvent]) -> list[Frame]:
        """Return frames. It may query the database for names."""
        version = self._names.version
        with_ids = [(event, find_ids(event.body)) for event in events]
        return [self._encode_event(event, ids, self._names.look_up(ids), version) for event, ids in with_ids]

    def _encode_event(self, event: StoredEvent, ids: tuple[str, ...], names: dict[str, str], version: int) -> Frame:
        frame = Frame.from_text(f'{{"event":{encode_view(event, names, self._currencies.get(event.table_id))}}}')
        with self._lock:
            if len(self._cache) >= _MAX_CACHED:
                del self._cache[next(iter(self._cache))]
            self._cache[event.hash] = _CachedFrame(frame, version, self._names.expires_ms(ids))
        return frame


def view_event(event: StoredEvent, names: dict[str, str], currency: str) -> EventView:
    """Return the view of an event with the given names."""
    content = event.decode()
    sentences = [replace_ids(sentence, names) for sentence in _sentences(content, currency)]
    body = json.loads(event.body)
    if event.kind == "seed_opened":
        # A player who knew the other seeds before the roll could decide whether to open their own. The proof has them.
        body["seed"] = None
    return EventView(
        sequence=event.sequence, at_ms=event.at_ms, kind=event.kind, body=body, sentences=sentences,
        clauses=_clauses(content), names=names, hash=event.hash, **_roll_fields(content),
    )  # fmt: skip


def encode_view(event: StoredEvent, names: dict[str, str], currency: str) -> str:
    """Return the JSON of `view_event`. It is faster because the stored body is copied as it is."""
    if event.kind == "seed_opened":
        return view_event(event, names, currency).model_dump_json()
    content = event.decode()
    sentences = [replace_ids(sentence, names) for sentence in _sentences(content, currency)]
    roll_fields = _to_json(_roll_fields(content))[1:]
    return (
        f'{{"sequence":{event.sequence},"at_ms":{event.at_ms},"kind":"{event.kind}","body":{event.body},'
        f'"sentences":{_to_json(sentences)},"clauses":{_to_json(_clauses(content))},"names":{_to_json(names)},'
        f'"hash":"{event.hash}",{roll_fields}'
    )


_to_json = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode


def _roll_fields(content: AnyEvent) -> _RollFields:
    """Return the fields of a view that describe a roll."""
    if isinstance(content, Rolled):
        return {
            "stick_call": stick_call(content), "puck_change": content.puck_change, "ends_hand": content.ends_hand,
        }  # fmt: skip
    ends_hand = isinstance(content, CustodyChanged) and content.ends_hand
    return {"stick_call": None, "puck_change": None, "ends_hand": ends_hand}


def _clauses(content: AnyEvent) -> list[str]:
    """Return the citation at the end of each sentence, or ""."""
    match content:
        case Rolled():
            return ["", *(format_citation(settled.settlement.cite) for settled in content.settled)]
        case BetMade() | BetResized() | BetToggled() | NoRoll() | CustodyChanged():
            return [format_citation(content.cite)]
        case SurveillanceNotified() | ProcedurePerformed():
            return [format_citation(content.cite)]
        case _:
            return [""]


def _sentences(content: AnyEvent, currency: str) -> list[str]:
    """Return the sentences that describe an event."""
    if isinstance(content, ServiceEvent):
        return [describe_service_event(content, currency)]
    if isinstance(content, Rolled):
        return [content.sentence, *(settled.sentence for settled in content.settled)]
    return [content.sentence]
