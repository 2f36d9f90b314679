"""Parse the conditions in the `when` of a play."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final, TypeVar

from trueodds.rulebook import Spot
from trueodds.rulebook.toml_reader import Location, TomlReader
from trueodds.strategy import conditions
from trueodds.strategy.conditions import AllOf, AnyOf, Condition, parse_count, parse_result_name
from trueodds.strategy.play_reader import SpotLines, check_dollars, located_errors, take_dollars, take_parsed
from trueodds.strategy.profit_conditions import ahead, parse_signed_dollars, stopped

T = TypeVar("T")

MAX_PATH_LENGTH: Final = 80
"""How deep conditions can be nested, in keys from the top of the file."""

ConditionParser = Callable[[object, Location, SpotLines], list[Condition]]


def parse_condition(value: object, location: Location, spots: SpotLines) -> Condition:
    """Return the condition that all keys of a table hold. Raise StrategyFileError if one is invalid."""
    if len(location.path) > MAX_PATH_LENGTH:
        location.fail("conditions are nested too deeply")
    reader = TomlReader(value, location)
    found: list[Condition] = []
    for key in reader.keys:
        parser = _CONDITION_PARSERS.get(key)
        if parser is None:
            reader.fail(key, f"unknown condition; the conditions are {', '.join(_CONDITION_PARSERS)}")
        with located_errors(reader.location_of(key)):
            found += parser(reader.take(key), reader.location_of(key), spots)
    if not found:
        location.fail("at least one condition is needed")
    return found[0] if len(found) == 1 else AllOf(tuple(found))


def _parse_puck(value: object, location: Location, _spots: SpotLines) -> list[Condition]:
    if value not in ("on", "off"):
        location.fail(f'puck must be "on" or "off", got {value!r}')
    return [conditions.puck_on if value == "on" else conditions.puck_off]


def _parse_point(value: object, location: Location, _spots: SpotLines) -> list[Condition]:
    return [conditions.point(*_parse_numbers(value, location))]


def _parse_numbers(value: object, location: Location) -> list[int]:
    """Return a number or a list of numbers as a list."""
    values = value if isinstance(value, list) else [value]
    numbers = [number for number in values if type(number) is int]
    if not numbers or len(numbers) != len(values):
        location.fail(f"expected one or more whole numbers, got {value!r}")
    return numbers


def _parse_new_shooter(value: object, location: Location, _spots: SpotLines) -> list[Condition]:
    if type(value) is not bool:
        location.fail(f"expected true or false, got {value!r}")
    return [conditions.new_shooter if value else ~conditions.new_shooter]


def _per_spot_parser(make: Callable[[Spot, T], Condition], parse: Callable[[object], T]) -> ConditionParser:
    """Return a parser of tables like { "place:6" = 2 }: one condition for each spot."""

    def parse_table(value: object, location: Location, spots: SpotLines) -> list[Condition]:
        if not isinstance(value, Mapping) or not value:
            location.fail(f'expected a table like {{ "place:6" = 2 }}, got {value!r}')
        found = []
        for target, argument in value.items():
            spot = spots.parse(target, location.child(target))
            with located_errors(location.child(target)):
                found.append(make(spot, parse(argument)))
        return found

    return parse_table


def _parse_totals_rolled(value: object, location: Location, _spots: SpotLines) -> list[Condition]:
    table = TomlReader(value, location)
    totals = _parse_numbers(table.take("totals"), table.location_of("totals"))
    at_least = take_parsed(table, "at_least", parse_count, 1)
    table.reject_unknown_keys()
    with located_errors(table.location_of("totals")):
        return [conditions.totals_rolled(*totals, at_least=at_least)]


def _parse_points_made(value: object, _location: Location, _spots: SpotLines) -> list[Condition]:
    return [conditions.points_made(parse_count(value))]


def _parse_rolls(value: object, _location: Location, _spots: SpotLines) -> list[Condition]:
    return [conditions.rolls(parse_count(value))]


def _parse_ahead(value: object, location: Location, spots: SpotLines) -> list[Condition]:
    table = TomlReader(value, location)
    bets = _take_bets(table, spots)
    by = take_parsed(table, "by", lambda amount: check_dollars(amount, "by", parse_signed_dollars))
    limit = take_dollars(table, "limit")
    table.reject_unknown_keys()
    return [ahead(*bets, by=by, limit=limit)]


def _parse_stopped(value: object, location: Location, spots: SpotLines) -> list[Condition]:
    table = TomlReader(value, location)
    bets = _take_bets(table, spots)
    win, lose = take_dollars(table, "win"), take_dollars(table, "lose")
    table.reject_unknown_keys()
    return [stopped(*bets, win=win, lose=lose)]


def _take_bets(table: TomlReader, spots: SpotLines) -> list[Spot]:
    bets = table.take("bets")
    return [spots.parse(bet, table.location_of("bets")) for bet in (bets if isinstance(bets, list) else [bets])]


def _parse_any(value: object, location: Location, spots: SpotLines) -> list[Condition]:
    if not isinstance(value, list) or not value:
        location.fail(f"expected a list of conditions, got {value!r}")
    return [AnyOf(tuple(parse_condition(table, location.child(index), spots) for index, table in enumerate(value)))]


def _parse_not(value: object, location: Location, spots: SpotLines) -> list[Condition]:
    return [~parse_condition(value, location, spots)]


_CONDITION_PARSERS: Final[Mapping[str, ConditionParser]] = {
    "puck": _parse_puck,
    "point": _parse_point,
    "new_shooter": _parse_new_shooter,
    "up": _per_spot_parser(conditions.up, parse_count),
    "last_result": _per_spot_parser(conditions.last_result, parse_result_name),
    "last_roll_result": _per_spot_parser(conditions.last_roll_result, parse_result_name),
    "hits": _per_spot_parser(conditions.hits, parse_count),
    "losses": _per_spot_parser(conditions.losses, parse_count),
    "decisions": _per_spot_parser(conditions.decisions, parse_count),
    "totals_rolled": _parse_totals_rolled,
    "points_made": _parse_points_made,
    "rolls": _parse_rolls,
    "ahead": _parse_ahead,
    "stopped": _parse_stopped,
    "any": _parse_any,
    "not": _parse_not,
}

CONDITION_KEYS: Final = tuple(_CONDITION_PARSERS)
"""Every condition of a strategy file."""
