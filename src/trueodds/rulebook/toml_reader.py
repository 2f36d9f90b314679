"""Read TOML tables key by key, with errors that name the file, the line and the key.

Books, houses and strategies are all read with `TomlReader`. What kind of exception an error becomes is up to the
`make_error` of its `Location`.
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from types import EllipsisType, MappingProxyType
from typing import TYPE_CHECKING, NoReturn, TypeVar

if TYPE_CHECKING:
    from trueodds.rulebook.toml_lines import KeyPath

T = TypeVar("T")

TomlTable = Mapping[str, object]
"""A parsed TOML table."""


@dataclass(frozen=True, eq=False)
class TomlDocument:
    """The file a table was read from, and its text. `text` is None if there is no file or it was not read."""

    file: str = ""
    text: str | None = field(default=None, repr=False)
    syntax_error_line: int | None = None

    @cached_property
    def lines(self) -> Mapping[KeyPath, int]:
        """The line of every key. Computed on first use, because only errors need it."""
        from trueodds.rulebook.toml_lines import line_numbers  # noqa: PLC0415  only errors need it

        return {} if self.text is None or self.syntax_error_line else line_numbers(self.text)


@dataclass(frozen=True, eq=False)
class Location:
    """A place in a TOML document, for errors.

    `make_error` turns the location and a problem into the exception to raise. `label` is a name for people
    ("play 2"); `child` passes it on unless it is given another.
    """

    make_error: Callable[[Location, str], Exception] = field(repr=False)
    document: TomlDocument = TomlDocument()
    path: KeyPath = ()
    label: str = ""

    @property
    def file(self) -> str:
        """The name of the file, or an empty string."""
        return self.document.file

    @property
    def line(self) -> int | None:
        """The line of the key, or of the nearest table around it if the key is missing; None without a text."""
        if self.document.text is None:
            return None
        lines = self.document.lines
        prefixes = (self.path[:length] for length in range(len(self.path), 0, -1))
        return next((lines[prefix] for prefix in prefixes if prefix in lines), self.document.syntax_error_line or 1)

    @property
    def dotted(self) -> str:
        """The path as people write it: "wager.field.wins[0].on"."""
        return "".join(f"[{key}]" if isinstance(key, int) else f".{key}" for key in self.path).removeprefix(".")

    def child(self, *keys: str | int, label: str | None = None) -> Location:
        """Return the location of a key, or of a key of that key."""
        return replace(self, path=(*self.path, *keys), label=self.label if label is None else label)

    def fail(self, problem: str) -> NoReturn:
        """Raise the error for a problem at this location."""
        raise self.make_error(self, problem)

    @contextmanager
    def errors_located_here(self, *kinds: type[Exception]) -> Iterator[None]:
        """Turn exceptions of these kinds into errors at this location."""
        try:
            yield
        except kinds as error:
            raise self.make_error(self, str(error)) from None


class TomlReader:
    """One TOML table. Take each key once, then call `reject_unknown_keys` to find misspelled ones."""

    def __init__(self, table: object, location: Location) -> None:
        if not isinstance(table, Mapping):
            location.fail(f"expected a table, got {table!r}")
        self.location = location
        self._table: dict[str, object] = dict(table)

    def __repr__(self) -> str:
        return f"<TomlReader {self.location.dotted or self.location.file!r}: {', '.join(self._table)}>"

    def location_of(self, key: str | int) -> Location:
        """Return the location of a key of this table, for errors."""
        return self.location.child(key)

    def fail(self, key: str, problem: str) -> NoReturn:
        """Raise the error for a problem with a key."""
        self.location_of(key).fail(problem)

    @property
    def keys(self) -> tuple[str, ...]:
        """The keys that were not taken yet."""
        return tuple(self._table)

    def has(self, key: str) -> bool:
        """Return whether the key is present and was not taken yet."""
        return key in self._table

    def take(self, key: str, default: object = ...) -> object:
        """Take a value of any type. A missing key is an error unless there is a default."""
        if key in self._table:
            return self._table.pop(key)
        if default is ...:
            self.fail(key, "missing")
        return default

    def string(self, key: str, default: str | EllipsisType = ...) -> str:
        """Take a string."""
        value = self.take(key, default)
        if not isinstance(value, str):
            self.fail(key, f"expected a string, got {value!r}")
        return value

    def boolean(self, key: str, default: bool | EllipsisType = ...) -> bool:
        """Take true or false."""
        value = self.take(key, default)
        if not isinstance(value, bool):
            self.fail(key, f"expected true or false, got {value!r}")
        return value

    def integer(self, key: str, default: int | EllipsisType = ...) -> int:
        """Take a whole number."""
        value = self.take(key, default)
        if not isinstance(value, int) or isinstance(value, bool):
            self.fail(key, f"expected a whole number, got {value!r}")
        return value

    def number(self, key: str) -> float:
        """Take a whole number or a fraction."""
        value = self.take(key)
        if not isinstance(value, int | float) or isinstance(value, bool):
            self.fail(key, f"expected a number, got {value!r}")
        return value

    def choice(self, key: str, choices: Iterable[T], default: T | EllipsisType = ...) -> T:
        """Take one of a few values."""
        allowed = tuple(choices)
        value = self.take(key, default)
        matches = [choice for choice in allowed if value == choice and type(value) is type(choice)]
        if not matches:
            self.fail(key, f"expected one of {', '.join(map(str, allowed))}, got {value!r}")
        return matches[0]

    def strings(self, key: str, default: tuple[str, ...] | EllipsisType = ...) -> tuple[str, ...]:
        """Take a list of strings."""
        value = self.take(key, default)
        if not isinstance(value, list | tuple) or not all(isinstance(item, str) for item in value):
            self.fail(key, f"expected a list of strings, got {value!r}")
        return tuple(value)

    def integers(self, key: str) -> tuple[int, ...]:
        """Take a list of whole numbers."""
        value = self.take(key)
        if not isinstance(value, list | tuple) or not all(type(item) is int for item in value):
            self.fail(key, f"expected a list of whole numbers, got {value!r}")
        return tuple(value)

    def array(self, key: str, default: tuple[object, ...] | EllipsisType = ...) -> tuple[object, ...]:
        """Take a list of values of any type."""
        value = self.take(key, default)
        if not isinstance(value, list | tuple):
            self.fail(key, f"expected a list, got {value!r}")
        return tuple(value)

    def table(self, key: str, default: TomlTable | EllipsisType = ...) -> TomlReader:
        """Take a table inside this one."""
        return TomlReader(self.take(key, default), self.location_of(key))

    def tables(self, key: str, default: tuple[TomlTable, ...] | EllipsisType = ...) -> tuple[TomlReader, ...]:
        """Take a list of tables."""
        location = self.location_of(key)
        return tuple(TomlReader(row, location.child(index)) for index, row in enumerate(self.array(key, default)))

    def named_tables(self) -> dict[str, TomlReader]:
        """Take everything that is left; each value must be a table."""
        return {key: TomlReader(value, self.location_of(key)) for key, value in self.take_all().items()}

    def remaining(self) -> dict[str, object]:
        """Return everything that was not taken yet, without taking it."""
        return dict(self._table)

    def take_all(self) -> dict[str, object]:
        """Take everything that is left."""
        remaining, self._table = self._table, {}
        return remaining

    def reject_unknown_keys(self) -> None:
        """Raise an error if any key was not taken."""
        if self._table:
            self.fail(min(self._table), "unknown key")


def parse_toml(text: str, location: Location) -> TomlReader:
    """Parse the text of a TOML file. `location` names the file and the kind of error."""
    try:
        table = tomllib.loads(text)
    except (ValueError, RecursionError) as error:
        from trueodds.rulebook.toml_lines import locate_syntax_error  # noqa: PLC0415  only errors need it

        line, problem = locate_syntax_error(text, error)
        location = replace(location, document=TomlDocument(location.file, text, line))
        raise location.make_error(location, f"not valid TOML: {problem}") from None
    return TomlReader(table, replace(location, document=TomlDocument(location.file, text)))


def read_toml_file(
    path: Path, make_error: Callable[[Location, str], Exception], max_bytes: int | None = None
) -> TomlReader:
    """Read and parse a TOML file. A file that is unreadable or larger than `max_bytes` is an error too."""
    location = Location(make_error, TomlDocument(str(path)))
    try:
        if max_bytes is not None and path.stat().st_size > max_bytes:
            location.fail(f"the file is larger than {max_bytes} bytes")
        text = path.read_text("utf-8")
    except OSError as error:
        raise make_error(location, f"cannot read the file: {error.strerror}") from None
    except UnicodeDecodeError as error:
        raise make_error(location, f"not valid TOML: not UTF-8: {error.reason}") from None
    return parse_toml(text, location)


def freeze(value: object) -> object:
    """Return a read-only copy of a parsed value, at any depth."""
    if isinstance(value, Mapping):
        return freeze_table(value)
    if isinstance(value, list | tuple):
        return tuple(freeze(item) for item in value)
    return value


def freeze_table(table: TomlTable) -> TomlTable:
    """Return a read-only copy of a parsed table, at any depth."""
    return MappingProxyType({key: freeze(item) for key, item in table.items()})


def thaw(value: object) -> object:
    """Return plain dicts and lists for a value made by `freeze`."""
    if isinstance(value, Mapping):
        return {key: thaw(item) for key, item in value.items()}
    return [thaw(item) for item in value] if isinstance(value, tuple) else value
