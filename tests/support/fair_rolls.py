"""Six rolls with a key that everybody knows: the vectors of docs/fairness.md and tests/fair/evening.json."""

from __future__ import annotations

from trueodds.fair import FairDice, FairRoll, Key, Proof, commit_to
from trueodds.fair.chain import Chain
from trueodds.fair.encoding import message
from trueodds.fair.stream import block

KEY_BYTES = bytes(range(32))
KEY = Key(KEY_BYTES)
TABLE = "t1"
LENGTH = 4
SEATS = {1: "Ann Bob", 2: "Ann Bob", 3: "", 4: "Ann", 5: "Ann Zoë", 6: "Bob"}
MISSING = {2: "Bob", 5: "Ann"}


def dice(table: str = TABLE, length: int = LENGTH, key: Key = KEY) -> FairDice:
    return FairDice(key, table, length)


def seed(seat: str, roll: int) -> bytes:
    return bytes([(ord(seat[0]) + roll) % 256]) * 32


def layout(roll: int) -> bytes:
    return f"Ann: pass 10 before roll {roll}".encode()


def committed(roll: FairRoll, *seats: str) -> FairRoll:
    for seat in seats:
        roll = roll.commit(seat, commit_to(roll.table, roll.number, seat, seed(seat, roll.number)), roll.number)
    return roll


def opened(roll: FairRoll, *seats: str) -> FairRoll:
    for seat in seats:
        roll = roll.open(seat, seed(seat, roll.number))
    return roll


def evening(count: int = 6, with_dice: FairDice | None = None) -> list[Proof]:
    thrower = with_dice or dice()
    roll, proofs = FairRoll.first(thrower.table), []
    for number in range(1, count + 1):
        seats = SEATS.get(number, "Ann").split()
        roll = committed(roll, *seats)
        roll = roll.locked(thrower.lock(roll, layout(number)))
        roll = opened(roll, *(seat for seat in seats if seat != MISSING.get(number)))
        proofs.append(thrower.throw(roll))
        roll = FairRoll.after(proofs[-1])
    return proofs


def vectors() -> dict[str, str]:
    """Every value that the page prints, under the name it has there."""
    chain, after = Chain(KEY, TABLE, 1, LENGTH), Chain(KEY, TABLE, 2, LENGTH)
    told = {
        "key": KEY_BYTES.hex(),
        "message of the top": message("chain", TABLE, 1, LENGTH).hex(),
        **{f"secret {link}": chain.secret(link).hex() for link in range(LENGTH, 0, -1)},
        "anchor": chain.anchor.hex(),
        "next anchor": after.anchor.hex(),
    }
    for proof in evening(3):
        number, lock = proof.lock.roll, proof.lock
        told[f"roll {number} layout"] = layout(number).hex()
        told[f"roll {number} layout digest"] = lock.layout.hex()
        for one in lock.commitments:
            told[f"roll {number} seed of {one.seat}"] = seed(one.seat, number).hex()
            told[f"roll {number} commitment of {one.seat}"] = one.commitment.hex()
        told[f"roll {number} lock digest"] = proof.lock_digest.hex()
        told[f"roll {number} stream"] = block(proof.secret, proof.lock_digest, proof.contributions, 0).hex()
        told[f"roll {number} dice"] = str(proof.roll)
        told[f"roll {number} seal"] = proof.seal.hex()
    return told


def page_of_vectors() -> str:
    return "".join(f"{name:<26} {value}\n" for name, value in vectors().items())
