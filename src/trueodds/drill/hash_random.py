"""Deterministic random choices from a text, the same on every machine and Python version."""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import sha256
from typing import TypeVar

T = TypeVar("T")


class HashRandom:
    """A sequence of choices. Each one is the hash of the text and a counter.

    >>> random = HashRandom("new_jersey/1/1")
    >>> [random.below(6) for _ in range(5)]
    [0, 3, 4, 3, 0]
    """

    def __init__(self, text: str) -> None:
        self._text = text
        self._count = 0

    def __repr__(self) -> str:
        return f"HashRandom({self._text!r}, {self._count} drawn)"

    def below(self, bound: int) -> int:
        """Return an integer from 0 to `bound` - 1."""
        self._count += 1
        return int.from_bytes(sha256(f"{self._text}/{self._count}".encode()).digest(), "big") % bound

    def one_in(self, times: int) -> bool:
        """Return True with a chance of 1 in `times`."""
        return self.below(times) == 0

    def choice(self, items: Sequence[T]) -> T:
        """Return one of the items."""
        return items[self.below(len(items))]
