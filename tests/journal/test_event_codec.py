"""Events and positions as canonical JSON, and the digest of their schema."""

from __future__ import annotations

import json
from dataclasses import dataclass
from fractions import Fraction
from random import Random
from typing import Any, Literal, NamedTuple, get_args

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from support.houses import book_default_table
from support.journal_session import with_types
from support.random_play import PLAYERS, actions, houses, random_legal_action
from trueodds.craps_table import Table
from trueodds.dice import Roll
from trueodds.journal import (
    ENGINE_EVENT_KINDS,
    CodecError,
    decode_engine_event,
    decode_position,
    encode_engine_event,
    encode_position,
    engine_event_kind,
    schema_digest,
)
from trueodds.journal.canonical_json import decode_canonical, encode_canonical, encode_canonical_unchecked
from trueodds.journal.json_codec import codec_for
from trueodds.journal.service_event import SERVICE_EVENT_KINDS
from trueodds.money import Cents, Odds
from trueodds.rulebook import Spot
from trueodds.table import Action, Event, Position, Refused, SeatingChanged
from trueodds.wagers import OddsBet, Wager

SCHEMA = "9e4d52d27fe3e1f44288e197e09c9537b0071429b7cb4ca1241456c0208a2623"


def test_the_schema_digest_is_frozen() -> None:
    """If it changes, tables of older journals cannot be loaded."""
    assert schema_digest() == SCHEMA


def _play(table: Table, drawn: list[Action]) -> set[str]:
    kinds = set()
    for action in drawn:
        try:
            events = table.do(action)
        except Refused:
            continue
        for event in events:
            text = encode_engine_event(event)
            again = decode_engine_event(engine_event_kind(event), text)
            assert again == event
            assert type(again) is type(event)
            assert with_types(again) == with_types(event)
            assert encode_engine_event(again) == text
            kinds.add(engine_event_kind(event))
        assert decode_position(encode_position(table.position)) == table.position
    return kinds


@given(houses, actions)
def test_random_actions_round_trip(house: tuple[str, dict[str, Any]], drawn: list[Action]) -> None:
    _play(book_default_table(house[0], house[1], PLAYERS), drawn)


@settings(max_examples=30)
@given(houses, st.integers(0, 2**32))
def test_legal_play_round_trips(house: tuple[str, dict[str, Any]], seed: int) -> None:
    table, random = book_default_table(house[0], house[1], PLAYERS), Random(seed)
    for _ in range(25):
        _play(table, [random_legal_action(table, random)])


def test_every_event_has_its_own_kind() -> None:
    assert list(ENGINE_EVENT_KINDS.values()) == list(get_args(Event))
    assert {"bet_made", "no_roll", "custody_changed", "surveillance_notified"} <= ENGINE_EVENT_KINDS.keys()
    assert not ENGINE_EVENT_KINDS.keys() & SERVICE_EVENT_KINDS.keys()


WAGER = '{"odds_bets":[{"kind":"pass_odds","stake":5}],"spot":"pass","stake":10}'


def test_the_json_of_a_position() -> None:
    position = Position(6, "under_way", (), custody=None)
    assert encode_position(position) == '{"hand_stage":"under_way","puck":6}'
    assert encode_position(Position()) == "{}"
    coder = codec_for(Wager)
    wager = Wager(Spot("pass"), Cents(10), odds_bets=(OddsBet("pass_odds", Cents(5)),))
    assert encode_canonical_unchecked(coder.encode(wager)) == WAGER
    assert coder.decode(json.loads(WAGER)) == wager


