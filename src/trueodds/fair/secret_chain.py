"""Chains of secrets: the hash of each secret is the previous one, so that nobody can compute the next one."""

from __future__ import annotations

from collections.abc import Iterator
from hashlib import sha256
from math import isqrt
from typing import Final, NamedTuple, NoReturn, SupportsIndex

from trueodds.fair.errors import FairError, FaultCode
from trueodds.fair.hash_message import check_name, check_number, encode_fields, hash_message
from trueodds.fair.server_key import ServerKey

CHAIN_LENGTH: Final = 4096
MAX_CHAIN_LENGTH: Final = 65536
"""The length is bounded because a verifier may have to hash a whole chain."""


class Link(NamedTuple):
    """One link of one chain. Both numbers start at 1."""

    chain: int
    number: int


def link_of(roll: int, chain_length: int) -> Link:
    """Return the link that a roll uses. Only the roll number decides it, so that nobody can choose a link.

    >>> link_of(1, 4096), link_of(4096, 4096), link_of(4097, 4096)
    (Link(chain=1, number=1), Link(chain=1, number=4096), Link(chain=2, number=1))
    """
    chain, index = divmod(roll - 1, chain_length)
    return Link(chain + 1, index + 1)


def previous_secret(table: str, link: Link, secret: bytes) -> bytes:
    """Return the secret of the previous link, or the anchor for link 1."""
    return next(iter_previous_secrets(table, link, secret))


def iter_previous_secrets(table: str, link: Link, secret: bytes) -> Iterator[bytes]:
    """Yield the secrets of all previous links, newest first. The last one is the anchor.

    A link is hashed as the message of table, chain, link number and secret. The first part is the same for all links.
    """
    prefix = hash_message("link", table, link.chain)
    for number in range(link.number, 0, -1):
        secret = sha256(prefix + encode_fields(number, secret)).digest()
        yield secret


def anchor_of(table: str, link: Link, secret: bytes) -> bytes:
    """Return the anchor of the chain that a secret belongs to."""
    *_, anchor = iter_previous_secrets(table, link, secret)
    return anchor


def check_chain_length(value: object) -> int:
    """Return the number of links of a chain, or raise `FairError`."""
    length = check_number(value, "chain length")
    if length > MAX_CHAIN_LENGTH:
        raise FairError(FaultCode.MALFORMED, f"chain length must be at most {MAX_CHAIN_LENGTH}, got {length}")
    return length


class SecretChain:
    """The secrets of one chain of one table.

    The last secret is derived from the key. The constructor hashes down to the anchor once and keeps a checkpoint at
    every 64th link (for 4,096 links). A lookup hashes down from the next checkpoint and keeps that segment, so that
    most rolls cost no hash and every 64th roll costs 64.

    >>> SecretChain(ServerKey(bytes(32)), "t1", 1, length=16)
    SecretChain('t1', 1, length=16, secrets hidden)
    """

    __slots__ = ("_anchor", "_checkpoints", "_interval", "_segment", "length", "number", "table")

    def __init__(self, key: ServerKey, table: str, number: int, length: int = CHAIN_LENGTH) -> None:
        self.table = check_name(table, "table")
        self.number = check_number(number, "chain number")
        self.length = check_chain_length(length)
        self._interval = isqrt(length)
        last = key.sign("chain", table, number, length)
        self._checkpoints = {length: last}
        earlier = iter_previous_secrets(table, Link(number, length), last)
        for link, secret in zip(range(length - 1, -1, -1), earlier, strict=True):
            if link % self._interval == 0:
                self._checkpoints[link] = secret
        self._anchor = self._checkpoints[0]
        self._segment: dict[int, bytes] = {}

    @property
    def anchor(self) -> bytes:
        """The hash at the start of the chain. It is published before the chain is used."""
        return self._anchor

    def secret(self, link: int) -> bytes:
        """Return the secret of a link, or the anchor for 0. It must not leave the process before its roll is locked."""
        if not 0 <= link <= self.length:
            raise FairError(FaultCode.MALFORMED, f"link must be from 1 to {self.length}, got {link}")
        segment = self._segment
        if link not in segment:
            top = min(self.length, -(-link // self._interval) * self._interval)
            segment = {top: self._checkpoints[top]}
            for number in range(top, max(0, top - self._interval), -1):
                segment[number - 1] = previous_secret(self.table, Link(self.number, number), segment[number])
            self._segment = segment
        return segment[link]

    def __repr__(self) -> str:
        return f"SecretChain({self.table!r}, {self.number}, length={self.length}, secrets hidden)"

    def __reduce_ex__(self, protocol: SupportsIndex) -> NoReturn:
        """Refuse to pickle: the secrets must not leave the process that has the key."""
        raise TypeError("SecretChain cannot be pickled: its secrets must not leave the process")
