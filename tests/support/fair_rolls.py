"""Six rolls with a public key: the test vectors of docs/fairness.md and tests/fair/six_rolls.json."""

from __future__ import annotations

from trueodds.fair import FairDice, FairRoll, Proof, ServerKey, make_commitment
from trueodds.fair.derive_roll import stream_block
from trueodds.fair.hash_message import hash_message
from trueodds.fair.secret_chain import SecretChain

KEY_BYTES = bytes(range(32))
KEY = ServerKey(KEY_BYTES)
TABLE = "t1"
LENGTH = 4
SEATS = {1: "Ann Bob", 2: "Ann Bob", 3: "", 4: "Ann", 5: "Ann Zoë", 6: "Bob"}
MISSING = {2: "Bob", 5: "Ann"}


def dice(table: str = TABLE, length: int = LENGTH, key: ServerKey = KEY) -> FairDice:
    return FairDice(key, table, length)


def seed(seat: str, roll: int) -> bytes:
    return bytes([(ord(seat[0]) + roll) % 256]) * 32


def layout(roll: int) -> bytes:
    return f"Ann: pass 10 before roll {roll}".encode()


def with_commitments(roll: FairRoll, *seats: str) -> FairRoll:
    for seat in seats:
        roll = roll.commit(seat, make_commitment(roll.table, roll.number, seat, seed(seat, roll.number)), roll.number)
    return roll


def with_openings(roll: FairRoll, *seats: str) -> FairRoll:
    for seat in seats:
        roll = roll.open_seed(seat, seed(seat, roll.number))
    return roll


def make_rolls(count: int = 6, with_dice: FairDice | None = None) -> list[Proof]:
    fair_dice = with_dice or dice()
    roll, proofs = FairRoll.first(fair_dice.table), []
    for number in range(1, count + 1):
        seats = SEATS.get(number, "Ann").split()
        roll = with_commitments(roll, *seats)
        roll = roll.with_lock(fair_dice.lock(roll, layout(number)))
        roll = with_openings(roll, *(seat for seat in seats if seat != MISSING.get(number)))
        proofs.append(fair_dice.roll(roll))
        roll = FairRoll.after(proofs[-1])
    return proofs


def vectors() -> dict[str, str]:
    """Return the test vectors of the page by name."""
    chain, after = SecretChain(KEY, TABLE, 1, LENGTH), SecretChain(KEY, TABLE, 2, LENGTH)
    values = {
        "key": KEY_BYTES.hex(),
        "message of the top": hash_message("chain", TABLE, 1, LENGTH).hex(),
        **{f"secret {link}": chain.secret(link).hex() for link in range(LENGTH, 0, -1)},
        "anchor": chain.anchor.hex(),
        "next anchor": after.anchor.hex(),
    }
    for proof in make_rolls(3):
        number, lock = proof.lock.roll, proof.lock
        values[f"roll {number} layout"] = layout(number).hex()
        values[f"roll {number} layout digest"] = lock.layout_digest.hex()
        for one in lock.commitments:
            values[f"roll {number} seed of {one.seat}"] = seed(one.seat, number).hex()
            values[f"roll {number} commitment of {one.seat}"] = one.commitment.hex()
        values[f"roll {number} lock digest"] = proof.lock_digest.hex()
        values[f"roll {number} stream"] = stream_block(proof.secret, proof.lock_digest, proof.contributions, 0).hex()
        values[f"roll {number} dice"] = str(proof.dice)
        values[f"roll {number} seal"] = proof.seal.hex()
    return values


def format_vectors() -> str:
    return "".join(f"{name:<26} {value}\n" for name, value in vectors().items())
