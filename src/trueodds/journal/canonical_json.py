"""Canonical JSON, and the hash of a list of fields."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from typing import Any, Final, TypeAlias

from trueodds.journal.errors import CodecError

Json: TypeAlias = Any
"""A decoded JSON value without fractions. Readers check what they take from it."""

JsonObject: TypeAlias = Mapping[str, Json]
"""A decoded JSON object without fractions."""

HASH_PREFIX: Final = "trueodds/journal/1/"
"""Every hashed message starts with this and its purpose, so that a hash for one purpose cannot serve another."""

MAX_ID_LENGTH: Final = 80
"""The longest player id or command id."""

_dumps = json.JSONEncoder(ensure_ascii=True, sort_keys=True, separators=(",", ":"), allow_nan=False).encode


def encode_canonical(value: object) -> str:
    """Return a value as canonical JSON: sorted keys, no spaces, ASCII only, no fractions.

    Raise `CodecError` if the value is not plain JSON.

    >>> encode_canonical({"b": [1, True], "a": "é"})
    '{"a":"\\\\u00e9","b":[1,true]}'
    """
    _require_plain_json(value, "")
    return _dumps(value)


def _require_plain_json(value: object, where: str) -> None:
    """Raise `CodecError` for a value that JSON could encode in two ways or would decode as something else."""
    if value is None or type(value) in {str, int, bool}:
        return
    if type(value) is dict:
        for key, item in value.items():
            if type(key) is not str:
                raise CodecError(f"a JSON key must be text, got {key!r}{where}")
            _require_plain_json(item, f" in {key!r}")
        return
    if isinstance(value, list | tuple) and type(value) in {list, tuple}:
        for item in value:
            _require_plain_json(item, where)
        return
    raise CodecError(f"expected text, a whole number, a boolean, null, a list or an object, got {value!r}{where}")


def encode_canonical_unchecked(value: object) -> str:
    """Return a value that is known to be plain JSON as canonical JSON."""
    return _dumps(value)


def decode_canonical(text: str) -> Json:
    """Return the value of canonical JSON. Raise `CodecError` for any other text."""
    try:
        value: Json = json.loads(text)
        encoded = encode_canonical(value)
    except (ValueError, RecursionError) as error:
        raise CodecError(f"invalid JSON: {error}") from None
    if encoded != text:
        raise CodecError(f"JSON is not canonical: {text[:60]}")
    return value


def decode_object(text: str) -> JsonObject:
    """Return the object of canonical JSON. Raise `CodecError` if the text is anything else."""
    value = decode_canonical(text)
    if type(value) is not dict:
        raise CodecError(f"expected a JSON object, got {text[:60]}")
    return dict(value)


def is_valid_id(value: object) -> bool:
    """Return whether a value is short printable text that either database can store.

    >>> is_valid_id("p1"), is_valid_id(""), is_valid_id("a\\0b")
    (True, False, False)
    """
    return type(value) is str and 0 < len(value) <= MAX_ID_LENGTH and value.isprintable()


def hash_fields(purpose: str, *fields: str | int) -> str:
    """Return the SHA-256 of some fields in hexadecimal.

    Each field is preceded by its length in 4 bytes, big-endian. Text is UTF-8; a whole number is 8 bytes, big-endian
    and signed.

    >>> hash_fields("x", "Ann", 7)[:16]
    '1f3c6c9aa42af136'
    """
    message = bytearray()
    for field in (HASH_PREFIX + purpose, *fields):
        # Invalid UTF-8 in a damaged database is read as surrogates; it must hash to the original bytes.
        octets = field.to_bytes(8, signed=True) if isinstance(field, int) else field.encode("utf-8", "surrogateescape")
        message += len(octets).to_bytes(4) + octets
    return hashlib.sha256(message).hexdigest()
