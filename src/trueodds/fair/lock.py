"""The lock: everything a roll depends on, fixed when bets close and before any seed or secret is shown."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

from trueodds.fair.chain import Place, check_length, place_of
from trueodds.fair.commitment import Commitment, in_order
from trueodds.fair.encoding import check_bytes, check_name, check_number, digest
from trueodds.fair.errors import FairError, Fault
from trueodds.fair.reading import read_fields, read_hex, read_json, read_list, write_json

NO_PAST: Final = bytes(32)
"""What stands for the past in the lock of the first roll of a table."""

_HEXES: Final = ("anchor", "next_anchor", "down_to", "past", "layout")
_FIELDS: Final = ("table", "roll", "length", "chain", "link", *_HEXES, "commitments")


def layout_digest(layout: bytes) -> bytes:
    """Digest of the layout as its owner writes it down, so that no bet can be moved after the lock."""
    if not isinstance(layout, bytes):
        raise FairError(Fault.MALFORMED, f"a layout is given in bytes, not {type(layout).__name__}")
    return digest("layout", layout)


@dataclass(frozen=True, slots=True)
class Lock:
    """What is fixed when bets close.

    `down_to` is what the secret must lead down to in one step: the secret of the roll before, or the anchor.
    `next_anchor` is the anchor of the chain after this one. Every lock names it, so that a chain is announced for as
    long as the whole chain before it lasts. `past` is the seal of the roll before: each lock holds all rolls before it.
    """

    table: str
    roll: int
    length: int
    chain: int
    link: int
    anchor: bytes
    next_anchor: bytes
    down_to: bytes
    past: bytes
    layout: bytes
    commitments: tuple[Commitment, ...]

    def __post_init__(self) -> None:
        check_name(self.table, "a table")
        for name in ("roll", "chain", "link"):
            check_number(getattr(self, name), f"lock: {name}")
        check_length(self.length)
        for name in _HEXES:
            check_bytes(getattr(self, name), f"lock: {name}")
        if not in_order(self.seats):
            raise FairError(Fault.MALFORMED, "lock: commitments stand in the order of their seats, each seat once")

    @property
    def seats(self) -> tuple[str, ...]:
        """The seats that committed, in order."""
        return tuple(one.seat for one in self.commitments)

    @property
    def place(self) -> Place:
        """The link this lock names."""
        return Place(self.chain, self.link)

    @property
    def due(self) -> Place:
        """The link this roll must take."""
        return place_of(self.roll, self.length)

    @property
    def digest(self) -> bytes:
        """SHA-256 over all fields in order."""
        promised: list[bytes | str] = []
        for one in self.commitments:
            promised += (one.seat, one.commitment)
        return digest(
            "lock", self.table, self.roll, self.length, self.chain, self.link,
            self.anchor, self.next_anchor, self.down_to, self.past, self.layout,
            len(self.commitments), *promised,
        )  # fmt: skip

    def commitment_of(self, seat: str) -> bytes | None:
        """Give what a seat promised, if it did."""
        return next((one.commitment for one in self.commitments if one.seat == seat), None)

    def to_data(self) -> dict[str, Any]:
        """Write it as values of JSON."""
        return {
            **{name: getattr(self, name) for name in _FIELDS if name not in (*_HEXES, "commitments")},
            **{name: getattr(self, name).hex() for name in _HEXES},
            "commitments": [{"seat": one.seat, "commitment": one.commitment.hex()} for one in self.commitments],
        }

    @classmethod
    def from_data(cls, data: object, where: str = "lock") -> Lock:
        """Read what `to_data` wrote."""
        given = read_fields(data, where, _FIELDS)
        commitments = []
        for index, entry in enumerate(read_list(given["commitments"], f"{where}: commitments"), 1):
            at = f"{where}: commitment {index}"
            one = read_fields(entry, at, ("seat", "commitment"))
            commitments.append(Commitment(one["seat"], read_hex(one["commitment"], at)))
        hexes = {name: read_hex(given[name], f"{where}: {name}") for name in _HEXES}
        return cls(**given | hexes | {"commitments": tuple(commitments)})

    def to_json(self) -> str:
        """Write it on one line."""
        return write_json(self.to_data())

    @classmethod
    def from_json(cls, text: str) -> Lock:
        """Read what `to_json` wrote."""
        return cls.from_data(read_json(text))


def read_locks(text: str) -> tuple[Lock, ...]:
    """Read one lock, or a list of them."""
    data = read_json(text)
    if not isinstance(data, list):
        return (Lock.from_data(data),)
    return tuple(Lock.from_data(one, f"lock {index}") for index, one in enumerate(data, 1))
