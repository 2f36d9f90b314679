"""Choices that follow from a text, the same on every machine and under every Python."""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import sha256
from typing import TypeVar

T = TypeVar("T")


class Chance:
    """Choices one after the other, each hashed from the text and its place.

    >>> chance = Chance("new_jersey/1/1")
    >>> [chance.below(6) for _ in range(5)]
    [0, 3, 4, 3, 0]
    """

    def __init__(self, text: str) -> None:
        self._text = text
        self._count = 0

    def below(self, bound: int) -> int:
        """Give a whole number from 0 to below a bound."""
        self._count += 1
        return int.from_bytes(sha256(f"{self._text}/{self._count}".encode()).digest(), "big") % bound

    def once_in(self, times: int) -> bool:
        """Say yes so seldom."""
        return self.below(times) == 0

    def pick(self, items: Sequence[T]) -> T:
        """Choose one."""
        return items[self.below(len(items))]
