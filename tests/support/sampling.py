"""Samples of large test products: a spread-out few by default, everything under `python3 dev.py test --all`.

A sample takes items at even distances, so that it covers the whole range, and always the same ones, so that two runs
of the same code test the same thing.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import TypeVar

Item = TypeVar("Item")

RUN_ALL = os.environ.get("TRUEODDS_TEST_ALL") == "1"
"""Whether every item of every product is tested."""


def sample(items: Sequence[Item], count: int) -> list[Item]:
    """Return `count` items at even distances, or all items when everything is tested.

    >>> sample(range(10), 4)
    [1, 3, 6, 8]
    """
    if RUN_ALL or count >= len(items):
        return list(items)
    return [items[(2 * index + 1) * len(items) // (2 * count)] for index in range(count)]


def sample_size(few: int, many: int) -> int:
    """Return how many repetitions to run: `few` by default, `many` when everything is tested."""
    return many if RUN_ALL else few
