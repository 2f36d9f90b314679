"""The proof of a roll: everything that anybody needs to throw it again."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

from trueodds.dice import DiceError, Roll
from trueodds.fair.commitment import Opening, in_order
from trueodds.fair.encoding import check_bytes, check_name, digest
from trueodds.fair.errors import FairError, Fault
from trueodds.fair.lock import Lock
from trueodds.fair.reading import read_fields, read_hex, read_json, read_list, write_json
from trueodds.fair.roll import FairRoll
from trueodds.fair.stream import Contribution, contributions_fields, pick, stream

FORMAT: Final = "trueodds fair roll 1"
_FIELDS: Final = (
    "format", "lock", "lock_digest", "secret", "openings", "missing", "outside_seeds", "roll", "seal",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Proof:
    """A roll that was thrown. What it says is only well formed; `verify_roll` says whether it is true.

    `lock_digest` and `seal` follow from the rest and stand there so that any change can be found and named.
    """

    lock: Lock
    lock_digest: bytes
    secret: bytes
    openings: tuple[Opening, ...]
    missing: tuple[str, ...]
    roll: Roll
    seal: bytes

    def __post_init__(self) -> None:
        for name in ("lock_digest", "secret", "seal"):
            check_bytes(getattr(self, name), f"proof: {name}")
        if not in_order(one.seat for one in self.openings):
            raise FairError(Fault.MALFORMED, "proof: openings stand in the order of their seats, each seat once")
        if not in_order(check_name(seat, "a missing seat") for seat in self.missing):
            raise FairError(Fault.MALFORMED, "proof: missing seats stand in their order, each once")

    @classmethod
    def of(cls, roll: FairRoll, lock: Lock, secret: bytes) -> Proof:
        """Throw: the roll follows from the lock, the secret and the openings."""
        lock_digest = lock.digest
        thrown = pick(stream(secret, lock_digest, roll.contributions))
        seal = seal_of(lock_digest, secret, roll.contributions, thrown)
        return cls(lock, lock_digest, secret, roll.openings, roll.missing, thrown, seal)

    @property
    def contributions(self) -> tuple[Contribution, ...]:
        """Every seat of the lock, in order, with its seed or none."""
        seeds = {one.seat: one.seed for one in self.openings}
        return tuple((seat, seeds.get(seat)) for seat in self.lock.seats)

    @property
    def has_outside_seed(self) -> bool:
        """Whether any seat added a seed. Without one, the roll is the server's word alone."""
        return bool(self.openings)

    def to_data(self) -> dict[str, Any]:
        """Write it as values of JSON."""
        return {
            "format": FORMAT,
            "lock": self.lock.to_data(),
            "lock_digest": self.lock_digest.hex(),
            "secret": self.secret.hex(),
            "openings": [{"seat": one.seat, "seed": one.seed.hex()} for one in self.openings],
            "missing": list(self.missing),
            "outside_seeds": len(self.openings),
            "roll": str(self.roll),
            "seal": self.seal.hex(),
        }

    @classmethod
    def from_data(cls, data: object, where: str = "proof") -> Proof:
        """Read what `to_data` wrote."""
        given = read_fields(data, where, _FIELDS)
        if given["format"] != FORMAT:
            raise FairError(Fault.MALFORMED, f"{where}: format is {FORMAT!r}")
        openings = []
        for index, entry in enumerate(read_list(given["openings"], f"{where}: openings"), 1):
            at = f"{where}: opening {index}"
            one = read_fields(entry, at, ("seat", "seed"))
            openings.append(Opening(one["seat"], read_hex(one["seed"], at)))
        count = given["outside_seeds"]
        if type(count) is not int or count != len(openings):
            raise FairError(
                Fault.MALFORMED, f"{where}: outside_seeds counts the openings, of which there are {len(openings)}"
            )
        missing = read_list(given["missing"], f"{where}: missing")
        return cls(
            Lock.from_data(given["lock"], f"{where}: lock"), read_hex(given["lock_digest"], f"{where}: lock_digest"),
            read_hex(given["secret"], f"{where}: secret"), tuple(openings),
            tuple(check_name(seat, f"{where}: a missing seat") for seat in missing),
            _read_roll(given["roll"], where), read_hex(given["seal"], f"{where}: seal"),
        )  # fmt: skip

    def to_json(self) -> str:
        """Write it on one line."""
        return write_json(self.to_data())

    @classmethod
    def from_json(cls, text: str) -> Proof:
        """Read what `to_json` wrote."""
        return cls.from_data(read_json(text))


def seal_of(lock_digest: bytes, secret: bytes, contributions: tuple[Contribution, ...], roll: Roll) -> bytes:
    """Digest of the whole roll; the next lock holds it."""
    return digest("seal", lock_digest, secret, *contributions_fields(contributions), str(roll))


def read_proofs(text: str) -> tuple[Proof, ...]:
    """Read one proof, or a list of them."""
    data = read_json(text)
    if not isinstance(data, list):
        return (Proof.from_data(data),)
    return tuple(Proof.from_data(one, f"proof {index}") for index, one in enumerate(data, 1))


def _read_roll(data: object, where: str) -> Roll:
    try:
        roll = Roll.parse(data)
    except DiceError as error:
        raise FairError(Fault.MALFORMED, f"{where}: {error}") from None
    if data != str(roll):
        raise FairError(Fault.MALFORMED, f"{where}: a roll is written {roll}, with nothing around it")
    return roll
