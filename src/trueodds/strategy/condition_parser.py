"""Reading a `when`: the conditions of a strategy file."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, Final

from trueodds.rulebook import Spot
from trueodds.strategy import condition as conditions
from trueodds.strategy.account import ahead, signed_cents, stopped
from trueodds.strategy.amount import cents
from trueodds.strategy.condition import AnyOf, Condition
from trueodds.strategy.place import Place, Table

DEPTH_LIMIT: Final = 40


def read_condition(data: Any, place: Place, depth: int = 0) -> Condition:
    """Read a table of conditions: every key of it must hold."""
    if depth > DEPTH_LIMIT:
        place.fail("conditions within conditions within conditions")
    table = Table(data, place)
    found: list[Condition] = []
    for key in table.keys:
        reader = _CONDITIONS.get(key)
        if reader is None:
            table.at(key).fail(f"{key!r} is no condition; there are {', '.join(_CONDITIONS)}")
        inner = place.within(key, place.name if key in _NESTED else f"{place.name}.{key}")
        with inner.blamed():
            found += reader(table.take(key), inner, depth + 1)
    if not found:
        place.fail("a condition says something")
    return found[0] if len(found) == 1 else conditions.All(tuple(found))


Reader = Callable[[Any, Place, int], list[Condition]]


def _puck(value: Any, place: Place, _depth: int) -> list[Condition]:
    if value not in ("on", "off"):
        place.fail(f"the puck is on or off, not {value!r}")
    return [conditions.puck_on if value == "on" else conditions.puck_off]


def _point(value: Any, place: Place, _depth: int) -> list[Condition]:
    return [conditions.point(*_numbers(value, place))]


def _numbers(value: Any, place: Place) -> list[int]:
    numbers = value if isinstance(value, list) else [value]
    if not numbers or any(type(number) is not int for number in numbers):
        place.fail(f"expected numbers, not {value!r}")
    return numbers


def _new_shooter(value: Any, place: Place, _depth: int) -> list[Condition]:
    if type(value) is not bool:
        place.fail(f"expected true or false, not {value!r}")
    return [conditions.new_shooter if value else ~conditions.new_shooter]


def _each(make: Callable[[Spot, Any], Condition], value: Any, place: Place, _depth: int) -> list[Condition]:
    """Read { "place:6" = 2 }: one condition for each spot."""
    if not isinstance(value, Mapping) or not value:
        place.fail(f'expected a table like {{ "place:6" = 2 }}, not {value!r}')
    found = []
    for what, wanted in value.items():
        here = place.within(what)
        spot = here.spot(what)
        found.append(here.read(partial(make, spot), wanted))
    return found


def _thrown(value: Any, place: Place, _depth: int) -> list[Condition]:
    table = Table(value, place)
    totals, least = table.take("totals", []), table.read("least", conditions.count_of, 1)
    table.done()
    with table.at("totals").blamed():
        return [conditions.thrown(*_numbers(totals, table.at("totals")), least=least)]


def _points_made(value: Any, _place: Place, _depth: int) -> list[Condition]:
    return [conditions.points_made(value)]


def _throws(value: Any, _place: Place, _depth: int) -> list[Condition]:
    return [conditions.throws(value)]


def _account(make: Callable[..., Condition], value: Any, place: Place, _depth: int) -> list[Condition]:
    """Read { of = ["pass", "field"], ... }: amounts of money."""
    table = Table(value, place)
    named = table.take("of", [])
    spots = [table.at("of").spot(what) for what in (named if isinstance(named, list) else [named])]
    amounts = {key: table.take(key) for key in _AMOUNTS[make]}
    for key, read in _AMOUNTS[make].items():
        table.at(key).read(read, amounts[key])
    table.done()
    return [make(*spots, **amounts)]


_AMOUNTS: Final[Mapping[Callable[..., Condition], Mapping[str, Callable[[Any], int]]]] = {
    ahead: {"by": signed_cents, "limit": cents},
    stopped: {"win": cents, "lose": cents},
}


def _any(value: Any, place: Place, depth: int) -> list[Condition]:
    if not isinstance(value, list) or not value:
        place.fail(f"expected a list of conditions, not {value!r}")
    return [AnyOf(tuple(read_condition(one, place.within(index), depth) for index, one in enumerate(value)))]


def _not(value: Any, place: Place, depth: int) -> list[Condition]:
    return [~read_condition(value, place, depth)]


_NESTED: Final = ("any", "not")

_CONDITIONS: Final[Mapping[str, Reader]] = {
    "puck": _puck,
    "point": _point,
    "new_shooter": _new_shooter,
    "up": partial(_each, conditions.up),
    "last": partial(_each, conditions.last),
    "just": partial(_each, conditions.just),
    "hits": partial(_each, conditions.hits),
    "losses": partial(_each, conditions.losses),
    "decided": partial(_each, conditions.decided),
    "thrown": _thrown,
    "points_made": _points_made,
    "throws": _throws,
    "ahead": partial(_account, ahead),
    "stopped": partial(_account, stopped),
    "any": _any,
    "not": _not,
}

CONDITIONS: Final = tuple(_CONDITIONS)
"""Every condition a file can use."""
