"""Sources of rolls: system entropy, a seed, a list of rolls, or a file."""

from __future__ import annotations

import random
import secrets
from collections.abc import Iterable, Iterator
from pathlib import Path

from trueodds.dice import ROLLS, DiceError, Roll
from trueodds.errors import TrueoddsError


class RollsError(TrueoddsError, ValueError):
    """Raised for a list or file of rolls that cannot be read."""


def system_rolls() -> Iterator[Roll]:
    """Yield random rolls from the system's entropy, without end."""
    while True:
        yield ROLLS[secrets.randbelow(36)]


def seeded_rolls(seed: int) -> Iterator[Roll]:
    """Yield the sequence of rolls that belongs to a seed, without end.

    The sequence is fixed: roll n is element `random.Random(seed).randrange(36)` number n of `dice.ROLLS`.

    >>> from itertools import islice
    >>> [str(roll) for roll in islice(seeded_rolls(1), 4)]
    ['2-3', '1-5', '3-5', '2-2']
    """
    source = random.Random(seed)  # noqa: S311  a seed repeats a game; it does not protect money
    while True:
        yield ROLLS[source.randrange(36)]


def scripted_rolls(rolls: Iterable[str]) -> Iterator[Roll]:
    """Return the rolls of a list like ``["3-4", "6-1"]``. All of them are parsed before the first is returned."""
    return _parse_rolls((f"roll {index}", text) for index, text in enumerate(rolls, 1))


def recorded_rolls(path: Path) -> Iterator[Roll]:
    """Return the rolls of a file with one roll per line. Empty lines and lines that start with ; are skipped."""
    try:
        lines = path.read_text("utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise RollsError(f"cannot read {path}: {error}") from None
    numbered = enumerate(map(str.strip, lines), 1)
    return _parse_rolls(
        (f"{path}, line {number}", line) for number, line in numbered if line and not line.startswith(";")
    )


def _parse_rolls(texts: Iterable[tuple[str, str]]) -> Iterator[Roll]:
    """Parse texts that each come with their location, which errors name."""
    rolls = []
    for location, text in texts:
        try:
            rolls.append(Roll.parse(text))
        except DiceError as error:
            raise RollsError(f"{location}: {error}") from None
    return iter(rolls)
