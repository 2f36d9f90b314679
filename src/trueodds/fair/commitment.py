"""What a seat adds to a roll: first a commitment that hides its seed, after the lock the seed itself."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import pairwise

from trueodds.fair.encoding import check_bytes, check_name, check_number, digest


@dataclass(frozen=True, slots=True)
class Commitment:
    """A seat's promise of a seed that it will open after the lock."""

    seat: str
    commitment: bytes

    def __post_init__(self) -> None:
        check_name(self.seat, "a seat")
        check_bytes(self.commitment, "a commitment")


@dataclass(frozen=True, slots=True)
class Opening:
    """The seed a seat had promised. It is not printed: until the roll is thrown it is nobody else's business."""

    seat: str
    seed: bytes = field(repr=False)

    def __post_init__(self) -> None:
        check_name(self.seat, "a seat")
        check_bytes(self.seed, "a seed")


def commit_to(table: str, roll: int, seat: str, seed: bytes) -> bytes:
    """Make the commitment to a seed. It names table, roll and seat, so that nobody can use it elsewhere or copy it.

    >>> commit_to("t1", 1, "Ann", bytes(32)).hex()[:16]
    'be2daabbe53fc120'
    """
    check_name(table, "a table")
    check_number(roll, "the number of a roll")
    check_name(seat, "a seat")
    return digest("commitment", table, roll, seat, check_bytes(seed, "a seed"))


def in_order(seats: Iterable[str]) -> bool:
    """Whether seats stand in the order of their bytes, each once."""
    names = [seat.encode() for seat in seats]
    return all(lower < upper for lower, upper in pairwise(names))
