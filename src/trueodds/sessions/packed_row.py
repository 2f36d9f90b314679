"""A row of racks packed into one very large integer, with a fixed number of bits for each rack."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from trueodds.automaton.optional_import import optional_import

flint = optional_import("flint")
big_int = int if flint is None else flint.fmpz
PackedInt = Any
"""An integer of Python or of FLINT, which is faster where it is installed. FLINT has no type stubs."""


class PackedRow(NamedTuple):
    """Slot k of `packed` has the ways of the rack `low` + k, and `ways` is the sum of all slots."""

    low: int
    packed: PackedInt
    ways: int

    @property
    def nbytes(self) -> int:
        """The memory of the packed integer."""
        bits: int = self.packed.bit_length()
        return bits // 8 + 1


class Slots:
    """The arithmetic of packed rows with slots of `bits` bits, a whole number of bytes."""

    def __init__(self, bits: int) -> None:
        self.bits = bits

    @staticmethod
    def bits_for(total_ways: int, rolls: int) -> int:
        """Return the bits of a slot for the ways of this many rolls, in whole bytes and with one to spare."""
        most: int = total_ways**rolls
        return (most.bit_length() // 8 + 2) * 8

    def count(self, row: PackedRow) -> int:
        """Return the number of slots of a row."""
        slots: int = -(-row.packed.bit_length() // self.bits)
        return slots

    def add(self, row: PackedRow | None, other: PackedRow) -> PackedRow:
        """Return the sum of two rows. None stands for an empty row."""
        if row is None:
            return other
        if row.low > other.low:
            row, other = other, row
        shift = self.bits * (other.low - row.low)
        packed = row.packed + (other.packed << shift if shift else other.packed)
        return PackedRow(row.low, packed, row.ways + other.ways)

    def split(self, row: PackedRow, rack: int) -> tuple[PackedRow | None, PackedRow | None]:
        """Split a row into the racks below one and the rest."""
        cut = rack - row.low
        if cut <= 0:
            return None, row
        if cut >= (slots := self.count(row)):
            return row, None
        shift = cut * self.bits
        lower, upper = row.packed & ((1 << shift) - 1), row.packed >> shift
        if cut < slots - cut:
            ways = self._sum(lower)
            lower_row = PackedRow(row.low, lower, ways) if ways else None
            return lower_row, PackedRow(rack, upper, row.ways - ways)
        ways = self._sum(upper)
        lower_row = PackedRow(row.low, lower, row.ways - ways) if row.ways > ways else None
        return lower_row, PackedRow(rack, upper, ways)

    def _sum(self, packed: PackedInt) -> int:
        """Return the sum of all slots, by folding the integer in half repeatedly."""
        slots = -(-int(packed.bit_length()) // self.bits)
        while slots > 1:
            half = (slots + 1) // 2
            shift = half * self.bits
            packed = (packed & ((1 << shift) - 1)) + (packed >> shift)
            slots = half
        return int(packed)

    def widened(self, row: PackedRow, bits: int) -> PackedRow:
        """Return a row with slots of more bits."""
        size, new_size = self.bits // 8, bits // 8
        slots = self.count(row)
        data = int(row.packed).to_bytes(slots * size, "little")
        wide = bytearray(slots * new_size)
        for slot in range(slots):
            wide[slot * new_size : slot * new_size + size] = data[slot * size : (slot + 1) * size]
        return PackedRow(row.low, big_int(int.from_bytes(wide, "little")), row.ways)

    def unpack(self, row: PackedRow) -> Iterator[tuple[int, int]]:
        """Yield the racks of a row that have any ways, with their ways."""
        size = self.bits // 8
        data = int(row.packed).to_bytes(self.count(row) * size, "little")
        for slot in range(len(data) // size):
            ways = int.from_bytes(data[slot * size : (slot + 1) * size], "little")
            if ways:
                yield row.low + slot, ways
