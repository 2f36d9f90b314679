"""Dice that fall as a test wants, with proofs that are true: in the process of the test, and nowhere else.

A roll follows from the chain, the lock and the seeds. The chain is fixed, and the browsers of a test draw seeds that
are known here, so the one thing left is the lock: spaces are added to the layout that it fixes until the dice fall
right. Everybody can still verify the roll; only a check of the journal against its positions would see it.
"""

from __future__ import annotations

from trueodds.dice import Roll
from trueodds.fair import FairDice, FairRoll, Key, Lock, commit_to

SEEDS = tuple(bytes([number]) * 32 for number in range(1, 9))
"""What each browser of a test draws as its seed, for every roll."""

TRIES = 5_000


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
        for spaces in range(TRIES):
            lock = super().lock(roll, layout + b" " * spaces)
            if self.throw(_opened(roll.locked(lock))).roll == wanted:
                return lock
        raise AssertionError(f"no lock of roll {roll.number} gives {wanted}")


def _opened(roll: FairRoll) -> FairRoll:
    """Open every seed, as the browsers will."""
    for one in roll.commitments:
        fits = [seed for seed in SEEDS if commit_to(roll.table, roll.number, one.seat, seed) == one.commitment]
        assert fits, f"{one.seat} has drawn a seed that is not known here"
        roll = roll.open(one.seat, fits[0])
    return roll
