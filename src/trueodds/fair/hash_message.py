"""The one way anything is turned into bytes before it is hashed, so that no two things look alike."""

from __future__ import annotations

import hashlib
from typing import Final

from trueodds.fair.errors import FairError, Fault

DOMAIN: Final = "trueodds/fair/1/"
"""Every message begins with this and with what it is for, so that no hash can stand in for another."""

DIGEST_BYTES: Final = 32
MOST: Final = 2**53 - 1
"""The largest whole number: every reader of JSON keeps it exactly."""
NAME_BYTES: Final = 255


def message(purpose: str, *fields: bytes | str | int) -> bytes:
    """Write what a message is for, and then its fields.

    >>> message("x", "Ann", 7).hex(" ", -4)
    '00000011 74727565 6f646473 2f666169 722f312f 78000000 03416e6e 00000008 00000000 00000007'
    """
    return write_fields(DOMAIN + purpose, *fields)


def write_fields(*fields: bytes | str | int) -> bytes:
    """Write fields after each other, each with its length before it: 4 bytes, the highest first.

    Text is UTF-8. A whole number is 8 bytes, the highest first.
    """
    written: list[bytes] = []
    for field in fields:
        octets = field.to_bytes(8) if isinstance(field, int) else field.encode() if isinstance(field, str) else field
        written += (len(octets).to_bytes(4), octets)
    return b"".join(written)


def digest(purpose: str, *fields: bytes | str | int) -> bytes:
    """Hash a message with SHA-256."""
    return hashlib.sha256(message(purpose, *fields)).digest()


def check_number(value: object, what: str) -> int:
    """Take a whole number from 1 on."""
    if type(value) is not int or not 1 <= value <= MOST:
        raise FairError(Fault.MALFORMED, f"{what} is a whole number from 1 to {MOST}, not {_short(value)}")
    return value


def check_name(value: object, what: str) -> str:
    """Take the name of a table or a seat: 1 to 255 bytes of UTF-8 without control characters.

    Names are compared byte for byte; nothing is folded or trimmed.
    """
    if isinstance(value, str):
        octets = value.encode("utf-8", "surrogatepass")
        whole = not any("\ud800" <= char <= "\udfff" for char in value)
        plain = not any(char < " " or "\x7f" <= char <= "\x9f" for char in value)
        if whole and plain and 1 <= len(octets) <= NAME_BYTES:
            return value
    raise FairError(
        Fault.MALFORMED, f"{what} is 1 to {NAME_BYTES} bytes of text without control characters, not {_short(value)}"
    )


def check_bytes(value: object, what: str) -> bytes:
    """Take 32 bytes; what they are is not said, since they may be secret."""
    if not isinstance(value, bytes):
        raise FairError(Fault.MALFORMED, f"{what} is {DIGEST_BYTES} bytes, not {type(value).__name__}")
    if len(value) != DIGEST_BYTES:
        raise FairError(Fault.MALFORMED, f"{what} is {DIGEST_BYTES} bytes, not {len(value)}")
    return value


def _short(value: object) -> str:
    if isinstance(value, int) and abs(value) > 2**64:
        return "a number of many digits"
    told = ascii(value) if isinstance(value, str | int | float | None) else type(value).__name__
    return told if len(told) <= 60 else told[:57] + "..."
