"""JSON codecs built from type annotations."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import MISSING, fields, is_dataclass
from enum import StrEnum
from fractions import Fraction
from functools import lru_cache
from operator import attrgetter
from types import NoneType, UnionType
from typing import Any, Final, Literal, NamedTuple, NewType, TypeAlias, Union, get_args, get_origin, get_type_hints

from trueodds.dice import Roll
from trueodds.journal.canonical_json import Json
from trueodds.journal.errors import CodecError
from trueodds.money import Odds
from trueodds.rulebook import Spot
from trueodds.wagers import OddsBet, Wager

Value: TypeAlias = Any
"""A Python value of the type that a codec is for."""


class JsonCodec(NamedTuple):
    """Encodes values of one type as JSON and decodes them. `schema` describes the type as JSON."""

    encode: Callable[[Value], Json]
    decode: Callable[[Json], Value]
    schema: Json


TEXT_TYPES: Final[Mapping[type, Callable[[str], object]]] = {
    Roll: Roll.parse,
    Spot: Spot.parse,
    Odds: Odds.parse,
    Fraction: Fraction,
}
"""Types that are stored as text (3-4, place:6, 7 to 6, 2/3), with their parsers."""

UNION_TAGS: Final[Mapping[type, str]] = {Wager: "wager", OddsBet: "odds_bet"}
"""How a value of a union says which type it is. Tags are stored, so they do not follow the class names."""

_CODECS: Final[dict[object, JsonCodec]] = {}


def codec_for(kind: object) -> JsonCodec:
    """Return the codec of a type: a plain type, a text type, a literal, an enum, a tuple, a union or a record."""
    codec = _CODECS.get(kind)
    if codec is None:
        codec = _CODECS[kind] = _build_codec(kind)
    return codec


def _build_codec(kind: object) -> JsonCodec:
    if isinstance(kind, NewType):
        return codec_for(kind.__supertype__)
    origin = get_origin(kind)
    if origin is Literal:
        return _literal_codec(get_args(kind))
    if origin in {Union, UnionType}:
        return _union_codec(get_args(kind))
    if origin is tuple:
        return _tuple_codec(get_args(kind))
    if not isinstance(kind, type):
        raise CodecError(f"no JSON codec for {kind!r}")
    if kind in {str, int, bool}:
        return _plain_codec(kind)
    if kind in TEXT_TYPES:
        return _text_codec(kind)
    if issubclass(kind, StrEnum):
        return _enum_codec(kind)
    if is_dataclass(kind) or issubclass(kind, tuple):
        return _record_codec(kind)
    raise CodecError(f"no JSON codec for {kind!r}")


def _plain_codec(kind: type) -> JsonCodec:
    def check(value: Value) -> Json:
        if type(value) is not kind:
            raise CodecError(f"expected {kind.__name__}, got {value!r}")
        return value

    return JsonCodec(check, check, kind.__name__)


def _text_codec(kind: type) -> JsonCodec:
    parse = TEXT_TYPES[kind]

    def encode(value: Value) -> str:
        if type(value) is not kind or decode(str(value)) != value:
            raise CodecError(f"expected {kind.__name__}, got {value!r}")
        return str(value)

    def parse_strictly(text: str) -> Value:
        try:
            value = parse(text)
        except (ValueError, ZeroDivisionError) as error:
            raise CodecError(str(error)) from None
        if str(value) != text:
            raise CodecError(f"not the canonical text of {kind.__name__}: {text!r}")
        return value

    parse_cached = lru_cache(4096)(parse_strictly)

    def decode(text: Json) -> Value:
        if type(text) is not str:
            raise CodecError(f"expected the text of {kind.__name__}, got {text!r}")
        return parse_cached(text) if len(text) <= 16 else parse_strictly(text)

    return JsonCodec(encode, decode, ["text", kind.__name__])


def _literal_codec(allowed: Sequence[str]) -> JsonCodec:
    def check(value: Value) -> Json:
        if type(value) is not str or value not in allowed:
            raise CodecError(f"expected one of {', '.join(map(repr, allowed))}, got {value!r}")
        return value

    return JsonCodec(check, check, ["one of", *sorted(allowed)])


def _enum_codec(kind: type[StrEnum]) -> JsonCodec:
    members = {member.value: member for member in kind}
    literal = _literal_codec(tuple(members))

    def encode(value: Value) -> str:
        if type(value) is not kind:
            raise CodecError(f"expected {kind.__name__}, got {value!r}")
        return value.value

    return JsonCodec(encode, lambda value: members[literal.decode(value)], literal.schema)


def _tuple_codec(items: Sequence[object]) -> JsonCodec:
    """Return the codec of a tuple of any length with items of one type."""
    kind, *rest = items
    if rest != [...]:
        raise CodecError(f"no JSON codec for a tuple of {items!r}")
    item = codec_for(kind)

    def encode(values: Value) -> list[Json]:
        if type(values) is not tuple:
            raise CodecError(f"expected a tuple, got {values!r}")
        return [item.encode(value) for value in values]

    def decode(values: Json) -> tuple[Value, ...]:
        if type(values) is not list:
            raise CodecError(f"expected a list, got {values!r}")
        return tuple([item.decode(value) for value in values])

    return JsonCodec(encode, decode, ["list", item.schema])


def _union_codec(kinds: Sequence[object]) -> JsonCodec:
    """Return the codec of a union: None is null, and one of several records is tagged."""
    types = [kind for kind in kinds if kind is not NoneType]
    inner = codec_for(types[0]) if len(types) == 1 else _tagged_union_codec(types)
    if len(types) == len(kinds):
        return inner

    def encode(value: Value) -> Json:
        return None if value is None else inner.encode(value)

    def decode(value: Json) -> Value:
        return None if value is None else inner.decode(value)

    return JsonCodec(encode, decode, ["optional", inner.schema])


def _tagged_union_codec(kinds: Iterable[object]) -> JsonCodec:
    tags = {kind: UNION_TAGS[kind] for kind in kinds if isinstance(kind, type)}
    codecs = {tag: codec_for(kind) for kind, tag in tags.items()}

    def encode(value: Value) -> Json:
        tag = tags.get(type(value))
        if tag is None:
            raise CodecError(f"expected {' or '.join(codecs)}, got {value!r}")
        return {tag: codecs[tag].encode(value)}

    def decode(value: Json) -> Value:
        if type(value) is not dict or len(value) != 1 or (tag := next(iter(value))) not in codecs:
            raise CodecError(f"expected {' or '.join(codecs)}, got {value!r}")
        return codecs[tag].decode(value[tag])

    return JsonCodec(encode, decode, ["union", *([tag, codec.schema] for tag, codec in codecs.items())])


def _field_defaults(kind: type) -> dict[str, Value]:
    """Return the fields of a record in order, each with its default or `MISSING`."""
    if is_dataclass(kind):
        return {field.name: field.default for field in fields(kind)}
    defaults: dict[str, Value] = getattr(kind, "_field_defaults", {})
    return {name: defaults.get(name, MISSING) for name in getattr(kind, "_fields", ())}


def _record_codec(kind: type) -> JsonCodec:
    """Return the codec of a dataclass or named tuple. Fields that have their default are left out."""
    defaults, hints = _field_defaults(kind), get_type_hints(kind)
    if not defaults:
        raise CodecError(f"no JSON codec for {kind!r}: it has no fields")
    codecs = {name: codec_for(hints[name]) for name in defaults}
    columns = [(name, codec.encode, defaults[name], type(defaults[name])) for name, codec in codecs.items()]
    items_of: Callable[[Value], Iterable[Value]] = (
        iter if issubclass(kind, tuple) else _attribute_getter(tuple(defaults))
    )
    required = [name for name, default in defaults.items() if default is MISSING]

    def encode(value: Value) -> dict[str, Json]:
        if type(value) is not kind:
            raise CodecError(f"expected {kind.__name__}, got {value!r}")
        return {
            name: encode_field(item)
            for (name, encode_field, default, default_type), item in zip(columns, items_of(value), strict=True)
            if item is not default and (default is MISSING or type(item) is not default_type or item != default)
        }

    def decode(value: Json) -> Value:
        if type(value) is not dict:
            raise CodecError(f"expected the fields of {kind.__name__}, got {value!r}")
        if missing := [name for name in required if name not in value]:
            raise CodecError(f"{kind.__name__} needs {missing[0]!r}")
        try:
            return kind(**{name: _field_codec(kind, codecs, name).decode(item) for name, item in value.items()})
        except (ValueError, TypeError) as error:
            raise CodecError(f"{kind.__name__}: {error}") from None

    return JsonCodec(
        encode, decode, ["record", *(_field_schema(name, codecs[name], defaults[name]) for name in defaults)]
    )


def _attribute_getter(names: tuple[str, ...]) -> Callable[[Value], Iterable[Value]]:
    """Return a function that reads the attributes of a dataclass in order."""
    if len(names) == 1:
        return lambda value: (getattr(value, names[0]),)
    return attrgetter(*names)


def _field_codec(kind: type, codecs: Mapping[str, JsonCodec], name: str) -> JsonCodec:
    if name not in codecs:
        raise CodecError(f"{kind.__name__} has no {name!r}")
    return codecs[name]


def _field_schema(name: str, codec: JsonCodec, default: Value) -> Json:
    return [name, codec.schema] if default is MISSING else [name, codec.schema, codec.encode(default)]
