"""Places in a strategy file: what is read from there, and errors that name the line."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any, NoReturn, TypeVar

from trueodds.money import MoneyError
from trueodds.notation import NotationError
from trueodds.rulebook import RulebookError, Spot
from trueodds.strategy.errors import StrategyError, StrategyFileError
from trueodds.strategy.lines import Path

T = TypeVar("T")


class Place:
    """A place in a file. `name` says it in words, `spots` gathers the spots named in a play and their lines."""

    def __init__(self, file: str, lines: Mapping[Path, int], path: Path = (), name: str = "") -> None:
        self.file = file
        self.name = name
        self.spots: list[tuple[Spot, int]] = []
        self._lines = lines
        self._path = path

    def within(self, key: str | int, name: str | None = None) -> Place:
        """Go one step further in; without a name it is still called by the name of where it came from."""
        place = Place(self.file, self._lines, (*self._path, key), self.name if name is None else name)
        place.spots = self.spots
        return place

    @property
    def line(self) -> int:
        """The line it stands on; for something that is missing, that of what it is missing from."""
        paths = (self._path[:length] for length in range(len(self._path), 0, -1))
        return next((self._lines[path] for path in paths if path in self._lines), 1)

    def fail(self, what: str) -> NoReturn:
        """Say that something is wrong here."""
        raise StrategyFileError(self.file, self.line, f"{self.name}: {what}" if self.name else what)

    @contextmanager
    def blamed(self) -> Iterator[None]:
        """Let whatever goes wrong meanwhile be an error of this place."""
        try:
            yield
        except StrategyFileError:
            raise
        except (StrategyError, MoneyError, NotationError, RulebookError) as error:
            self.fail(str(error))

    def read(self, reader: Callable[[Any], T], value: Any) -> T:
        """Read a value that stands here."""
        with self.blamed():
            return reader(value)

    def spot(self, value: Any) -> Spot:
        """Read a spot, and remember where it is named."""
        spot = self.read(Spot.parse, value)
        self.spots.append((spot, self.line))
        return spot


class Table:
    """A table of the file; what is left of it at the end was not understood."""

    def __init__(self, data: object, place: Place) -> None:
        self.place = place
        if not isinstance(data, dict):
            place.fail(f"expected a table, not {data!r}")
        self._left: dict[str, Any] = dict(data)

    def at(self, key: str) -> Place:
        """Give the place of a key."""
        return self.place.within(key)

    def take(self, key: str, default: Any = None) -> Any:
        """Take a value out."""
        return self._left.pop(key, default)

    def read(self, key: str, reader: Callable[[Any], T], default: Any = None) -> T:
        """Take a value out and read it."""
        return self.at(key).read(reader, self.take(key, default))

    def text(self, key: str, default: str) -> str:
        """Take a text out."""
        value = self.take(key, default)
        if not isinstance(value, str):
            self.at(key).fail(f"{key} is a text, not {value!r}")
        return value

    def done(self) -> None:
        """Refuse what is left."""
        for key in self._left:
            self.at(key).fail(f"{key!r} is not understood")

    @property
    def keys(self) -> list[str]:
        """What is left."""
        return list(self._left)
