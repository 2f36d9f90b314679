"""Where rolls come from: system entropy, a seed, a script or a recording."""

from __future__ import annotations

import random
import secrets
from collections.abc import Iterable, Iterator
from pathlib import Path

from trueodds.dice import ROLLS, DiceError, Roll


class RollsError(ValueError):
    """Rolls that cannot be read."""


def entropy() -> Iterator[Roll]:
    """Give rolls from the system's entropy, without end."""
    while True:
        yield ROLLS[secrets.randbelow(36)]


def seeded(seed: int) -> Iterator[Roll]:
    """Give the same rolls for the same seed, without end.

    The contract: the n-th roll is the n-th `random.Random(seed).randrange(36)` of the 36 outcomes in order.

    >>> from itertools import islice
    >>> [str(roll) for roll in islice(seeded(1), 4)]
    ['2-3', '1-5', '3-5', '2-2']
    """
    source = random.Random(seed)  # noqa: S311  a seed is for repeating a game, not for money
    while True:
        yield ROLLS[source.randrange(36)]


def scripted(rolls: Iterable[str]) -> Iterator[Roll]:
    """Give the rolls of a list like 3-4, 6-1 and then no more; all are read before the first is given."""
    return _read((f"roll {index}", text) for index, text in enumerate(rolls, 1))


def recorded(path: Path) -> Iterator[Roll]:
    """Give the rolls of a file, one a line; empty lines and lines that begin with ; are remarks."""
    try:
        lines = path.read_text("utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        msg = f"{path}: cannot be read: {error}"
        raise RollsError(msg) from None
    numbered = enumerate(map(str.strip, lines), 1)
    return _read((f"{path}, line {number}", line) for number, line in numbered if line and not line.startswith(";"))


def _read(texts: Iterable[tuple[str, str]]) -> Iterator[Roll]:
    """Read rolls, each with where it stands."""
    read = []
    for where, text in texts:
        try:
            read.append(Roll.parse(text))
        except DiceError as error:
            msg = f"{where}: {error}"
            raise RollsError(msg) from None
    return iter(read)
