"""The server's key: every secret link is made from it, and nothing prints it."""

from __future__ import annotations

import hmac
import re
from typing import Any, Final, NoReturn

from trueodds.fair.encoding import check_bytes, message
from trueodds.fair.errors import FairError, Fault

_WRITTEN: Final = re.compile(r"[0-9a-f]{64}\n?")


class Key:
    """32 bytes from a key file that is never in the database.

    >>> key = Key(bytes(32))
    >>> key
    Key(hidden)
    >>> key.mark
    '71f35f228c3bb074'
    """

    __slots__ = ("_octets",)

    def __init__(self, octets: bytes) -> None:
        self._octets = check_bytes(octets, "a key")

    @classmethod
    def parse(cls, text: str) -> Key:
        """Read the text of a key file: 64 hexadecimal digits in lower case on one line."""
        if not _WRITTEN.fullmatch(text):
            raise FairError(Fault.MALFORMED, "a key file holds 64 hexadecimal digits in lower case on one line")
        return cls(bytes.fromhex(text))

    @property
    def mark(self) -> str:
        """Tell keys apart without showing them: safe to log, so that a process with another key file is noticed."""
        return self.sign("mark").hex()[:16]

    def sign(self, purpose: str, *fields: bytes | str | int) -> bytes:
        """HMAC-SHA-256 of a message under this key."""
        return hmac.digest(self._octets, message(purpose, *fields), "sha256")

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Key) and hmac.compare_digest(self._octets, other._octets)

    def __hash__(self) -> int:
        return hash(self.mark)

    def __repr__(self) -> str:
        return "Key(hidden)"

    def __reduce_ex__(self, protocol: Any) -> NoReturn:
        """Refuse to be pickled: a key stays in its process and its file."""
        raise TypeError("a key is not copied")
