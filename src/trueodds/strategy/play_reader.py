"""Helpers to read plays from a strategy file: located errors, amounts, and the lines where a play names spots."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from types import EllipsisType
from typing import TypeVar

from trueodds.money import Dollars, MoneyError, is_dollar_text, parse_dollars
from trueodds.rulebook import RulebookError, Spot
from trueodds.rulebook.toml_reader import Location, TomlReader
from trueodds.strategy.errors import StrategyError, StrategyFileError

T = TypeVar("T")


def strategy_file_error(location: Location, problem: str) -> StrategyFileError:
    """Return the error for a problem at a location, such as "play 2: ladder.win: expected ..."."""
    path = location.path
    if path and isinstance(path[-1], str) and problem.startswith(f"{path[-1]} "):
        path = path[:-1]  # the problem itself names the key
    prefixes = []
    if len(path) > 1 and path[0] == "play" and isinstance(path[1], int):
        prefixes, path = [f"play {path[1] + 1}"], path[2:]
    if path:
        prefixes.append(replace(location, path=path).dotted)
    return StrategyFileError(location.file, location.line, ": ".join([*prefixes, problem]))


@contextmanager
def located_errors(location: Location) -> Iterator[None]:
    """Turn errors in a value into errors that name the file, the line and the key."""
    try:
        yield
    except StrategyFileError:
        raise
    except (StrategyError, MoneyError, RulebookError) as error:
        raise location.make_error(location, str(error)) from None


def take_parsed(reader: TomlReader, key: str, parse: Callable[[object], T], default: object | EllipsisType = ...) -> T:
    """Take the value of a key and return it parsed."""
    value = reader.take(key, default)
    with located_errors(reader.location_of(key)):
        return parse(value)


def take_dollars(reader: TomlReader, key: str, default: Dollars | EllipsisType = ...) -> Dollars:
    """Take a positive amount of dollars."""
    return take_parsed(reader, key, lambda value: check_dollars(value, key), default)


def check_dollars(value: object, label: str, parse: Callable[[Dollars, str], int] = parse_dollars) -> Dollars:
    """Return a value that is an amount of dollars. Raise StrategyError or MoneyError if it is not."""
    is_text = isinstance(value, str) and is_dollar_text(value)
    is_whole_number = isinstance(value, int) and not isinstance(value, bool)
    if not isinstance(value, int | str) or not (is_text or is_whole_number):
        raise StrategyError(f'{label} must be a whole number or quoted text such as "12.50", got {value!r}')
    parse(value, label)
    return value


class SpotLines:
    """The spots that a play names, with the line of each."""

    def __init__(self) -> None:
        self.lines: list[tuple[Spot, int]] = []

    def parse(self, value: object, location: Location) -> Spot:
        """Return the spot written at a location, and note its line."""
        with located_errors(location):
            spot = Spot.parse(value)
        self.lines.append((spot, location.line or 1))
        return spot

    def take(self, reader: TomlReader, key: str) -> Spot:
        """Take the spot that is the value of a key, and note its line."""
        return self.parse(reader.take(key), reader.location_of(key))
