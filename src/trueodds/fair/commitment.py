"""Commitments to client seeds, and the openings after the lock."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import pairwise

from trueodds.fair.hash_message import check_bytes, check_name, check_number, hash_fields


@dataclass(frozen=True, slots=True)
class Commitment:
    """A seat's commitment to a client seed, which it opens after the lock."""

    seat: str
    commitment: bytes

    def __post_init__(self) -> None:
        check_name(self.seat, "seat")
        check_bytes(self.commitment, "commitment")


@dataclass(frozen=True, slots=True)
class Opening:
    """The client seed that a seat had committed to. `repr` leaves it out because it is secret until the roll."""

    seat: str
    seed: bytes = field(repr=False)

    def __post_init__(self) -> None:
        check_name(self.seat, "seat")
        check_bytes(self.seed, "seed")


def make_commitment(table: str, roll: int, seat: str, seed: bytes) -> bytes:
    """Return the commitment to a seed.

    The hash covers table, roll and seat, so that a commitment cannot be copied or used for another roll.

    >>> make_commitment("t1", 1, "Ann", bytes(32)).hex()[:16]
    'be2daabbe53fc120'
    """
    check_name(table, "table")
    check_number(roll, "roll number")
    check_name(seat, "seat")
    return hash_fields("commitment", table, roll, seat, check_bytes(seed, "seed"))


def is_sorted_unique(seats: Iterable[str]) -> bool:
    """Return whether seats are sorted by their UTF-8 bytes, without duplicates."""
    names = [seat.encode() for seat in seats]
    return all(lower < upper for lower, upper in pairwise(names))
