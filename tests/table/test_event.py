"""Actions and events: frozen dataclasses that can be copied, compared, pickled and printed."""

from __future__ import annotations

import copy
import pickle
from dataclasses import FrozenInstanceError, fields, is_dataclass, replace
from typing import Any, get_args

import pytest

from trueodds.craps_table import Table
from trueodds.dice import Roll
from trueodds.money import Cents
from trueodds.rulebook import Spot
from trueodds.table import Action, Bet, BetMade, Event, Leave, Rolled, Sit, Stand


@pytest.mark.parametrize("kind", [*get_args(Action), *get_args(Event)])
def test_every_action_and_event_is_a_frozen_dataclass_with_slots(kind: Any) -> None:
    assert kind.__dataclass_params__.frozen
    assert is_dataclass(kind)
    assert "__dict__" not in dir(kind)


def examples() -> list[Any]:
    table = Table("new_jersey", ["Ann"])
    bet = Bet("Ann", Spot("pass"), Cents(1500))
    return [bet, *table.do(bet), *table.roll("4-4")]


@pytest.mark.parametrize("value", examples(), ids=lambda value: type(value).__name__)
def test_the_fast_constructor_changes_nothing_else(value: Any) -> None:
    assert isinstance(value, Bet | BetMade | Rolled)
    for again in (pickle.loads(pickle.dumps(value)), copy.copy(value), copy.deepcopy(value), replace(value)):  # noqa: S301
        assert (again, type(again), hash(again), repr(again)) == (value, type(value), hash(value), repr(value))
    kind: Any = type(value)
    name = fields(value)[0].name
    with pytest.raises(FrozenInstanceError):
        setattr(value, name, None)
    with pytest.raises(TypeError, match=r"missing .* required positional argument"):
        kind()
    by_keyword = kind(**{field.name: getattr(value, field.name) for field in fields(value)})
    assert by_keyword == value
    assert repr(value).startswith(f"{type(value).__name__}({name}=")


def test_different_actions_of_a_player_are_different() -> None:
    assert len({Sit("Ann"), Stand("Ann"), Leave("Ann"), Sit("Ann")}) == 3


def test_a_changed_copy_is_checked() -> None:
    with pytest.raises(ValueError, match="stake must be positive"):
        replace(Bet("Ann", Spot("pass"), Cents(1500)), stake_cents=Cents(0))
    assert Roll(3, 4)._replace(first=5) == Roll(5, 4)
