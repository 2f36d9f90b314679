"""How a type is written as JSON and read back, made from its annotations."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import MISSING, fields, is_dataclass
from enum import StrEnum
from fractions import Fraction
from functools import cache, lru_cache
from types import NoneType, UnionType
from typing import Any, Final, Literal, NamedTuple, NewType, Union, get_args, get_origin, get_type_hints

from trueodds.dice import Roll
from trueodds.journal.errors import CodecError
from trueodds.money import Odds
from trueodds.rulebook import Spot


class Coder(NamedTuple):
    """Both ways between a value and JSON, and the shape of the type as JSON."""

    write: Callable[[Any], Any]
    read: Callable[[Any], Any]
    shape: Any


WORDS: Final[Mapping[type, Callable[[str], Any]]] = {
    Roll: Roll.parse,
    Spot: Spot.parse,
    Odds: Odds.parse,
    Fraction: Fraction,
}
"""Types that have one word for each value, and what reads it: 3-4, place:6, 7 to 6, 2/3."""


@cache
def coder_of(kind: Any) -> Coder:
    """Make the coder of a type: plain values, words, choices, tuples, unions, records of those."""
    if kind in {str, int, bool}:
        return _plain(kind)
    if kind in WORDS:
        return _word(kind)
    if isinstance(kind, NewType):
        return coder_of(kind.__supertype__)
    origin = get_origin(kind)
    if origin is Literal:
        return _choice(get_args(kind))
    if origin in {Union, UnionType}:
        return _union(get_args(kind))
    if origin is tuple:
        return _row(get_args(kind))
    if isinstance(kind, type) and issubclass(kind, StrEnum):
        return _enum(kind)
    if isinstance(kind, type) and (is_dataclass(kind) or issubclass(kind, tuple)):
        return _record(kind)
    raise CodecError(f"{kind!r} has no way to be written")


def _plain(kind: type) -> Coder:
    def same(value: Any) -> Any:
        if type(value) is not kind:
            raise CodecError(f"expected {kind.__name__}, not {value!r}")
        return value

    return Coder(same, same, kind.__name__)


def _word(kind: type) -> Coder:
    parse = WORDS[kind]

    def write(value: Any) -> str:
        if type(value) is not kind or read(str(value)) != value:
            raise CodecError(f"expected {kind.__name__}, not {value!r}")
        return str(value)

    @lru_cache(4096)
    def parsed(text: str) -> Any:
        try:
            value = parse(text)
        except (ValueError, ZeroDivisionError) as error:
            raise CodecError(str(error)) from None
        if str(value) != text:
            raise CodecError(f"{text!r} is not how {kind.__name__} is written")
        return value

    def read(text: Any) -> Any:
        if type(text) is not str:
            raise CodecError(f"expected the text of {kind.__name__}, not {text!r}")
        return parsed(text) if len(text) <= 16 else parsed.__wrapped__(text)

    return Coder(write, read, ["word", kind.__name__])


def _choice(allowed: tuple[Any, ...]) -> Coder:
    def same(value: Any) -> Any:
        if type(value) is not str or value not in allowed:
            raise CodecError(f"expected one of {', '.join(map(repr, allowed))}, not {value!r}")
        return value

    return Coder(same, same, ["one of", *sorted(allowed)])


def _enum(kind: type[StrEnum]) -> Coder:
    members = {member.value: member for member in kind}
    known = _choice(tuple(members))

    def write(value: Any) -> str:
        if type(value) is not kind:
            raise CodecError(f"expected {kind.__name__}, not {value!r}")
        return value.value

    return Coder(write, lambda value: members[known.read(value)], known.shape)


def _row(items: tuple[Any, ...]) -> Coder:
    """Write a tuple: any number of one type."""
    kind, *rest = items
    if rest != [...]:
        raise CodecError(f"a tuple of {items!r} has no way to be written")
    item = coder_of(kind)

    def write(values: Any) -> list[Any]:
        if type(values) is not tuple:
            raise CodecError(f"expected a tuple, not {values!r}")
        return [item.write(value) for value in values]

    def read(values: Any) -> tuple[Any, ...]:
        if type(values) is not list:
            raise CodecError(f"expected a list, not {values!r}")
        return tuple([item.read(value) for value in values])

    return Coder(write, read, ["row", item.shape])


def _union(kinds: tuple[Any, ...]) -> Coder:
    """Write nothing as null; of several records one says which it is."""
    some = [kind for kind in kinds if kind is not NoneType]
    inner = coder_of(some[0]) if len(some) == 1 else _tagged(some)
    if len(some) == len(kinds):
        return inner

    def write(value: Any) -> Any:
        return None if value is None else inner.write(value)

    def read(value: Any) -> Any:
        return None if value is None else inner.read(value)

    return Coder(write, read, ["maybe", inner.shape])


def _tagged(kinds: list[type]) -> Coder:
    by_name = {kind.__name__: coder_of(kind) for kind in kinds}

    def write(value: Any) -> Any:
        name = type(value).__name__
        if type(value) not in kinds:
            raise CodecError(f"expected {' or '.join(by_name)}, not {value!r}")
        return {name: by_name[name].write(value)}

    def read(value: Any) -> Any:
        if type(value) is not dict or len(value) != 1 or (name := next(iter(value))) not in by_name:
            raise CodecError(f"expected {' or '.join(by_name)}, not {value!r}")
        return by_name[name].read(value[name])

    return Coder(write, read, ["either", *(coder.shape for coder in by_name.values())])


def _fields(kind: type) -> dict[str, Any]:
    """Name the fields of a record in order, each with its default or `MISSING`."""
    if is_dataclass(kind):
        return {field.name: field.default for field in fields(kind)}
    defaults: dict[str, Any] = getattr(kind, "_field_defaults", {})
    return {name: defaults.get(name, MISSING) for name in getattr(kind, "_fields", ())}


def _record(kind: type) -> Coder:
    """Write a record by its fields; a field that has its default is left out."""
    defaults, hints = _fields(kind), get_type_hints(kind)
    if not defaults:
        raise CodecError(f"{kind!r} has no fields to be written by")
    coders = {name: coder_of(hints[name]) for name in defaults}
    rows = [(name, coder.write, defaults[name], type(defaults[name])) for name, coder in coders.items()]
    items_of: Callable[[Any], Iterable[Any]] = iter
    if not issubclass(kind, tuple):
        items_of = lambda value: [getattr(value, name) for name in defaults]  # noqa: E731  one of two ways
    needed = [name for name, default in defaults.items() if default is MISSING]

    def write(value: Any) -> dict[str, Any]:
        if type(value) is not kind:
            raise CodecError(f"expected {kind.__name__}, not {value!r}")
        return {
            name: write_field(item)
            for (name, write_field, default, default_kind), item in zip(rows, items_of(value), strict=True)
            if item is not default and (default is MISSING or type(item) is not default_kind or item != default)
        }

    def read(value: Any) -> Any:
        if type(value) is not dict:
            raise CodecError(f"expected the fields of {kind.__name__}, not {value!r}")
        if missing := [name for name in needed if name not in value]:
            raise CodecError(f"{kind.__name__} needs a {missing[0]}")
        try:
            return kind(**{name: _field(kind, coders, name).read(item) for name, item in value.items()})
        except (ValueError, TypeError) as error:
            raise CodecError(f"{kind.__name__}: {error}") from None

    shape = ["record", kind.__name__, *(_field_shape(name, coders[name], defaults[name]) for name in defaults)]
    return Coder(write, read, shape)


def _field(kind: type, coders: Mapping[str, Coder], name: str) -> Coder:
    if name not in coders:
        raise CodecError(f"{kind.__name__} has no {name!r}")
    return coders[name]


def _field_shape(name: str, coder: Coder, default: Any) -> Any:
    return [name, coder.shape] if default is MISSING else [name, coder.shape, coder.write(default)]
