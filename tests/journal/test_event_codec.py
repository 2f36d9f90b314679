"""Events and positions as text: exact both ways, one way to write each, and a digest of their shape."""

from __future__ import annotations

import json
from dataclasses import dataclass
from fractions import Fraction
from random import Random
from typing import Any, Literal, NamedTuple, get_args

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evening import plain
from houses import plain_table
from play import PLAYERS, actions, houses, lawful_action
from trueodds.dice import Roll
from trueodds.journal import (
    EVENT_KINDS,
    CodecError,
    kind_of,
    read_event,
    read_position,
    schema_digest,
    write_event,
    write_position,
)
from trueodds.journal.coder import coder_of
from trueodds.journal.encoding import encode_json, read_json, write_json
from trueodds.journal.record import RECORD_KINDS
from trueodds.money import Cents, Odds
from trueodds.rulebook import Spot
from trueodds.table import Action, Event, Position, Refused, Seated, Table
from trueodds.wagers import OddsBet, Wager

SCHEMA = "1c47d8573e9515052c1c87bf236d811e612cea42776eeb294b2c7a6449698d53"


def test_the_shape_of_events_is_this_one() -> None:
    """Journals are written under it: a change means that tables of before cannot be read any more."""
    assert schema_digest() == SCHEMA


def _play(table: Table, drawn: list[Action]) -> set[str]:
    kinds = set()
    for action in drawn:
        try:
            events = table.do(action)
        except Refused:
            continue
        for event in events:
            text = write_event(event)
            again = read_event(kind_of(event), text)
            assert again == event
            assert type(again) is type(event)
            assert plain(again) == plain(event)
            assert write_event(again) == text
            kinds.add(kind_of(event))
        assert read_position(write_position(table.position)) == table.position
    return kinds


@given(houses, actions)
def test_whatever_happens_is_written_and_read_back(house: tuple[str, dict[str, Any]], drawn: list[Action]) -> None:
    _play(plain_table(house[0], house[1], PLAYERS), drawn)


@settings(max_examples=30)
@given(houses, st.integers(0, 2**32))
def test_lawful_play_is_written_and_read_back(house: tuple[str, dict[str, Any]], seed: int) -> None:
    table, random = plain_table(house[0], house[1], PLAYERS), Random(seed)
    for _ in range(25):
        _play(table, [lawful_action(table, random)])


def test_every_event_has_a_kind_of_its_own() -> None:
    assert list(EVENT_KINDS.values()) == list(get_args(Event))
    assert {"made", "no_roll", "dice_moved", "surveillance_told"} <= EVENT_KINDS.keys()
    assert not EVENT_KINDS.keys() & RECORD_KINDS.keys()


WAGER = '{"odds":[{"kind":"pass_odds","stake":5}],"spot":"pass","stake":10}'


def test_a_position_reads_like_this() -> None:
    position = Position(6, "under_way", (), custody=None)
    assert write_position(position) == '{"hand":"under_way","puck":6}'
    assert write_position(Position()) == "{}"
    coder = coder_of(Wager)
    wager = Wager(Spot("pass"), Cents(10), odds=(OddsBet("pass_odds", Cents(5)),))
    assert encode_json(coder.write(wager)) == WAGER
    assert coder.read(json.loads(WAGER)) == wager


@pytest.mark.parametrize(
    ("kind", "text", "why"),
    [
        ("sat", "{}", "no event is called 'sat'"),
        ("seated", '{"player":"p1"}', "Seated needs a seated"),
        ("seated", '{"hat":1,"player":"p1","seated":true}', "Seated has no 'hat'"),
        ("seated", '{"player":"p1","seated":1}', "expected bool, not 1"),
        ("seated", '{"player":1,"seated":true}', "expected str, not 1"),
        ("seated", '["p1",true]', "expected the fields of Seated"),
        ("seated", '{"player":"p1","seated":true} ', "not written in the one way"),
        ("seated", '{"seated":true,"player":"p1"}', "not written in the one way"),
        ("seated", '{"player":"p1","player":"p1","seated":true}', "not written in the one way"),
        ("seated", '{"player":"é","seated":true}', "not written in the one way"),
        ("seated", '{"player":"p1","seated":true', "not JSON"),
        ("joined", '{"place":1.0,"player":"p1"}', "1.0 in 'place' is no text"),
        ("called", '{"call":"up","cite":[],"name":"Pass","player":"p1","tag":"1"}', "expected one of '', 'on', 'off'"),
        ("no_roll", '{"cite":[],"dice":"0-7","reason":"odd"}', "a roll is written like 3-4"),
        ("no_roll", '{"cite":[],"dice":" 3-4","reason":"odd"}', "is not how Roll is written"),
        ("no_roll", '{"cite":[],"dice":34,"reason":"odd"}', "expected the text of Roll"),
        ("no_roll", '{"called_by":null,"cite":[],"dice":"3-4","reason":"odd"}', "not written in the one way"),
        ("surveillance_told", '{"cite":"A","points":[]}', "expected a list"),
    ],
)
def test_what_is_no_event_is_refused(kind: str, text: str, why: str) -> None:
    with pytest.raises(CodecError, match=why):
        read_event(kind, text)


def test_either_of_two_records_says_which_it_is() -> None:
    coder = coder_of(Wager | OddsBet | None)
    odds = OddsBet("pass_odds", Cents(5))
    assert coder.write(odds) == {"OddsBet": {"kind": "pass_odds", "stake": 5}}
    assert coder.read(coder.write(odds)) == odds
    assert coder.read(None) is None
    strange: list[Any] = [{}, {"Hat": {}}, [], {"Wager": {}, "OddsBet": {}}]
    for wrong in strange:
        with pytest.raises(CodecError, match="expected Wager or OddsBet"):
            coder.read(wrong)
    with pytest.raises(CodecError, match="expected Wager or OddsBet"):
        coder.write("pass")


@pytest.mark.parametrize(
    ("kind", "value"),
    [
        (Fraction, 1), (Spot, Spot("hop", (5, 2))), (Odds, Odds(0, 1)), (Roll, (3, 4)), (tuple[int, ...], [1]),
        (int, True), (Cents, 1.0), (Literal["a", "b"], "c"), (Wager, OddsBet("pass_odds", Cents(5))),
    ],
)  # fmt: skip
def test_a_value_of_another_type_is_not_written(kind: Any, value: object) -> None:
    with pytest.raises(CodecError):
        coder_of(kind).write(value)


@pytest.mark.parametrize("kind", [float, dict[str, int], tuple[int, int], object, type("Bare", (tuple,), {})])
def test_a_type_without_a_way_is_refused(kind: Any) -> None:
    with pytest.raises(CodecError):
        coder_of(kind)


def test_the_shape_changes_with_any_field() -> None:
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

    shapes = [encode_json(coder_of(kind).shape[2:]) for kind in (First, Renamed, Retyped, Defaulted, Grown)]
    assert len(set(shapes)) == 5


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.text(),
        lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
        max_leaves=20,
    )
)
def test_json_is_written_in_one_way_and_read_back(value: Any) -> None:
    text = write_json(value)
    assert text.isascii()
    assert read_json(text) == value
    assert json.loads(text) == value


def test_an_event_is_no_other_thing() -> None:
    with pytest.raises(CodecError, match="is no event"):
        kind_of("seated")  # type: ignore[arg-type]  # on purpose
    assert kind_of(Seated("p1", True)) == "seated"
