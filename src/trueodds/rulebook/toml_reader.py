"""Reading a TOML table key by key, with errors that say where."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from types import MappingProxyType
from typing import Any, NoReturn, TypeVar

from trueodds.rulebook.errors import BookError

T = TypeVar("T")


def frozen(value: Any) -> Any:
    """Make a parsed value read-only all the way down."""
    if isinstance(value, Mapping):
        return MappingProxyType({key: frozen(item) for key, item in value.items()})
    if isinstance(value, list | tuple):
        return tuple(frozen(item) for item in value)
    return value


def thawed(value: Any) -> Any:
    """Make plain dicts and lists of a read-only value."""
    if isinstance(value, Mapping):
        return {key: thawed(item) for key, item in value.items()}
    return [thawed(item) for item in value] if isinstance(value, tuple) else value


class Reader:
    """One table of a book. Each key is taken once; `done` complains about what nobody asked for."""

    def __init__(self, table: object, where: str) -> None:
        if not isinstance(table, Mapping):
            raise BookError(where, f"expected a table, not {table!r}")
        self.where = where
        self._table: dict[str, Any] = dict(table)

    def at(self, key: str) -> str:
        """Name a key with its path."""
        return f"{self.where}.{key}" if self.where else key

    def fail(self, key: str, what: str) -> NoReturn:
        """Complain about a key."""
        raise BookError(self.at(key), what)

    def has(self, key: str) -> bool:
        """Whether the key is there and not taken yet."""
        return key in self._table

    def take(self, key: str, default: Any = ...) -> Any:
        """Take a value as it is."""
        if key in self._table:
            return self._table.pop(key)
        if default is ...:
            self.fail(key, "missing")
        return default

    def _typed(self, key: str, default: Any, ok: Callable[[Any], bool], what: str) -> Any:
        value = self.take(key, default)
        if value is not default and not ok(value):
            self.fail(key, f"expected {what}, not {value!r}")
        return value

    def text(self, key: str, default: Any = ...) -> str:
        """Take a string."""
        return str(self._typed(key, default, lambda value: isinstance(value, str), "text"))

    def flag(self, key: str, default: Any = ...) -> bool:
        """Take true or false."""
        return bool(self._typed(key, default, lambda value: isinstance(value, bool), "true or false"))

    def whole(self, key: str, default: Any = ...) -> int:
        """Take a whole number."""
        return int(self._typed(key, default, lambda value: type(value) is int, "a whole number"))

    def choice(self, key: str, choices: Iterable[T], default: Any = ...) -> T:
        """Take one of a few values."""
        allowed = tuple(choices)
        value: T = self.take(key, default)
        if not any(value == one and type(value) is type(one) for one in allowed):
            self.fail(key, f"expected one of {', '.join(map(str, allowed))}, not {value!r}")
        return value

    def texts(self, key: str, default: Any = ...) -> tuple[str, ...]:
        """Take a list of strings."""
        return tuple(self._typed(key, default, lambda v: _list_of(v, str), "a list of texts"))

    def totals(self, key: str, default: Any = ...) -> tuple[int, ...]:
        """Take a list of totals of two dice."""
        value = self._typed(key, default, lambda v: _list_of(v, int), "a list of totals")
        if any(not 2 <= total <= 12 for total in value):
            self.fail(key, f"totals of two dice are 2 to 12, not {value!r}")
        return tuple(value)

    def table(self, key: str, default: Any = ...) -> Reader:
        """Take a table below this one."""
        return Reader(self.take(key, default), self.at(key))

    def items(self) -> list[tuple[str, Any]]:
        """Take everything that is left."""
        items = list(self._table.items())
        self._table.clear()
        return items

    def done(self) -> None:
        """Complain about keys that mean nothing here."""
        if self._table:
            self.fail(min(self._table), "unknown key")


def _list_of(value: Any, kind: type) -> bool:
    return isinstance(value, list | tuple) and all(type(item) is kind for item in value)
