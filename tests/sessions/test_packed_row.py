"""Rows packed into integers, against rows that are dictionaries."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from trueodds.sessions.packed_row import PackedRow, Slots, big_int

SLOTS = Slots(16)
DICTIONARIES = st.dictionaries(st.integers(-5, 12), st.integers(1, 1000), min_size=1)


def pack(ways_by_rack: dict[int, int]) -> PackedRow:
    low = min(ways_by_rack)
    packed = sum(ways << (SLOTS.bits * (rack - low)) for rack, ways in ways_by_rack.items())
    return PackedRow(low, big_int(packed), sum(ways_by_rack.values()))


def unpack(row: PackedRow | None, slots: Slots = SLOTS) -> dict[int, int]:
    """Return the racks and their ways, and check the stored sum."""
    if row is None:
        return {}
    ways_by_rack = dict(slots.unpack(row))
    assert sum(ways_by_rack.values()) == row.ways > 0
    return ways_by_rack


@given(DICTIONARIES, DICTIONARIES)
def test_sums(first: dict[int, int], second: dict[int, int]) -> None:
    expected = {rack: first.get(rack, 0) + second.get(rack, 0) for rack in {*first, *second}}
    assert unpack(SLOTS.add(pack(first), pack(second))) == expected
    assert unpack(SLOTS.add(None, pack(first))) == first


@given(DICTIONARIES, st.integers(-8, 15))
def test_splits(ways_by_rack: dict[int, int], rack: int) -> None:
    below, rest = SLOTS.split(pack(ways_by_rack), rack)
    assert unpack(below) == {key: ways for key, ways in ways_by_rack.items() if key < rack}
    assert unpack(rest) == {key: ways for key, ways in ways_by_rack.items() if key >= rack}


@given(DICTIONARIES)
def test_wider_slots(ways_by_rack: dict[int, int]) -> None:
    assert unpack(SLOTS.widened(pack(ways_by_rack), 40), Slots(40)) == ways_by_rack


def test_slots_hold_the_ways_of_all_rolls() -> None:
    for rolls in (1, 8, 57):
        bits = Slots.bits_for(36, rolls)
        assert bits % 8 == 0
        assert 36**rolls < 1 << bits
