"""The one way JSON is written here, and the one way anything is turned into bytes before it is hashed."""

from __future__ import annotations

import hashlib
import json
from typing import Any, Final

from trueodds.journal.errors import CodecError

DOMAIN: Final = "trueodds/journal/1/"
"""Every message begins with this and with what it is for, so that no hash can stand in for another."""

NAME_LENGTH: Final = 80
"""As long as the name of a player at a table may be."""

_encode = json.JSONEncoder(ensure_ascii=True, sort_keys=True, separators=(",", ":"), allow_nan=False).encode


def write_json(value: Any) -> str:
    """Write a value of JSON in the one way: keys in order, no spaces, nothing beyond ASCII, no fractions.

    >>> write_json({"b": [1, True], "a": "é"})
    '{"a":"\\\\u00e9","b":[1,true]}'
    """
    _check(value, "")
    return _encode(value)


def _check(value: Any, where: str) -> None:
    """Refuse what JSON would write in more than one way, or read back as something else."""
    if value is None or type(value) in {str, int, bool}:
        return
    if type(value) is dict:
        for key, item in value.items():
            if type(key) is not str:
                raise CodecError(f"a key of JSON is text, not {key!r}{where}")
            _check(item, f" in {key!r}")
        return
    if type(value) in {list, tuple}:
        for item in value:
            _check(item, where)
        return
    raise CodecError(f"{value!r}{where} is no text, whole number, truth, list or object of JSON")


def encode_json(value: Any) -> str:
    """Write what is known to be plain, the same way and without looking at it again."""
    return _encode(value)


def read_json(text: str) -> Any:
    """Read what `write_json` wrote, and nothing that is written otherwise."""
    try:
        value = json.loads(text)
        again = write_json(value)
    except (ValueError, RecursionError) as error:
        raise CodecError(f"not JSON: {error}") from None
    if again != text:
        raise CodecError("JSON that is not written in the one way")
    return value


def is_name(value: object) -> bool:
    """Tell a short text that people can read, and that either database can hold, from anything else.

    >>> is_name("p1"), is_name(""), is_name("a\\0b")
    (True, False, False)
    """
    return type(value) is str and 0 < len(value) <= NAME_LENGTH and value.isprintable()


def digest(purpose: str, *fields: str | int) -> str:
    """Hash fields with SHA-256, in hexadecimal.

    Each field has its length before it, 4 bytes, the highest first; text is UTF-8, a whole number is 8 bytes
    with the highest first, signed.

    >>> digest("x", "Ann", 7)[:16]
    '1f3c6c9aa42af136'
    """
    written = bytearray()
    for field in (DOMAIN + purpose, *fields):
        # Bytes that are no text come out of a damaged database as surrogates; they hash as what they were.
        octets = field.to_bytes(8, signed=True) if isinstance(field, int) else field.encode("utf-8", "surrogateescape")
        written += len(octets).to_bytes(4) + octets
    return hashlib.sha256(written).hexdigest()
