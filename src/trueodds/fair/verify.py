"""Verification of one roll or of all rolls of a table. It needs no key."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from trueodds.fair.commitment import make_commitment
from trueodds.fair.derive_roll import byte_stream, pick_dice
from trueodds.fair.errors import FairError, FaultCode
from trueodds.fair.proof import Proof, compute_seal
from trueodds.fair.roll_lock import NO_PREVIOUS_SEAL, Lock
from trueodds.fair.secret_chain import anchor_of, previous_secret


class VerificationFault(NamedTuple):
    """One thing that is wrong with a roll."""

    roll: int
    code: FaultCode
    message: str

    @property
    def description(self) -> str:
        """The roll number and the message."""
        return f"roll {self.roll}: {self.message}"


def verify_roll(
    proof: Proof, anchor: bytes | None = None, known_locks: Iterable[Lock] = ()
) -> tuple[VerificationFault, ...]:
    """Repeat one roll and return everything that is wrong with its proof. The result is empty for a correct proof.

    A proof that was invented as a whole is consistent with itself. Only data from before the roll can expose it: pass
    the `anchor` that the table published for this chain, and the locks that you received yourself as `known_locks`.
    """
    return verify_rolls([proof], anchor, (lock for lock in known_locks if lock.roll == proof.lock.roll))


def verify_rolls(
    proofs: Iterable[Proof], anchor: bytes | None = None, known_locks: Iterable[Lock] = ()
) -> tuple[VerificationFault, ...]:
    """Repeat consecutive rolls of one table and return everything that is wrong, in the order of the rolls.

    `anchor` is the one published for the chain of the first roll. A known lock of a roll after the last proof counts
    as unfinished, so leave out the lock of a roll that is still in progress.
    """
    rolls = tuple(proofs)
    if not rolls:
        raise FairError(FaultCode.MALFORMED, "there are no rolls to verify")
    faults: list[VerificationFault] = []
    if anchor is not None and rolls[0].lock.anchor != anchor:
        faults.append(_fault(rolls[0], FaultCode.WRONG_ANCHOR, "its anchor is not the published one"))
    faults += _verify_single(rolls[0], check_anchor=True)
    for previous, proof in pairwise(rolls):
        faults += verify_next(previous, proof)
    return (*faults, *_known_lock_faults(rolls, known_locks))


def verify_next(previous: Proof, proof: Proof) -> tuple[VerificationFault, ...]:
    """Repeat a roll whose predecessor was already verified, and return everything that is wrong with it."""
    between = list(_sequence_faults(previous, proof))
    follows = not between and previous.lock.chain == proof.lock.chain
    return (*between, *_verify_single(proof, check_anchor=not follows))


def _fault(proof: Proof, code: FaultCode, message: str) -> VerificationFault:
    return VerificationFault(proof.lock.roll, code, message)


def _verify_single(proof: Proof, check_anchor: bool) -> list[VerificationFault]:
    """Return the faults of one proof. The dice are computed only if their inputs are correct."""
    faults = [
        _fault(proof, *one) for one in (*_lock_faults(proof), *_link_faults(proof, check_anchor), *_seat_faults(proof))
    ]
    if faults:
        return faults
    lock_digest = proof.lock.digest
    roll = pick_dice(byte_stream(proof.secret, lock_digest, proof.contributions))
    if roll != proof.dice:
        return [_fault(proof, FaultCode.WRONG_DICE, f"the dice must be {roll}, got {proof.dice}")]
    if proof.seal != compute_seal(lock_digest, proof.secret, proof.contributions, roll):
        return [_fault(proof, FaultCode.WRONG_SEAL, "its seal does not match")]
    return []


def _lock_faults(proof: Proof) -> Iterator[tuple[FaultCode, str]]:
    lock = proof.lock
    if lock.named_link != lock.expected_link:
        yield (
            FaultCode.WRONG_LINK,
            f"it must use link {lock.expected_link.number} of chain {lock.expected_link.chain}, "
            f"got link {lock.link} of chain {lock.chain}",
        )
    if lock.digest != proof.lock_digest:
        yield (
            FaultCode.LOCK_ALTERED,
            f"its lock or lock_digest was altered: the digest must be {lock.digest.hex()}, "
            f"got {proof.lock_digest.hex()}",
        )
    if lock.roll == 1 and lock.previous_seal != NO_PREVIOUS_SEAL:
        yield FaultCode.WRONG_PREVIOUS_SEAL, "the first roll of a table must have a zero previous_seal"


def _link_faults(proof: Proof, check_anchor: bool) -> Iterator[tuple[FaultCode, str]]:
    lock = proof.lock
    if previous_secret(lock.table, lock.named_link, proof.secret) != lock.previous_secret:
        yield (
            FaultCode.BROKEN_LINK,
            f"its secret does not hash to the previous_secret {lock.previous_secret.hex()} of its lock",
        )
    elif lock.link == 1 and lock.previous_secret != lock.anchor:
        yield FaultCode.WRONG_ANCHOR, "the first link of its chain does not hash to the anchor"
    elif (
        check_anchor
        and lock.named_link == lock.expected_link
        and anchor_of(lock.table, lock.named_link, proof.secret) != lock.anchor
    ):
        yield FaultCode.WRONG_ANCHOR, f"its secret does not hash down to the anchor {lock.anchor.hex()}"


def _seat_faults(proof: Proof) -> Iterator[tuple[FaultCode, str]]:
    lock, opened = proof.lock, {one.seat: one.seed for one in proof.openings}
    for seat in sorted({*opened, *proof.missing} - {*lock.seats}):
        yield FaultCode.WRONG_SEATS, f"{seat} is listed as opened or missing, but did not commit"
    for seat in lock.seats:
        if (seat in opened) == (seat in proof.missing):
            state = "both opened and missing" if seat in opened else "neither opened nor missing"
            yield FaultCode.WRONG_SEATS, f"{seat} committed and is {state}"
        elif seat in opened and make_commitment(lock.table, lock.roll, seat, opened[seat]) != lock.commitment_of(seat):
            yield FaultCode.WRONG_SEED, f"the seed of {seat} does not match its commitment"


def _sequence_faults(previous: Proof, proof: Proof) -> Iterator[VerificationFault]:
    """Yield the faults between two consecutive proofs."""
    old, new = previous.lock, proof.lock
    if new.table != old.table:
        yield _fault(
            proof, FaultCode.TABLE_MISMATCH, f"it belongs to table {new.table}, but the roll before it to {old.table}"
        )
        return
    if new.roll <= old.roll:
        yield _fault(
            proof, FaultCode.REPEATED_ROLL, f"it comes after roll {old.roll}: a roll is repeated or out of order"
        )
        return
    if new.roll != old.roll + 1:
        gap = f"roll {old.roll + 1} is" if new.roll == old.roll + 2 else f"rolls {old.roll + 1} to {new.roll - 1} are"
        yield _fault(proof, FaultCode.SKIPPED_ROLL, f"{gap} missing before it")
        return
    if new.chain_length != old.chain_length:
        yield _fault(
            proof,
            FaultCode.WRONG_LINK,
            f"chains of this table must have {old.chain_length} links, got {new.chain_length}",
        )
    if new.previous_seal != previous.seal:
        yield _fault(
            proof, FaultCode.WRONG_PREVIOUS_SEAL, f"its lock does not contain the seal of the given roll {old.roll}"
        )
    if new.chain == old.chain:
        if (new.anchor, new.next_anchor) != (old.anchor, old.next_anchor):
            changed = "anchor" if new.anchor != old.anchor else "announced anchor"
            yield _fault(proof, FaultCode.UNANNOUNCED_ANCHOR, f"the {changed} of its chain changed")
        if new.previous_secret != previous.secret:
            yield _fault(proof, FaultCode.BROKEN_LINK, f"its previous_secret is not the secret of roll {old.roll}")
    elif new.anchor != old.next_anchor:
        yield _fault(proof, FaultCode.UNANNOUNCED_ANCHOR, f"the anchor of chain {new.chain} is not the announced one")


def _known_lock_faults(rolls: Sequence[Proof], known_locks: Iterable[Lock]) -> Iterator[VerificationFault]:
    """Yield the faults of locks known from before: each must be the lock of a finished roll."""
    finished = {proof.lock.roll: proof.lock for proof in rolls}
    table, first = rolls[0].lock.table, rolls[0].lock.roll
    for lock in known_locks:
        if lock.table != table:
            yield VerificationFault(
                lock.roll, FaultCode.TABLE_MISMATCH, f"a known lock belongs to table {lock.table}, not to {table}"
            )
        elif lock.roll in finished and lock != finished[lock.roll]:
            yield VerificationFault(lock.roll, FaultCode.LOCK_CHANGED, "its lock is not the one known from before")
        elif lock.roll not in finished and lock.roll > first:
            yield VerificationFault(lock.roll, FaultCode.UNFINISHED_ROLL, "it was locked but never rolled")
