"""The arithmetic of one roll, step by step, for somebody who wants to follow it with a pencil and a hash."""

from __future__ import annotations

from itertools import islice
from typing import NamedTuple

from trueodds.dice import ROLLS
from trueodds.fair.chain import lead_down, walk_down
from trueodds.fair.commitment import commit_to
from trueodds.fair.proof import Proof, seal_of
from trueodds.fair.stream import FIRST_SKIPPED, block, stream


class Step(NamedTuple):
    """One step: what it is about, what is computed, what comes out."""

    about: str
    computed: str
    gives: str


def arithmetic(proof: Proof) -> tuple[Step, ...]:
    """Compute a roll from its proof alone and show every step. What the proof claims beyond that is not believed."""
    return (*_lock_steps(proof), *_seat_steps(proof), *_dice_steps(proof))


def _lock_steps(proof: Proof) -> list[Step]:
    lock = proof.lock
    down = lead_down(lock.table, lock.place, proof.secret)
    steps = [
        Step(
            "link",
            f"roll {lock.roll} in chains of {lock.length} links",
            f"chain {lock.due.chain}, link {lock.due.link}",
        ),
        Step("lock", f"SHA-256 of the lock with {len(lock.commitments)} commitments", lock.digest.hex()),
        Step("secret", "revealed after the openings", proof.secret.hex()),
        Step("down", f"SHA-256 of chain {lock.chain}, link {lock.link} and the secret", down.hex()),
    ]
    if lock.place == lock.due:
        anchor = walk_down(lock.table, lock.place, proof.secret)
        steps.append(Step("anchor", f"{lock.link} such {'step' if lock.link == 1 else 'steps'} down", anchor.hex()))
    return steps


def _seat_steps(proof: Proof) -> list[Step]:
    lock = proof.lock
    steps = []
    for seat, seed in proof.contributions:
        if seed is None:
            steps.append(Step(f"seat {seat}", "committed and did not open", "missing"))
        else:
            made = commit_to(lock.table, lock.roll, seat, seed)
            steps.append(Step(f"seat {seat}", f"SHA-256 of the roll, the seat and the seed {seed.hex()}", made.hex()))
    if not proof.has_outside_seed:
        steps.append(Step("seats", "no seed from outside", "the server's word alone"))
    return steps


def _dice_steps(proof: Proof) -> list[Step]:
    given = (proof.secret, proof.lock.digest, proof.contributions)
    octets: list[int] = []
    for octet in stream(*given):
        octets.append(octet)
        if octet < FIRST_SKIPPED:
            break
    steps = [
        Step("stream", f"HMAC-SHA-256 under the secret, block {counter}", block(*given, counter).hex())
        for counter in range((len(octets) + 31) // 32)
    ]
    steps += [
        Step("byte", f"{octet} is {FIRST_SKIPPED} or more", "skipped") for octet in islice(octets, len(octets) - 1)
    ]
    index = octets[-1] % 36
    roll = ROLLS[index]
    steps.append(
        Step("byte", f"{octets[-1]} modulo 36 is {index}, counted from 0 through 1-1, 1-2, ... 6-6", str(roll))
    )
    seal = seal_of(proof.lock.digest, proof.secret, proof.contributions, roll)
    return [*steps, Step("seal", "SHA-256 of lock digest, secret, seats, seeds and roll", seal.hex())]
