"""Dice that follow a script, with valid proofs. They exist only in the process of a test.

A roll is computed from the chain, the lock and the seeds. The chain is fixed, and the browsers of a test draw known
seeds. So the lock is varied: spaces are added to the layout that it covers until the dice are right. The proof of such
a roll is valid. Only a check of the journal against its positions would notice.
"""

from __future__ import annotations

from trueodds.dice import Roll
from trueodds.fair import Commitment, FairDice, FairRoll, Lock, ServerKey, make_commitment

USERS, DRAWS = 8, 200
MAX_LOCKS = 5_000


def known_seed(user: int, draw: int) -> bytes:
    """Return the seed that the browser of a user draws. Both numbers start at 0, and no seed is used twice."""
    return bytes([user + 1, draw // 256, draw % 256]).ljust(32, b"\0")


SEEDS = tuple(known_seed(user, draw) for draw in range(DRAWS) for user in range(USERS))


class DiceScript:
    """The scripted rolls, by table and roll number. Other rolls are random."""

    def __init__(self) -> None:
        self._rolls: dict[tuple[str, int], Roll] = {}

    def set_rolls(self, table: str, first: int, *rolls: str) -> None:
        """Script the rolls of a table, starting at the roll number `first`."""
        for number, text in enumerate(rolls, first):
            self._rolls[table, number] = Roll.parse(text)

    def roll_at(self, table: str, number: int) -> Roll | None:
        return self._rolls.get((table, number))

    def dice(self, key: ServerKey, table: str) -> FairDice:
        """Return the dice of a table. Tests use this in place of the class `FairDice`."""
        return ScriptedDice(key, table, self)


class ScriptedDice(FairDice):
    """Fair dice whose locks are chosen to give scripted rolls."""

    __slots__ = ("_script",)

    def __init__(self, key: ServerKey, table: str, script: DiceScript) -> None:
        super().__init__(key, table)
        self._script = script

    def lock(self, roll: FairRoll, layout: bytes) -> Lock:
        scripted = self._script.roll_at(self.table, roll.number)
        if scripted is None:
            return super().lock(roll, layout)
        seeds = {commitment.seat: _find_seed(roll, commitment) for commitment in roll.commitments}
        for spaces in range(MAX_LOCKS):
            lock = super().lock(roll, layout + b" " * spaces)
            opened = roll.with_lock(lock)
            for seat, seed in seeds.items():
                opened = opened.open_seed(seat, seed)
            if self.roll(opened).dice == scripted:
                return lock
        raise AssertionError(f"no lock of roll {roll.number} gives {scripted}")


def _find_seed(roll: FairRoll, commitment: Commitment) -> bytes:
    for seed in SEEDS:
        if make_commitment(roll.table, roll.number, commitment.seat, seed) == commitment.commitment:
            return seed
    raise AssertionError(f"{commitment.seat} committed to an unknown seed")
