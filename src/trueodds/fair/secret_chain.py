"""A chain of secrets: each leads down to the one before by a hash, and nobody can climb it."""

from __future__ import annotations

from collections.abc import Iterator
from hashlib import sha256
from math import isqrt
from typing import Any, Final, NamedTuple, NoReturn

from trueodds.fair.encoding import check_name, check_number, message, write_fields
from trueodds.fair.errors import FairError, Fault
from trueodds.fair.key import Key

LENGTH: Final = 4096
LONGEST: Final = 65536
"""A verifier may have to walk a whole chain down, so that its length is bounded."""


class Place(NamedTuple):
    """Which link of which chain a roll takes."""

    chain: int
    link: int


def place_of(roll: int, length: int) -> Place:
    """Say which link a roll takes: the number of the roll alone decides, so that nobody can pick one.

    >>> place_of(1, 4096), place_of(4096, 4096), place_of(4097, 4096)
    (Place(chain=1, link=1), Place(chain=1, link=4096), Place(chain=2, link=1))
    """
    before, within = divmod(roll - 1, length)
    return Place(before + 1, within + 1)


def lead_down(table: str, place: Place, secret: bytes) -> bytes:
    """Give the secret one link further down; from link 1 that is the anchor."""
    return next(walk(table, place, secret))


def walk(table: str, place: Place, secret: bytes) -> Iterator[bytes]:
    """Walk down from a secret, link by link: the last that it gives is the anchor.

    A link is hashed as the message of its table, chain, number and secret, of which the first part stays the same.
    """
    same = message("link", table, place.chain)
    for link in range(place.link, 0, -1):
        secret = sha256(same + write_fields(link, secret)).digest()
        yield secret


def walk_down(table: str, place: Place, secret: bytes) -> bytes:
    """Walk from a secret all the way down to the anchor of its chain."""
    for below in walk(table, place, secret):
        secret = below
    return secret


def check_length(value: object) -> int:
    """Take the number of links of a chain."""
    length = check_number(value, "the length of a chain")
    if length > LONGEST:
        raise FairError(Fault.MALFORMED, f"a chain has at most {LONGEST} links, not {length}")
    return length


class Chain:
    """The secrets of one chain of one table, walked once and then looked up.

    The top secret comes from the key. The first walk down leaves a mark at every 64th link (of 4,096), and a link is
    found by walking down from the mark above it; the stretch between two marks is kept, so that a roll costs one look
    and every 64th roll 64 hashes.

    >>> Chain(Key(bytes(32)), "t1", 1, length=16)
    Chain('t1', 1, length 16, secrets hidden)
    """

    __slots__ = ("_bottom", "_marks", "_step", "_stretch", "length", "number", "table")

    def __init__(self, key: Key, table: str, number: int, length: int = LENGTH) -> None:
        self.table = check_name(table, "a table")
        self.number = check_number(number, "the number of a chain")
        self.length = check_length(length)
        self._step = isqrt(length)
        secret = key.sign("chain", table, number, length)
        self._marks = {length: secret}
        for link, below in zip(range(length - 1, -1, -1), walk(table, Place(number, length), secret), strict=True):
            if link % self._step == 0:
                self._marks[link] = below
        self._bottom = self._marks[0]
        self._stretch: dict[int, bytes] = {}

    @property
    def anchor(self) -> bytes:
        """Where every link leads down to. It is published before the chain is used."""
        return self._bottom

    def secret(self, link: int) -> bytes:
        """Give the secret of a link; 0 is the anchor. It must not leave the process before its roll is locked."""
        if not 0 <= link <= self.length:
            raise FairError(Fault.MALFORMED, f"chain {self.number} has links 1 to {self.length}, not {link}")
        stretch = self._stretch
        if link not in stretch:
            above = min(self.length, -(-link // self._step) * self._step)
            stretch = {above: self._marks[above]}
            for upper in range(above, max(0, above - self._step), -1):
                stretch[upper - 1] = lead_down(self.table, Place(self.number, upper), stretch[upper])
            self._stretch = stretch
        return stretch[link]

    def __repr__(self) -> str:
        return f"Chain({self.table!r}, {self.number}, length {self.length}, secrets hidden)"

    def __reduce_ex__(self, protocol: Any) -> NoReturn:
        """Refuse to be pickled: the secrets stay in the process that has the key."""
        raise TypeError("a chain is not copied")
