"""The types of option values: how each is parsed, and in what range."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final, Protocol, TypeAlias

OptionValue: TypeAlias = "bool | int | str | tuple[str, ...] | Mapping[str, OptionValue] | None"
"""The value of an option in a house. A tuple holds kinds of wagers; mappings are read-only."""

NONE: Final = "none"
"""How None is written in TOML, which has no null."""


class ValueType(Protocol):
    """A type of option values."""

    def parse(self, value: object) -> OptionValue:
        """Return the value as a house stores it. Raise ValueError with what was expected if it has another type."""


@dataclass(frozen=True)
class BooleanType:
    """True or false."""

    def parse(self, value: object) -> bool:
        """Return true or false."""
        if not isinstance(value, bool):
            raise ValueError("true or false")
        return value


@dataclass(frozen=True)
class IntegerType:
    """A whole number of some unit ("cents", "basis_points", "times", "total"), or None if `allows_none`.

    >>> IntegerType("total", 2, 12, "2 to 12").parse(7)
    7
    """

    unit: str
    minimum: int
    maximum: int
    expected: str
    allows_none: bool = False

    def parse(self, value: object) -> int | None:
        """Return a number within the range."""
        if self.allows_none and (value is None or value == NONE):
            return None
        if not isinstance(value, int) or isinstance(value, bool) or not self.minimum <= value <= self.maximum:
            raise ValueError(self.expected)
        return value


@dataclass(frozen=True)
class ChoiceType:
    """One of a few words."""

    words: tuple[str, ...]

    def parse(self, value: object) -> str:
        """Return one of the words."""
        if not isinstance(value, str) or value not in self.words:
            raise ValueError("one of " + ", ".join(self.words))
        return value


@dataclass(frozen=True)
class NameType:
    """A name that is checked elsewhere: a game, a fire pay table, odds in words."""

    def parse(self, value: object) -> str:
        """Return a string that is not empty."""
        if not isinstance(value, str) or not value:
            raise ValueError("a name")
        return value


@dataclass(frozen=True)
class WagerListType:
    """A list of kinds of wagers, each at most once."""

    def parse(self, value: object) -> tuple[str, ...]:
        """Return the kinds of wagers."""
        if not isinstance(value, list | tuple) or not all(isinstance(name, str) for name in value):
            raise ValueError("a list of wagers")
        if len(set(value)) != len(value):
            raise ValueError("a list that names each wager once")
        return tuple(value)


@dataclass(frozen=True)
class MapType:
    """A value for each of several keys."""

    item: ValueType
    expected: str
    is_key: Callable[[str], bool]

    def parse(self, value: object) -> Mapping[str, OptionValue]:
        """Return a read-only map."""
        if not isinstance(value, Mapping) or not all(isinstance(key, str) and self.is_key(key) for key in value):
            raise ValueError(self.expected)
        try:
            return MappingProxyType({key: self.item.parse(item) for key, item in value.items()})
        except ValueError as error:
            raise ValueError(f"{self.expected}, each {error}") from None
