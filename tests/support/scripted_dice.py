"""Dice that fall as a test wants, with proofs that are true: in the process of the test, and nowhere else.

A roll follows from the chain, the lock and the seeds. The chain is fixed, and the browsers of a test draw seeds that
are known here, so the one thing left is the lock: spaces are added to the layout that it fixes until the dice fall
right. Everybody can still verify the roll; only a check of the journal against its positions would see it.
"""

from __future__ import annotations

from trueodds.dice import Roll
from trueodds.fair import Commitment, FairDice, FairRoll, Key, Lock, commit_to

VISITORS, DRAWS = 8, 200
TRIES = 5_000


def drawn_seed(visitor: int, draw: int) -> bytes:
    """Give what the browser of a visitor draws, the first time, the second time and so on: no seed is used twice."""
    return bytes([visitor + 1, draw // 256, draw % 256]).ljust(32, b"\0")


SEEDS = tuple(drawn_seed(visitor, draw) for draw in range(DRAWS) for visitor in range(VISITORS))


class Script:
    """Which rolls are to come, by table and number; any other is left to chance."""

    def __init__(self) -> None:
        self._wanted: dict[tuple[str, int], Roll] = {}

    def write(self, table: str, first: int, *rolls: str) -> None:
        """Want these rolls at a table, from the roll of a number on."""
        for number, text in enumerate(rolls, first):
            self._wanted[table, number] = Roll.parse(text)

    def wanted(self, table: str, number: int) -> Roll | None:
        return self._wanted.get((table, number))

    def dice(self, key: Key, table: str) -> FairDice:
        """Make the dice of a table; this stands in for `FairDice` where the floor makes them."""
        return ScriptedDice(key, table, self)


class ScriptedDice(FairDice):
    """Fair dice whose locks are picked."""

    __slots__ = ("_script",)

    def __init__(self, key: Key, table: str, script: Script) -> None:
        super().__init__(key, table)
        self._script = script

    def lock(self, roll: FairRoll, layout: bytes) -> Lock:
        wanted = self._script.wanted(self.table, roll.number)
        if wanted is None:
            return super().lock(roll, layout)
        seeds = {one.seat: _seed_behind(roll, one) for one in roll.commitments}
        for spaces in range(TRIES):
            lock = super().lock(roll, layout + b" " * spaces)
            opened = roll.locked(lock)
            for seat, seed in seeds.items():
                opened = opened.open(seat, seed)
            if self.throw(opened).roll == wanted:
                return lock
        raise AssertionError(f"no lock of roll {roll.number} gives {wanted}")


def _seed_behind(roll: FairRoll, promise: Commitment) -> bytes:
    for seed in SEEDS:
        if commit_to(roll.table, roll.number, promise.seat, seed) == promise.commitment:
            return seed
    raise AssertionError(f"{promise.seat} has drawn a seed that is not known here")
