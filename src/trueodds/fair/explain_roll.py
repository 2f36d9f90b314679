"""A roll computed step by step, for readers who want to repeat the calculation by hand."""

from __future__ import annotations

from itertools import islice
from typing import NamedTuple

from trueodds.dice import ROLLS
from trueodds.fair.commitment import make_commitment
from trueodds.fair.derive_roll import FIRST_REJECTED_BYTE, byte_stream, stream_block
from trueodds.fair.proof import Proof, compute_seal
from trueodds.fair.secret_chain import anchor_of, previous_secret


class RollStep(NamedTuple):
    """One step of the calculation."""

    name: str
    computation: str
    result: str


def explain_roll(proof: Proof) -> tuple[RollStep, ...]:
    """Return every step from a proof to its dice. The dice and digests that the proof states are not used."""
    return (*_lock_steps(proof), *_seat_steps(proof), *_dice_steps(proof))


def _lock_steps(proof: Proof) -> list[RollStep]:
    lock = proof.lock
    link = lock.expected_link
    steps = [
        RollStep(
            "link",
            f"roll {lock.roll} in chains of {lock.chain_length} links",
            f"chain {link.chain}, link {link.number}",
        ),
        RollStep("lock", f"SHA-256 of the lock with {len(lock.commitments)} commitments", lock.digest.hex()),
        RollStep("secret", "revealed after the openings", proof.secret.hex()),
        RollStep(
            "previous",
            f"SHA-256 of chain {lock.chain}, link {lock.link} and the secret",
            previous_secret(lock.table, lock.named_link, proof.secret).hex(),
        ),
    ]
    if lock.named_link == link:
        anchor = anchor_of(lock.table, link, proof.secret)
        hashes = "1 such hash" if lock.link == 1 else f"{lock.link} such hashes in a row"
        steps.append(RollStep("anchor", hashes, anchor.hex()))
    return steps


def _seat_steps(proof: Proof) -> list[RollStep]:
    lock = proof.lock
    steps = []
    for seat, seed in proof.contributions:
        if seed is None:
            steps.append(RollStep(f"seat {seat}", "committed and did not open its seed", "missing"))
        else:
            commitment = make_commitment(lock.table, lock.roll, seat, seed)
            computation = f"SHA-256 of the roll, the seat and the seed {seed.hex()}"
            steps.append(RollStep(f"seat {seat}", computation, commitment.hex()))
    if not proof.has_client_seed:
        steps.append(RollStep("seats", "no client seed", "the server alone decided this roll"))
    return steps


def _dice_steps(proof: Proof) -> list[RollStep]:
    inputs = (proof.secret, proof.lock.digest, proof.contributions)
    stream: list[int] = []
    for byte in byte_stream(*inputs):
        stream.append(byte)
        if byte < FIRST_REJECTED_BYTE:
            break
    steps = [
        RollStep("stream", f"HMAC-SHA-256 under the secret, block {counter}", stream_block(*inputs, counter).hex())
        for counter in range((len(stream) + 31) // 32)
    ]
    steps += [
        RollStep("byte", f"{byte} is {FIRST_REJECTED_BYTE} or more", "skipped")
        for byte in islice(stream, len(stream) - 1)
    ]
    index = stream[-1] % 36
    dice = ROLLS[index]
    steps.append(
        RollStep("byte", f"{stream[-1]} modulo 36 is {index}, counted from 0 through 1-1, 1-2, ... 6-6", str(dice))
    )
    seal = compute_seal(proof.lock.digest, proof.secret, proof.contributions, dice)
    return [*steps, RollStep("seal", "SHA-256 of lock digest, secret, seats, seeds and dice", seal.hex())]
