"""The byte stream that a secret and the client seeds produce, and the dice picked from it."""

from __future__ import annotations

import hmac
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from trueodds.dice import ROLLS, Roll
from trueodds.fair.hash_message import hash_message

FIRST_REJECTED_BYTE: Final = 252
"""252 is 7 times 36, so each of the 36 outcomes belongs to exactly 7 of the accepted byte values."""

Contribution = tuple[str, bytes | None]
"""A seat that committed and its seed, or None if the seat did not open it."""


def contribution_fields(contributions: Sequence[Contribution]) -> list[bytes | str | int]:
    """Return the hash fields of the contributions: their number, then each seat and its seed.

    A missing seed is an empty field.
    """
    fields: list[bytes | str | int] = [len(contributions)]
    for seat, seed in contributions:
        fields += (seat, seed or b"")
    return fields


def stream_block(secret: bytes, lock_digest: bytes, contributions: Sequence[Contribution], counter: int) -> bytes:
    """Return one block of 32 bytes of the stream. Blocks are counted from 0."""
    message = hash_message("roll", lock_digest, *contribution_fields(contributions), counter)
    return hmac.digest(secret, message, "sha256")


def byte_stream(secret: bytes, lock_digest: bytes, contributions: Sequence[Contribution]) -> Iterator[int]:
    """Yield the bytes of the stream, without end."""
    counter = 0
    while True:
        yield from stream_block(secret, lock_digest, contributions, counter)
        counter += 1


def pick_dice(stream: Iterable[int]) -> Roll:
    """Return the dice that the first byte below 252 stands for.

    The byte modulo 36 counts through the outcomes 1-1, 1-2, ... 6-6.

    >>> pick_dice([255, 252, 61])
    Roll(5, 2)
    """
    return ROLLS[next(byte for byte in stream if byte < FIRST_REJECTED_BYTE) % 36]
