"""The byte encoding of everything that is hashed. Different inputs never produce the same bytes."""

from __future__ import annotations

import hashlib
from typing import Final

from trueodds.fair.errors import FairError, FaultCode

DOMAIN: Final = "trueodds/fair/1/"
"""Every message begins with this and its purpose, so that a hash for one purpose is useless for another."""

DIGEST_BYTES: Final = 32
MAX_NUMBER: Final = 2**53 - 1
"""The largest integer that every JSON parser reads exactly."""
MAX_NAME_BYTES: Final = 255


def hash_message(purpose: str, *fields: bytes | str | int) -> bytes:
    """Return the message of a purpose and its fields.

    >>> hash_message("x", "Ann", 7).hex(" ", -4)
    '00000011 74727565 6f646473 2f666169 722f312f 78000000 03416e6e 00000008 00000000 00000007'
    """
    return encode_fields(DOMAIN + purpose, *fields)


def encode_fields(*fields: bytes | str | int) -> bytes:
    """Return the fields one after the other, each with its length in front (4 bytes, big-endian).

    Text is UTF-8. An integer is 8 bytes, big-endian.
    """
    encoded: list[bytes] = []
    for field in fields:
        data = field.to_bytes(8) if isinstance(field, int) else field.encode() if isinstance(field, str) else field
        encoded += (len(data).to_bytes(4), data)
    return b"".join(encoded)


def hash_fields(purpose: str, *fields: bytes | str | int) -> bytes:
    """Return the SHA-256 digest of a message."""
    return hashlib.sha256(hash_message(purpose, *fields)).digest()


def check_number(value: object, label: str) -> int:
    """Return a positive integer, or raise `FairError`."""
    if type(value) is not int or not 1 <= value <= MAX_NUMBER:
        raise FairError(
            FaultCode.MALFORMED, f"{label} must be an integer from 1 to {MAX_NUMBER}, got {_describe(value)}"
        )
    return value


def check_name(value: object, label: str) -> str:
    """Return the name of a table or seat: 1 to 255 bytes of UTF-8 without control characters.

    Names are compared byte by byte. Nothing is case-folded or trimmed.
    """
    if isinstance(value, str):
        data = value.encode("utf-8", "surrogatepass")
        has_surrogates = any("\ud800" <= char <= "\udfff" for char in value)
        has_controls = any(char < " " or "\x7f" <= char <= "\x9f" for char in value)
        if not has_surrogates and not has_controls and 1 <= len(data) <= MAX_NAME_BYTES:
            return value
    raise FairError(
        FaultCode.MALFORMED,
        f"{label} must be 1 to {MAX_NAME_BYTES} bytes of text without control characters, got {_describe(value)}",
    )


def check_bytes(value: object, label: str) -> bytes:
    """Return 32 bytes, or raise `FairError`. The message leaves the bytes out because they may be secret."""
    if not isinstance(value, bytes):
        raise FairError(FaultCode.MALFORMED, f"{label} must be {DIGEST_BYTES} bytes, got {type(value).__name__}")
    if len(value) != DIGEST_BYTES:
        raise FairError(FaultCode.MALFORMED, f"{label} must be {DIGEST_BYTES} bytes, got {len(value)}")
    return value


def _describe(value: object) -> str:
    if isinstance(value, int) and abs(value) > 2**64:
        return "a very large number"
    text = ascii(value) if isinstance(value, str | int | float | None) else type(value).__name__
    return text if len(text) <= 60 else text[:57] + "..."
