"""What the value of an option looks like: how it is read, and within what it can be at all."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Final, Protocol

Value = Any
"""A value as a house holds it: bool, int, str, None, a tuple of names, or a read-only map of such."""

NONE: Final = "none"
"""How "nothing" is written in TOML, which has no null."""


class Shape(Protocol):
    """What a value looks like."""

    def read(self, value: Value) -> Value:
        """Read a value; raises ValueError with what was expected."""


@dataclass(frozen=True)
class Flag:
    """Yes or no."""

    def read(self, value: Value) -> bool:
        """Read true or false."""
        if not isinstance(value, bool):
            raise ValueError("true or false")
        return value


@dataclass(frozen=True)
class Whole:
    """A whole number of a unit ("cents", "basis_points", "times", "total"), perhaps none.

    >>> Whole("total", 2, 12, "2 to 12").read(7)
    7
    """

    unit: str
    least: int
    most: int
    what: str
    or_none: bool = False

    def read(self, value: Value) -> int | None:
        """Read a number within the bounds."""
        if self.or_none and (value is None or value == NONE):
            return None
        if type(value) is not int or not self.least <= value <= self.most:
            raise ValueError(self.what)
        return value


@dataclass(frozen=True)
class OneOf:
    """One of a few words."""

    words: tuple[str, ...]

    def read(self, value: Value) -> str:
        """Read one of the words."""
        if value not in self.words or not isinstance(value, str):
            raise ValueError("one of " + ", ".join(self.words))
        return value


@dataclass(frozen=True)
class Name:
    """A name that the book knows, or odds in words."""

    def read(self, value: Value) -> str:
        """Read a text that is not empty."""
        if not isinstance(value, str) or not value:
            raise ValueError("a name")
        return value


@dataclass(frozen=True)
class Wagers:
    """Some of the book's wagers, each once."""

    def read(self, value: Value) -> tuple[str, ...]:
        """Read a list of names."""
        if not isinstance(value, list | tuple) or not all(isinstance(name, str) for name in value):
            raise ValueError("a list of wagers")
        if len(set(value)) != len(value):
            raise ValueError("a list that names each wager once")
        return tuple(value)


@dataclass(frozen=True)
class Table:
    """A value for each of several keys."""

    item: Shape
    what: str
    is_key: Callable[[str], bool]

    def read(self, value: Value) -> Mapping[str, Value]:
        """Read a map."""
        if not isinstance(value, Mapping) or not all(isinstance(key, str) and self.is_key(key) for key in value):
            raise ValueError(self.what)
        try:
            return MappingProxyType({key: self.item.read(item) for key, item in value.items()})
        except ValueError as error:
            raise ValueError(f"{self.what}, each {error}") from None
