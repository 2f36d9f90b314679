"""A roll in progress: commitments while bets are open, then the lock, then the openings."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from trueodds.fair.commitment import Commitment, Opening, make_commitment
from trueodds.fair.derive_roll import Contribution
from trueodds.fair.errors import FairError, FaultCode
from trueodds.fair.hash_message import check_bytes, check_name, check_number
from trueodds.fair.roll_lock import NO_PREVIOUS_SEAL, Lock

if TYPE_CHECKING:
    from trueodds.fair.proof import Proof


@dataclass(frozen=True, slots=True)
class FairRoll:
    """The public state of one roll. Every step returns a new value, and a refused step changes nothing.

    It holds no secret of the server.

    >>> roll = FairRoll.first("t1").commit("Ann", make_commitment("t1", 1, "Ann", bytes(32)), 1)
    >>> roll.seats
    ('Ann',)
    >>> roll.open_seed("Ann", bytes(32))
    Traceback (most recent call last):
    trueodds.fair.errors.FairError: Ann cannot open a seed: roll 1 of t1 is not locked yet
    """

    table: str
    number: int
    previous_seal: bytes
    commitments: tuple[Commitment, ...] = ()
    lock: Lock | None = None
    openings: tuple[Opening, ...] = ()

    def __post_init__(self) -> None:
        check_name(self.table, "table")
        check_number(self.number, "roll number")
        check_bytes(self.previous_seal, "previous seal")

    @classmethod
    def first(cls, table: str) -> FairRoll:
        """Return the first roll of a table."""
        return cls(table, 1, NO_PREVIOUS_SEAL)

    @classmethod
    def after(cls, proof: Proof) -> FairRoll:
        """Return the roll that follows a finished one."""
        return cls(proof.lock.table, proof.lock.roll + 1, proof.seal)

    @property
    def seats(self) -> tuple[str, ...]:
        """The seats that committed, sorted."""
        return tuple(one.seat for one in self.commitments)

    @property
    def missing(self) -> tuple[str, ...]:
        """The seats that committed and have not opened their seed yet."""
        opened = {one.seat for one in self.openings}
        return tuple(seat for seat in self.seats if seat not in opened)

    @property
    def contributions(self) -> tuple[Contribution, ...]:
        """Every seat that committed, sorted, with its seed or None."""
        seeds = {one.seat: one.seed for one in self.openings}
        return tuple((seat, seeds.get(seat)) for seat in self.seats)

    def commit(self, seat: str, commitment: bytes, roll: int) -> FairRoll:
        """Return the roll with the commitment of a seat. `roll` is the roll that the seat means to commit to."""
        added = Commitment(seat, commitment)
        if roll != self.number:
            raise FairError(
                FaultCode.ROLL_MISMATCH,
                f"{seat} commits to roll {roll}, but the next roll of {self.table} is {self.number}",
            )
        if self.lock is not None:
            raise FairError(FaultCode.TOO_LATE, f"{seat} commits too late: {self._description} is locked")
        if seat in self.seats:
            raise FairError(FaultCode.DUPLICATE_COMMITMENT, f"{seat} has already committed to {self._description}")
        return replace(self, commitments=tuple(sorted((*self.commitments, added), key=lambda one: one.seat.encode())))

    def withdraw(self, seat: str) -> FairRoll:
        """Return the roll without the commitment of a seat that leaves while bets are open."""
        if self.lock is not None:
            raise FairError(FaultCode.TOO_LATE, f"{seat} withdraws too late: {self._description} is locked")
        if seat not in self.seats:
            raise FairError(FaultCode.NO_COMMITMENT, f"{seat} has not committed to {self._description}")
        return replace(self, commitments=tuple(one for one in self.commitments if one.seat != seat))

    def with_lock(self, lock: Lock) -> FairRoll:
        """Return the roll under a recorded lock, which this process or an earlier one made."""
        if self.lock is not None:
            raise FairError(FaultCode.ALREADY_LOCKED, f"{self._description} is already locked")
        if lock.table != self.table:
            raise FairError(FaultCode.TABLE_MISMATCH, f"a lock of table {lock.table} cannot lock {self._description}")
        if lock.roll != self.number:
            raise FairError(FaultCode.ROLL_MISMATCH, f"a lock of roll {lock.roll} cannot lock {self._description}")
        if lock.previous_seal != self.previous_seal or lock.commitments != self.commitments:
            difference = "commitments" if lock.previous_seal == self.previous_seal else "a previous seal"
            raise FairError(
                FaultCode.LOCK_MISMATCH, f"this lock has {difference} that {self._description} does not have"
            )
        return replace(self, lock=lock)

    def open_seed(self, seat: str, seed: bytes) -> FairRoll:
        """Return the roll with the seed that a seat had committed to."""
        added = Opening(seat, seed)
        if self.lock is None:
            raise FairError(FaultCode.NOT_LOCKED, f"{seat} cannot open a seed: {self._description} is not locked yet")
        commitment = self.lock.commitment_of(seat)
        if commitment is None:
            raise FairError(FaultCode.NO_COMMITMENT, f"{seat} has not committed to {self._description}")
        if seat not in self.missing:
            raise FairError(FaultCode.DUPLICATE_OPENING, f"{seat} has already opened its seed for {self._description}")
        if make_commitment(self.table, self.number, seat, seed) != commitment:
            raise FairError(
                FaultCode.WRONG_SEED, f"the seed of {seat} does not match its commitment to {self._description}"
            )
        openings = sorted((*self.openings, added), key=lambda one: one.seat.encode())
        return replace(self, openings=tuple(openings))

    @property
    def _description(self) -> str:
        return f"roll {self.number} of {self.table}"
