"""The server's secret key. Every secret of the dice is derived from it."""

from __future__ import annotations

import hmac
import re
from typing import Final, NoReturn, SupportsIndex

from trueodds.fair.errors import FairError, FaultCode
from trueodds.fair.hash_message import check_bytes, hash_message

_KEY_TEXT: Final = re.compile(r"[0-9a-f]{64}\n?")


class ServerKey:
    """A key of 32 bytes, read from a key file. It is never stored in the database and never printed.

    >>> key = ServerKey(bytes(32))
    >>> key
    ServerKey(hidden)
    >>> key.fingerprint
    '71f35f228c3bb074'
    """

    __slots__ = ("_secret",)

    def __init__(self, secret: bytes) -> None:
        self._secret = check_bytes(secret, "key")

    @classmethod
    def parse(cls, text: str) -> ServerKey:
        """Parse the text of a key file: 64 lowercase hexadecimal digits on one line."""
        if not _KEY_TEXT.fullmatch(text):
            raise FairError(FaultCode.MALFORMED, "a key file must hold 64 lowercase hexadecimal digits on one line")
        return cls(bytes.fromhex(text))

    @property
    def fingerprint(self) -> str:
        """A short hash of the key. It is safe to log and shows whether two processes use the same key."""
        return self.sign("mark").hex()[:16]

    def sign(self, purpose: str, *fields: bytes | str | int) -> bytes:
        """Return the HMAC-SHA-256 of a message under this key."""
        return hmac.digest(self._secret, hash_message(purpose, *fields), "sha256")

    def __eq__(self, other: object) -> bool:
        return isinstance(other, ServerKey) and hmac.compare_digest(self._secret, other._secret)

    def __hash__(self) -> int:
        return hash(self.fingerprint)

    def __repr__(self) -> str:
        return "ServerKey(hidden)"

    def __reduce_ex__(self, protocol: SupportsIndex) -> NoReturn:
        """Refuse to pickle: a key must not leave its process and its file."""
        raise TypeError("ServerKey cannot be pickled: it must not leave the process")
