"""A roll on its way: commitments while bets are open, then the lock, then the openings."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from trueodds.fair.commitment import Commitment, Opening, commit_to
from trueodds.fair.encoding import check_bytes, check_name, check_number
from trueodds.fair.errors import FairError, Fault
from trueodds.fair.lock import NO_PAST, Lock
from trueodds.fair.stream import Contribution

if TYPE_CHECKING:
    from trueodds.fair.proof import Proof


@dataclass(frozen=True, slots=True)
class FairRoll:
    """A value that each step makes anew; what is refused changes nothing. It holds no secret of the server.

    >>> roll = FairRoll.first("t1").commit("Ann", commit_to("t1", 1, "Ann", bytes(32)), 1)
    >>> roll.seats
    ('Ann',)
    >>> roll.open("Ann", bytes(32))
    Traceback (most recent call last):
    trueodds.fair.errors.FairError: Ann cannot open a seed: roll 1 of t1 is not locked yet
    """

    table: str
    number: int
    past: bytes
    commitments: tuple[Commitment, ...] = ()
    lock: Lock | None = None
    openings: tuple[Opening, ...] = ()

    def __post_init__(self) -> None:
        check_name(self.table, "a table")
        check_number(self.number, "the number of a roll")
        check_bytes(self.past, "the past")

    @classmethod
    def first(cls, table: str) -> FairRoll:
        """Begin the first roll of a table."""
        return cls(table, 1, NO_PAST)

    @classmethod
    def after(cls, proof: Proof) -> FairRoll:
        """Begin the roll after one that was thrown."""
        return cls(proof.lock.table, proof.lock.roll + 1, proof.seal)

    @property
    def seats(self) -> tuple[str, ...]:
        """The seats that committed, in order."""
        return tuple(one.seat for one in self.commitments)

    @property
    def missing(self) -> tuple[str, ...]:
        """The seats that committed and have not opened yet."""
        opened = {one.seat for one in self.openings}
        return tuple(seat for seat in self.seats if seat not in opened)

    @property
    def contributions(self) -> tuple[Contribution, ...]:
        """Every seat that committed, in order, with its seed or none."""
        seeds = {one.seat: one.seed for one in self.openings}
        return tuple((seat, seeds.get(seat)) for seat in self.seats)

    def commit(self, seat: str, commitment: bytes, roll: int) -> FairRoll:
        """Take the commitment of a seat, which says for which roll it is meant."""
        made = Commitment(seat, commitment)
        if roll != self.number:
            raise FairError(
                Fault.OTHER_ROLL, f"{seat} commits to roll {roll}, and the next roll of {self.table} is {self.number}"
            )
        if self.lock is not None:
            raise FairError(Fault.LATE, f"{seat} commits too late: {self._name} is locked")
        if seat in self.seats:
            raise FairError(Fault.SECOND_COMMITMENT, f"{seat} has committed to {self._name} already")
        return replace(self, commitments=tuple(sorted((*self.commitments, made), key=lambda one: one.seat.encode())))

    def withdraw(self, seat: str) -> FairRoll:
        """Forget the commitment of a seat that leaves while bets are open, so that it is not missed later."""
        if self.lock is not None:
            raise FairError(Fault.LATE, f"{seat} withdraws too late: {self._name} is locked")
        if seat not in self.seats:
            raise FairError(Fault.NO_COMMITMENT, f"{seat} has not committed to {self._name}")
        return replace(self, commitments=tuple(one for one in self.commitments if one.seat != seat))

    def locked(self, lock: Lock) -> FairRoll:
        """Go on under a lock that was recorded, be it a moment ago or by a process that is gone."""
        if self.lock is not None:
            raise FairError(Fault.ALREADY_LOCKED, f"{self._name} is locked already")
        if lock.table != self.table:
            raise FairError(Fault.OTHER_TABLE, f"a lock of table {lock.table} does not lock {self._name}")
        if lock.roll != self.number:
            raise FairError(Fault.OTHER_ROLL, f"a lock of roll {lock.roll} does not lock {self._name}")
        if lock.past != self.past or lock.commitments != self.commitments:
            part = "commitments" if lock.past == self.past else "past"
            raise FairError(Fault.OTHER_LOCK, f"this lock was made with other {part} than {self._name} has")
        return replace(self, lock=lock)

    def open(self, seat: str, seed: bytes) -> FairRoll:
        """Take the seed that a seat had committed to."""
        made = Opening(seat, seed)
        if self.lock is None:
            raise FairError(Fault.NOT_LOCKED, f"{seat} cannot open a seed: {self._name} is not locked yet")
        promised = self.lock.commitment_of(seat)
        if promised is None:
            raise FairError(Fault.NO_COMMITMENT, f"{seat} has not committed to {self._name}")
        if seat not in self.missing:
            raise FairError(Fault.SECOND_OPENING, f"{seat} has opened its seed for {self._name} already")
        if commit_to(self.table, self.number, seat, seed) != promised:
            raise FairError(Fault.WRONG_SEED, f"the seed of {seat} is not the one it committed to for {self._name}")
        return replace(self, openings=tuple(sorted((*self.openings, made), key=lambda one: one.seat.encode())))

    @property
    def _name(self) -> str:
        return f"roll {self.number} of {self.table}"
