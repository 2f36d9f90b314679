"""From a secret and the seeds to two dice: a stream of bytes, of which the first below 252 decides."""

from __future__ import annotations

import hmac
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from trueodds.dice import ROLLS, Roll
from trueodds.fair.encoding import message

FIRST_SKIPPED: Final = 252
"""252 is 7 times 36: the bytes below it give each of the 36 outcomes exactly 7 times."""

Contribution = tuple[str, bytes | None]
"""A seat that committed, and its seed, or none if it did not open it."""


def contributions_fields(contributions: Sequence[Contribution]) -> list[bytes | str | int]:
    """Write the list of seats and seeds: how many, then each seat and its seed; a missing seed is an empty field."""
    fields: list[bytes | str | int] = [len(contributions)]
    for seat, seed in contributions:
        fields += (seat, seed or b"")
    return fields


def block(secret: bytes, lock_digest: bytes, contributions: Sequence[Contribution], counter: int) -> bytes:
    """32 bytes of the stream, counted from 0."""
    said = message("roll", lock_digest, *contributions_fields(contributions), counter)
    return hmac.digest(secret, said, "sha256")


def stream(secret: bytes, lock_digest: bytes, contributions: Sequence[Contribution]) -> Iterator[int]:
    """Give the bytes of the stream, without end."""
    counter = 0
    while True:
        yield from block(secret, lock_digest, contributions, counter)
        counter += 1


def pick(octets: Iterable[int]) -> Roll:
    """Take the first byte below 252; its remainder by 36 counts through the outcomes 1-1, 1-2, ... 6-6.

    >>> pick([255, 252, 61])
    Roll(5, 2)
    """
    return ROLLS[next(octet for octet in octets if octet < FIRST_SKIPPED) % 36]