@pytest.mark.parametrize(
    ("kind", "text", "why"),
    [
        ("sat", "{}", "unknown engine event kind 'sat'"),
        ("seating_changed", '{"player":"p1"}', "SeatingChanged needs 'seated'"),
        ("seating_changed", '{"hat":1,"player":"p1","seated":true}', "SeatingChanged has no 'hat'"),
        ("seating_changed", '{"player":"p1","seated":1}', "expected bool, got 1"),
        ("seating_changed", '{"player":1,"seated":true}', "expected str, got 1"),
        ("seating_changed", '["p1",true]', "expected the fields of SeatingChanged"),
        ("seating_changed", '{"player":"p1","seated":true} ', "canonical"),
        ("seating_changed", '{"seated":true,"player":"p1"}', "canonical"),
        ("seating_changed", '{"player":"p1","player":"p1","seated":true}', "canonical"),
        ("seating_changed", '{"player":"é","seated":true}', "canonical"),
        ("seating_changed", '{"player":"p1","seated":true', "invalid JSON"),
        ("player_joined", '{"place":1.0,"player":"p1"}', "got 1.0 in 'place'"),
        (
            "bet_toggled",
            '{"call":"up","cite":[],"name":"Pass","player":"p1","tag":"1"}',
            "expected one of '', 'on', 'off'",
        ),
        ("no_roll", '{"cite":[],"dice":"0-7","reason":"odd"}', "a roll must be written like 3-4"),
        ("no_roll", '{"cite":[],"dice":" 3-4","reason":"odd"}', "not the canonical text of Roll"),
        ("no_roll", '{"cite":[],"dice":34,"reason":"odd"}', "expected the text of Roll"),
        ("no_roll", '{"called_by":null,"cite":[],"dice":"3-4","reason":"odd"}', "canonical"),
        ("surveillance_notified", '{"cite":"A","points":[]}', "expected a list"),
    ],
)
def test_an_invalid_event_is_refused(kind: str, text: str, why: str) -> None:
    with pytest.raises(CodecError, match=why):
        decode_engine_event(kind, text)


def test_a_union_is_tagged() -> None:
    coder = codec_for(Wager | OddsBet | None)
    odds = OddsBet("pass_odds", Cents(5))
    assert coder.encode(odds) == {"odds_bet": {"kind": "pass_odds", "stake": 5}}
    assert coder.decode(coder.encode(odds)) == odds
    assert coder.decode(None) is None
    strange: list[Any] = [{}, {"hat": {}}, [], {"wager": {}, "odds_bet": {}}]
    for wrong in strange:
        with pytest.raises(CodecError, match="expected wager or odds_bet"):
            coder.decode(wrong)
    with pytest.raises(CodecError, match="expected wager or odds_bet"):
        coder.encode("pass")


@pytest.mark.parametrize(
    ("kind", "value"),
    [
        (Fraction, 1), (Spot, Spot("hop", (5, 2))), (Odds, Odds(0, 1)), (Roll, (3, 4)), (tuple[int, ...], [1]),
        (int, True), (Cents, 1.0), (Literal["a", "b"], "c"), (Wager, OddsBet("pass_odds", Cents(5))),
    ],
)  # fmt: skip
def test_a_value_of_another_type_is_refused(kind: Any, value: object) -> None:
    with pytest.raises(CodecError):
        codec_for(kind).encode(value)


@pytest.mark.parametrize("kind", [float, dict[str, int], tuple[int, int], object, type("Bare", (tuple,), {})])
def test_a_type_without_a_codec_is_refused(kind: Any) -> None:
    with pytest.raises(CodecError):
        codec_for(kind)


def test_the_schema_changes_with_any_field() -> None:
    class First(NamedTuple):
        size: int
        name: str = "a"

    class Renamed(NamedTuple):
        width: int
        name: str = "a"

    class Retyped(NamedTuple):
        size: str
        name: str = "a"

    class Defaulted(NamedTuple):
        size: int
        name: str = "b"

    @dataclass(frozen=True)
    class Grown:
        size: int
        name: str = "a"
        more: bool = False

    shapes = [
        encode_canonical_unchecked(codec_for(kind).schema[1:]) for kind in (First, Renamed, Retyped, Defaulted, Grown)
    ]
    assert len(set(shapes)) == 5


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.text(),
        lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
        max_leaves=20,
    )
)
def test_canonical_json_round_trips(value: Any) -> None:
    text = encode_canonical(value)
    assert text.isascii()
    assert decode_canonical(text) == value
    assert json.loads(text) == value


def test_only_events_have_a_kind() -> None:
    with pytest.raises(CodecError, match="expected an engine event"):
        engine_event_kind("seating_changed")  # type: ignore[arg-type]  # on purpose
    assert engine_event_kind(SeatingChanged("p1", True)) == "seating_changed"
