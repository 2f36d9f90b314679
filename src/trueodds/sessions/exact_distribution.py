"""The distribution of a session in exact integers: a row of racks is one very large integer.

This is a translation of the reference (`reference.py`), tested against it by
`tests/sessions/test_reference.py::test_distributions_match_the_reference`.

Every probability after n rolls is a number of ways out of `total_ways`**n. A row packs these numbers into the bits of a
single integer, one slot for each rack, wide enough that no slot can overflow into the next. Paying a player is then a
shift, adding two rows is an addition, and comparing racks with a limit cuts the integer in two. The big-integer library
does the arithmetic, and it is exact.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import Any

from trueodds.automaton.optional_import import optional_import
from trueodds.sessions.session_grid import SessionGrid

flint = optional_import("flint")
big_int = int if flint is None else flint.fmpz
PackedRow = Any
"""An integer of Python or of FLINT, which is faster where it is installed. FLINT has no type stubs."""


class ExactDistribution:
    """Numbers of ways over situations and racks. Each shooter has a layer of its own if their number is limited.

    Slot k of a row has `slot_bits` bits and belongs to the rack `min_rack` + k.
    """

    def __init__(self, grid: SessionGrid, shooters: int | None, rolls: int) -> None:
        self.grid = grid
        self.slot_bits = -(-(grid.total_ways**rolls).bit_length() // 8) * 8 + 8
        self.min_rack = min(int(grid.min_rack.min()), int(grid.min_rack_after.min()))
        layers = shooters or 1
        self._new_shooter = [bool(new) and shooters is not None for new in grid.new_shooter.tolist()]
        decisions = (
            grid.after, grid.after_skipping, grid.cost, grid.required_rack, grid.stop_win_rack, grid.stop_loss_rack,
        )  # fmt: skip
        self._decisions = list(zip(*(column.tolist() for column in decisions), strict=True))
        first, targets, changes, ways = (column.tolist() for column in grid.edges)
        self._edges = [
            list(zip(targets[begin:end], changes[begin:end], ways[begin:end], strict=True))
            for begin, end in pairwise(first)
        ]
        self.current: list[dict[int, PackedRow]] = [{} for _ in range(layers + 1)]
        self._ended: dict[int, tuple[PackedRow, int]] = {}
        self._rolled = 0
        self.cause_ways = [0, 0, 0]
        """The ways that ended by stop loss, stop win and ruin."""
        self.visit_ways = [0] * len(self._edges)

    def start_at(self, situation: int, rack: int) -> None:
        """Start with one way, in a situation with a rack."""
        self.current[0][situation] = big_int(1) << (self.slot_bits * (rack - self.min_rack))

    def step(self) -> None:
        """Let every session make one decision and one roll. Rescale all counts to the new number of ways."""
        following: list[dict[int, PackedRow]] = [{} for _ in self.current]
        ended: dict[int, PackedRow] = {}
        causes = [0, 0, 0]
        for layer, rows in enumerate(self.current[:-1]):
            for after, row in self._stop_or_bet(rows, ended, causes).items():
                self.visit_ways[after] += self._sum(row)
                multiples = {ways: row * ways for ways in {ways for _, _, ways in self._edges[after]}}
                for before, change, ways in self._edges[after]:
                    moved = self._shifted(multiples[ways], change)
                    target = following[layer + self._new_shooter[before]]
                    target[before] = target[before] + moved if before in target else moved
        total_ways = self.grid.total_ways
        self._add_ended(ended)
        self._add_ended(self.current[-1])
        self._rolled += 1
        self.cause_ways = [(old + new) * total_ways for old, new in zip(self.cause_ways, causes, strict=True)]
        self.visit_ways = [count * total_ways for count in self.visit_ways]
        self.current = following

    def finish(self) -> dict[int, PackedRow]:
        """End all sessions that remain. Return the rows of all ended sessions by situation."""
        for layer in self.current:
            self._add_ended(layer)
        self.current = [{} for _ in self.current]
        return {
            situation: row * self.grid.total_ways ** (self._rolled - rolled)
            for situation, (row, rolled) in self._ended.items()
        }

    def _add_ended(self, rows: dict[int, PackedRow]) -> None:
        """Add rows of ended sessions. Each is stored with the number of rolls at which it was last rescaled."""
        for situation, row in rows.items():
            if situation in self._ended:
                known, rolled = self._ended[situation]
                row = row + known * self.grid.total_ways ** (self._rolled - rolled)  # noqa: PLW2901  the row so far
            self._ended[situation] = (row, self._rolled)

    def _stop_or_bet(
        self, rows: dict[int, PackedRow], ended: dict[int, PackedRow], causes: list[int]
    ) -> dict[int, PackedRow]:
        """Split each row into racks that stop, skip or bet. Return the rows after betting."""
        after_rows: dict[int, PackedRow] = {}
        for situation, row in rows.items():
            after, after_skipping, cost, required_rack, stop_win_rack, stop_loss_rack = self._decisions[situation]
            lost, rest = self._split_at(row, stop_loss_rack + 1)
            rest, won = self._split_at(rest, stop_win_rack)
            skipping, betting = self._split_at(rest, required_rack)
            ruined = skipping if after_skipping < 0 else 0
            for cause, part in enumerate((lost, won, ruined)):
                if part:
                    causes[cause] += self._sum(part)
                    ended[situation] = ended.get(situation, 0) + part
            if skipping and after_skipping >= 0:
                after_rows[after_skipping] = after_rows.get(after_skipping, 0) + skipping
            if betting:
                after_rows[after] = after_rows.get(after, 0) + self._shifted(betting, -cost)
        return after_rows

    def _split_at(self, row: PackedRow, rack: int) -> tuple[PackedRow, PackedRow]:
        """Split a row into the racks below one and the rest."""
        bits = self.slot_bits * (rack - self.min_rack)
        if not row or bits <= 0:
            return 0, row
        if bits >= row.bit_length():
            return row, 0
        rest = (row >> bits) << bits
        return row - rest, rest

    def _shifted(self, row: PackedRow, units: int) -> PackedRow:
        bits = self.slot_bits * units
        return row << bits if bits >= 0 else row >> -bits

    def _sum(self, row: PackedRow) -> int:
        """Return the sum of all slots, by folding the integer in half repeatedly."""
        slots = -(-int(row.bit_length()) // self.slot_bits)
        while slots > 1:
            half = (slots + 1) // 2
            high = row >> (half * self.slot_bits)
            row = row - (high << (half * self.slot_bits)) + high
            slots = half
        return int(row)

    def unpack(self, row: PackedRow) -> Iterator[tuple[int, int]]:
        """Yield the racks of a row that have any ways, with their ways."""
        size = self.slot_bits // 8
        data = int(row).to_bytes(-(-int(row).bit_length() // 8) + size, "little")
        for slot in range(len(data) // size):
            ways = int.from_bytes(data[slot * size : (slot + 1) * size], "little")
            if ways:
                yield self.min_rack + slot, ways
