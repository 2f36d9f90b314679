"""The proof of a roll: everything needed to repeat it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

from trueodds.dice import DiceError, Roll
from trueodds.fair.commitment import Opening, is_sorted_unique
from trueodds.fair.derive_roll import Contribution, byte_stream, contribution_fields, pick_dice
from trueodds.fair.errors import FairError, FaultCode
from trueodds.fair.hash_message import check_bytes, check_name, hash_fields
from trueodds.fair.roll_in_progress import FairRoll
from trueodds.fair.roll_lock import Lock
from trueodds.fair.strict_json import format_json, parse_hex, parse_json, parse_list, parse_object

FORMAT: Final = "trueodds fair roll 1"
_FIELDS: Final = (
    "format", "lock", "lock_digest", "secret", "openings", "missing", "client_seeds", "dice", "seal",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Proof:
    """A finished roll. A `Proof` is well formed; `verify_roll` checks whether it is true.

    `lock_digest` and `seal` follow from the other fields. They are included so that any change can be found and named.
    """

    lock: Lock
    lock_digest: bytes
    secret: bytes
    openings: tuple[Opening, ...]
    missing: tuple[str, ...]
    dice: Roll
    seal: bytes

    def __post_init__(self) -> None:
        for name in ("lock_digest", "secret", "seal"):
            check_bytes(getattr(self, name), f"proof: {name}")
        if not is_sorted_unique(one.seat for one in self.openings):
            raise FairError(FaultCode.MALFORMED, "proof: openings must be sorted by seat, without duplicates")
        if not is_sorted_unique(check_name(seat, "proof: missing seat") for seat in self.missing):
            raise FairError(FaultCode.MALFORMED, "proof: missing must be sorted, without duplicates")

    @classmethod
    def create(cls, roll: FairRoll, lock: Lock, secret: bytes) -> Proof:
        """Compute the dice from the lock, the secret and the openings."""
        lock_digest = lock.digest
        dice = pick_dice(byte_stream(secret, lock_digest, roll.contributions))
        seal = compute_seal(lock_digest, secret, roll.contributions, dice)
        return cls(lock, lock_digest, secret, roll.openings, roll.missing, dice, seal)

    @property
    def contributions(self) -> tuple[Contribution, ...]:
        """Every seat of the lock, sorted, with its seed or None."""
        seeds = {one.seat: one.seed for one in self.openings}
        return tuple((seat, seeds.get(seat)) for seat in self.lock.seats)

    @property
    def has_client_seed(self) -> bool:
        """Whether any seat opened a seed. If not, the server alone decided the roll."""
        return bool(self.openings)

    def to_data(self) -> dict[str, Any]:
        """Return the proof as JSON data."""
        return {
            "format": FORMAT,
            "lock": self.lock.to_data(),
            "lock_digest": self.lock_digest.hex(),
            "secret": self.secret.hex(),
            "openings": [{"seat": one.seat, "seed": one.seed.hex()} for one in self.openings],
            "missing": list(self.missing),
            "client_seeds": len(self.openings),
            "dice": str(self.dice),
            "seal": self.seal.hex(),
        }

    @classmethod
    def from_data(cls, data: object, where: str = "proof") -> Proof:
        """Parse what `to_data` returned. `where` names the proof in error messages."""
        fields = parse_object(data, where, _FIELDS)
        if fields["format"] != FORMAT:
            raise FairError(FaultCode.MALFORMED, f"{where}: format must be {FORMAT!r}")
        openings = []
        for index, entry in enumerate(parse_list(fields["openings"], f"{where}: openings"), 1):
            at = f"{where}: opening {index}"
            pair = parse_object(entry, at, ("seat", "seed"))
            openings.append(Opening(pair["seat"], parse_hex(pair["seed"], at)))
        count = fields["client_seeds"]
        if type(count) is not int or count != len(openings):
            raise FairError(
                FaultCode.MALFORMED, f"{where}: client_seeds must be the number of openings, {len(openings)}"
            )
        missing = parse_list(fields["missing"], f"{where}: missing")
        return cls(
            Lock.from_data(fields["lock"], f"{where}: lock"), parse_hex(fields["lock_digest"], f"{where}: lock_digest"),
            parse_hex(fields["secret"], f"{where}: secret"), tuple(openings),
            tuple(check_name(seat, f"{where}: missing seat") for seat in missing),
            _parse_dice(fields["dice"], where), parse_hex(fields["seal"], f"{where}: seal"),
        )  # fmt: skip

    def to_json(self) -> str:
        """Return the proof as JSON text on one line."""
        return format_json(self.to_data())

    @classmethod
    def from_json(cls, text: str) -> Proof:
        """Parse what `to_json` returned."""
        return cls.from_data(parse_json(text))


def compute_seal(lock_digest: bytes, secret: bytes, contributions: tuple[Contribution, ...], dice: Roll) -> bytes:
    """Return the digest of the whole roll, which the next lock contains."""
    return hash_fields("seal", lock_digest, secret, *contribution_fields(contributions), str(dice))


def parse_proofs(text: str) -> tuple[Proof, ...]:
    """Parse the JSON text of one proof or of a list of proofs."""
    data = parse_json(text)
    if not isinstance(data, list):
        return (Proof.from_data(data),)
    return tuple(Proof.from_data(one, f"proof {index}") for index, one in enumerate(data, 1))


def _parse_dice(data: object, where: str) -> Roll:
    try:
        roll = Roll.parse(data)
    except DiceError as error:
        raise FairError(FaultCode.MALFORMED, f"{where}: {error}") from None
    if data != str(roll):
        raise FairError(FaultCode.MALFORMED, f"{where}: dice must be written {str(roll)!r}, got {data!r}")
    return roll
