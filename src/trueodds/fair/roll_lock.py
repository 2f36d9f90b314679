"""The lock: everything a roll depends on, fixed when bets close and before any seed or secret is revealed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

from trueodds.fair.commitment import Commitment, is_sorted_unique
from trueodds.fair.errors import FairError, FaultCode
from trueodds.fair.hash_message import check_bytes, check_name, check_number, hash_fields
from trueodds.fair.secret_chain import Link, check_chain_length, link_of
from trueodds.fair.strict_json import format_json, parse_hex, parse_json, parse_list, parse_object

NO_PREVIOUS_SEAL: Final = bytes(32)
"""The previous seal in the lock of the first roll of a table."""

_HEX_FIELDS: Final = ("anchor", "next_anchor", "previous_secret", "previous_seal", "layout_digest")
_FIELDS: Final = ("table", "roll", "chain_length", "chain", "link", *_HEX_FIELDS, "commitments")


def layout_digest(layout: bytes) -> bytes:
    """Return the digest of an encoded layout, which the lock fixes so that no bet can change after it."""
    if not isinstance(layout, bytes):
        raise FairError(FaultCode.MALFORMED, f"layout must be bytes, got {type(layout).__name__}")
    return hash_fields("layout", layout)


@dataclass(frozen=True, slots=True)
class Lock:
    """The inputs of a roll, fixed when bets close.

    `previous_secret` is the hash of this roll's secret: the secret of the roll before, or the anchor. `next_anchor` is
    the anchor of the next chain. Every lock contains it, so that a chain is announced during the whole chain before
    it. `previous_seal` is the seal of the roll before, so that every lock fixes all earlier rolls.
    """

    table: str
    roll: int
    chain_length: int
    chain: int
    link: int
    anchor: bytes
    next_anchor: bytes
    previous_secret: bytes
    previous_seal: bytes
    layout_digest: bytes
    commitments: tuple[Commitment, ...]

    def __post_init__(self) -> None:
        check_name(self.table, "lock: table")
        for name in ("roll", "chain", "link"):
            check_number(getattr(self, name), f"lock: {name}")
        check_chain_length(self.chain_length)
        for name in _HEX_FIELDS:
            check_bytes(getattr(self, name), f"lock: {name}")
        if not is_sorted_unique(self.seats):
            raise FairError(FaultCode.MALFORMED, "lock: commitments must be sorted by seat, without duplicates")

    @property
    def seats(self) -> tuple[str, ...]:
        """The seats that committed, sorted."""
        return tuple(one.seat for one in self.commitments)

    @property
    def named_link(self) -> Link:
        """The link that this lock names."""
        return Link(self.chain, self.link)

    @property
    def expected_link(self) -> Link:
        """The link that the roll number requires."""
        return link_of(self.roll, self.chain_length)

    @property
    def digest(self) -> bytes:
        """The SHA-256 digest of all fields in order."""
        committed: list[bytes | str] = []
        for one in self.commitments:
            committed += (one.seat, one.commitment)
        return hash_fields(
            "lock", self.table, self.roll, self.chain_length, self.chain, self.link,
            self.anchor, self.next_anchor, self.previous_secret, self.previous_seal, self.layout_digest,
            len(self.commitments), *committed,
        )  # fmt: skip

    def commitment_of(self, seat: str) -> bytes | None:
        """Return the commitment of a seat, or None."""
        return next((one.commitment for one in self.commitments if one.seat == seat), None)

    def to_data(self) -> dict[str, Any]:
        """Return the lock as JSON data."""
        return {
            **{name: getattr(self, name) for name in _FIELDS if name not in (*_HEX_FIELDS, "commitments")},
            **{name: getattr(self, name).hex() for name in _HEX_FIELDS},
            "commitments": [{"seat": one.seat, "commitment": one.commitment.hex()} for one in self.commitments],
        }

    @classmethod
    def from_data(cls, data: object, where: str = "lock") -> Lock:
        """Parse what `to_data` returned. `where` names the lock in error messages."""
        fields = parse_object(data, where, _FIELDS)
        commitments = []
        for index, entry in enumerate(parse_list(fields["commitments"], f"{where}: commitments"), 1):
            at = f"{where}: commitment {index}"
            pair = parse_object(entry, at, ("seat", "commitment"))
            commitments.append(Commitment(pair["seat"], parse_hex(pair["commitment"], at)))
        hexes = {name: parse_hex(fields[name], f"{where}: {name}") for name in _HEX_FIELDS}
        return cls(**fields | hexes | {"commitments": tuple(commitments)})

    def to_json(self) -> str:
        """Return the lock as JSON text on one line."""
        return format_json(self.to_data())

    @classmethod
    def from_json(cls, text: str) -> Lock:
        """Parse what `to_json` returned."""
        return cls.from_data(parse_json(text))


def parse_locks(text: str) -> tuple[Lock, ...]:
    """Parse the JSON text of one lock or of a list of locks."""
    data = parse_json(text)
    if not isinstance(data, list):
        return (Lock.from_data(data),)
    return tuple(Lock.from_data(one, f"lock {index}") for index, one in enumerate(data, 1))
