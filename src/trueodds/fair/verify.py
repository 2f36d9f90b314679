"""Whether a roll, or all rolls of a table, came out as they had to. No key is needed for it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from trueodds.fair.chain import lead_down, walk_down
from trueodds.fair.commitment import commit_to
from trueodds.fair.errors import FairError, Fault
from trueodds.fair.lock import NO_PAST, Lock
from trueodds.fair.proof import Proof, seal_of
from trueodds.fair.stream import pick, stream


class Finding(NamedTuple):
    """Something that is wrong with a roll."""

    roll: int
    code: Fault
    what: str

    @property
    def sentence(self) -> str:
        """Say which roll and what."""
        return f"roll {self.roll}: {self.what}"


def verify_roll(proof: Proof, anchor: bytes | None = None, seen: Iterable[Lock] = ()) -> tuple[Finding, ...]:
    """Throw one roll again and say what is wrong with its proof; nothing is wrong when the answer is empty.

    Give the `anchor` that the table published for this chain, and the locks you have `seen` yourself: a proof that
    was made up as a whole fits itself, and only what was known before the roll can tell.
    """
    return verify_rolls([proof], anchor, (lock for lock in seen if lock.roll == proof.lock.roll))


def verify_rolls(
    proofs: Iterable[Proof], anchor: bytes | None = None, seen: Iterable[Lock] = ()
) -> tuple[Finding, ...]:
    """Throw consecutive rolls of one table again and say everything that is wrong, in the order of the rolls.

    `anchor` is the one published for the chain of the first of them. A lock `seen` after the last of them counts as
    never thrown: leave out the lock of a roll that is still on its way.
    """
    rolls = tuple(proofs)
    if not rolls:
        raise FairError(Fault.MALFORMED, "there is no roll to verify")
    found: list[Finding] = []
    if anchor is not None and rolls[0].lock.anchor != anchor:
        found.append(_finding(rolls[0], Fault.WRONG_ANCHOR, "its anchor is not the one that was published"))
    found += _alone(rolls[0], walk=True)
    for before, proof in pairwise(rolls):
        found += verify_next(before, proof)
    return (*found, *_against_seen(rolls, seen))


def verify_next(before: Proof, proof: Proof) -> tuple[Finding, ...]:
    """Throw a roll again that follows one which was verified already, and say everything that is wrong with it."""
    between = list(_between(before, proof))
    follows = not between and before.lock.chain == proof.lock.chain
    return (*between, *_alone(proof, walk=not follows))


def _finding(proof: Proof, code: Fault, what: str) -> Finding:
    return Finding(proof.lock.roll, code, what)


def _alone(proof: Proof, walk: bool) -> list[Finding]:
    """Look at one proof. The dice are thrown again only when what they depend on is right."""
    found = [_finding(proof, *one) for one in (*_lock(proof), *_link(proof, walk), *_seats(proof))]
    if found:
        return found
    lock_digest = proof.lock.digest
    roll = pick(stream(proof.secret, lock_digest, proof.contributions))
    if roll != proof.roll:
        return [_finding(proof, Fault.WRONG_ROLL, f"the dice come to {roll}, not {proof.roll}")]
    if proof.seal != seal_of(lock_digest, proof.secret, proof.contributions, roll):
        return [_finding(proof, Fault.WRONG_SEAL, "its seal does not belong to it")]
    return []


def _lock(proof: Proof) -> Iterator[tuple[Fault, str]]:
    lock = proof.lock
    if lock.place != lock.due:
        yield (
            Fault.WRONG_LINK,
            f"it takes link {lock.due.link} of chain {lock.due.chain}, not link {lock.link} of chain {lock.chain}",
        )
    if lock.digest != proof.lock_digest:
        yield (
            Fault.LOCK_ALTERED,
            f"the digest of its lock is {lock.digest.hex()}, not {proof.lock_digest.hex()}: "
            "a field of the lock or the digest was altered",
        )
    if lock.roll == 1 and lock.past != NO_PAST:
        yield Fault.BROKEN_PAST, "it is the first roll of its table and names a past"


def _link(proof: Proof, walk: bool) -> Iterator[tuple[Fault, str]]:
    lock = proof.lock
    if lead_down(lock.table, lock.place, proof.secret) != lock.down_to:
        yield Fault.BROKEN_LINK, f"its secret does not lead down to {lock.down_to.hex()}, which its lock names"
    elif lock.link == 1 and lock.down_to != lock.anchor:
        yield Fault.WRONG_ANCHOR, "the first link of its chain leads down to something else than its anchor"
    elif walk and lock.place == lock.due and walk_down(lock.table, lock.place, proof.secret) != lock.anchor:
        yield Fault.WRONG_ANCHOR, f"its secret does not lead down to the anchor {lock.anchor.hex()}"


def _seats(proof: Proof) -> Iterator[tuple[Fault, str]]:
    lock, opened = proof.lock, {one.seat: one.seed for one in proof.openings}
    for seat in sorted({*opened, *proof.missing} - {*lock.seats}):
        yield Fault.WRONG_SEATS, f"{seat} stands among the openings, and the lock has no commitment of {seat}"
    for seat in lock.seats:
        if (seat in opened) == (seat in proof.missing):
            both = "both opened and missing" if seat in opened else "neither opened nor missing"
            yield Fault.WRONG_SEATS, f"{seat} committed and is {both}"
        elif seat in opened and commit_to(lock.table, lock.roll, seat, opened[seat]) != lock.commitment_of(seat):
            yield Fault.WRONG_SEED, f"the seed of {seat} is not the one it committed to"


def _between(before: Proof, proof: Proof) -> Iterator[Finding]:
    """Look at two proofs that should follow each other."""
    old, new = before.lock, proof.lock
    if new.table != old.table:
        yield _finding(proof, Fault.OTHER_TABLE, f"it is of table {new.table}, and the roll before it of {old.table}")
        return
    if new.roll <= old.roll:
        yield _finding(
            proof, Fault.REPEATED, f"it comes after roll {old.roll}: a roll stands here twice or out of order"
        )
        return
    if new.roll != old.roll + 1:
        gap = f"roll {old.roll + 1} is" if new.roll == old.roll + 2 else f"rolls {old.roll + 1} to {new.roll - 1} are"
        yield _finding(proof, Fault.SKIPPED, f"{gap} missing before it")
        return
    if new.length != old.length:
        yield _finding(proof, Fault.WRONG_LINK, f"chains of this table have {old.length} links, not {new.length}")
    if new.past != before.seal:
        yield _finding(proof, Fault.BROKEN_PAST, f"its lock was made after another roll {old.roll} than the one given")
    if new.chain == old.chain:
        if (new.anchor, new.next_anchor) != (old.anchor, old.next_anchor):
            what = "anchor" if new.anchor != old.anchor else "announced anchor"
            yield _finding(proof, Fault.UNANNOUNCED, f"the {what} of its chain changed")
        if new.down_to != before.secret:
            yield _finding(proof, Fault.BROKEN_LINK, f"it does not lead down to the secret of roll {old.roll}")
    elif new.anchor != old.next_anchor:
        yield _finding(proof, Fault.UNANNOUNCED, f"the anchor of chain {new.chain} is not the one announced before")


def _against_seen(rolls: Sequence[Proof], seen: Iterable[Lock]) -> Iterator[Finding]:
    """Look for every lock that somebody saw: it was finished, and nothing else was put in its place."""
    thrown = {proof.lock.roll: proof.lock for proof in rolls}
    table, first = rolls[0].lock.table, rolls[0].lock.roll
    for lock in seen:
        if lock.table != table:
            yield Finding(lock.roll, Fault.OTHER_TABLE, f"a lock was seen at table {lock.table}, not {table}")
        elif lock.roll in thrown and lock != thrown[lock.roll]:
            yield Finding(
                lock.roll, Fault.LOCK_CHANGED, "another lock was seen for it than the one it was thrown under"
            )
        elif lock.roll not in thrown and lock.roll > first:
            yield Finding(lock.roll, Fault.UNFINISHED, "it was locked and never thrown")
