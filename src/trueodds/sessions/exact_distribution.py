"""The distribution of a session in exact integers: a row of racks is one very large integer.

This is a translation of the reference (`reference.py`), tested against it by
`tests/sessions/test_reference.py::test_distributions_match_the_reference`.

Every probability after n rolls is a number of ways out of `total_ways`**n. A row packs these numbers into the bits of a
single integer, one slot for each rack, wide enough that no slot can overflow into the next. Paying a player is then a
new lowest rack, adding two rows is a shift and an addition, and comparing racks with a limit cuts the integer in two.
The big-integer library does the arithmetic, and it is exact. Slots become wider as the numbers do.
"""

from __future__ import annotations

from typing import Final

from trueodds.sessions.packed_row import PackedRow, Slots, big_int
from trueodds.sessions.session_grid import SessionGrid
from trueodds.sessions.session_memory import SessionMemory

FIRST_ROLLS: Final = 8
"""The rolls that the first slots are wide enough for. Then slots are widened for half as many rolls again."""

Rows = dict[int, PackedRow]
"""Rows by situation."""


class ExactDistribution:
    """Numbers of ways over situations and racks. Each shooter has a layer of its own if their number is limited."""

    def __init__(self, grid: SessionGrid, shooters: int | None, rolls: int, memory: SessionMemory) -> None:
        self.grid = grid
        self._rolls = rolls
        self._memory = memory
        self._slot_rolls = min(FIRST_ROLLS, rolls)
        self.slots = Slots(Slots.bits_for(grid.total_ways, self._slot_rolls))
        decisions = (
            grid.after, grid.after_skipping, grid.cost, grid.required_rack, grid.stop_win_rack, grid.stop_loss_rack,
        )  # fmt: skip
        self._decisions = list(zip(*(column.tolist() for column in decisions), strict=True))
        self._new_shooter = [bool(new) for new in grid.new_shooter.tolist()]
        self._incoming = _incoming_by_ways(grid)
        self._current: list[Rows] = [{} for _ in range(shooters or 1)]
        self._current[0][grid.start] = PackedRow(0, big_int(1), 1)
        self._ended: dict[int, tuple[PackedRow, int]] = {}
        self._rolled = 0
        self.cause_ways = [0, 0, 0]
        """The ways that ended by stop loss, stop win and ruin."""
        self.visit_ways = [0] * len(grid.resolved_ways)

    def step(self) -> None:
        """Let every session make one decision and one roll. Rescale all counts to the new number of ways."""
        if self._rolled == self._slot_rolls:
            self._widen_slots()
        self._check_memory()
        total_ways = self.grid.total_ways
        self.cause_ways = [ways * total_ways for ways in self.cause_ways]
        self.visit_ways = [ways * total_ways for ways in self.visit_ways]
        following: list[Rows] = [{} for _ in self._current]
        for layer, rows in enumerate(self._current):
            after_rows = self._stop_or_bet(rows)
            rows.clear()
            for after, row in after_rows.items():
                self.visit_ways[after] += row.ways * total_ways
            self._roll_dice(after_rows, layer, following)
        self._rolled += 1
        for situation, row in self._new_shooters_after_the_last.items():
            self._add_ended(situation, row)
        self._current = following

    def finish(self) -> Rows:
        """Return the rows of all sessions by situation, ended or not, out of the ways of all rolls."""
        for layer in self._current:
            for situation, row in layer.items():
                self._add_ended(situation, row)
        self._current = []
        return {situation: self._rescaled(row, rolled) for situation, (row, rolled) in self._ended.items()}

    def _stop_or_bet(self, rows: Rows) -> Rows:
        """Split each row into racks that stop, skip or bet. Return the rows after betting."""
        after_rows: Rows = {}
        for situation, row in rows.items():
            after, after_skipping, cost, required_rack, stop_win_rack, stop_loss_rack = self._decisions[situation]
            lost, rest = self.slots.split(row, stop_loss_rack + 1)
            rest, won = self.slots.split(rest, stop_win_rack) if rest else (None, None)
            skipping, betting = self.slots.split(rest, required_rack) if rest else (None, None)
            ruined = None if after_skipping >= 0 else skipping
            for cause, part in enumerate((lost, won, ruined)):
                if part:
                    self.cause_ways[cause] += part.ways * self.grid.total_ways
                    self._add_ended(situation, part)
            if skipping and after_skipping >= 0:
                after_rows[after_skipping] = self.slots.add(after_rows.get(after_skipping), skipping)
            if betting:
                paid = betting._replace(low=betting.low - cost)
                after_rows[after] = self.slots.add(after_rows.get(after), paid)
        return after_rows

    def _roll_dice(self, after_rows: Rows, layer: int, following: list[Rows]) -> None:
        """Move the rows after betting to the situations that rolls lead to, of the same or the next shooter."""
        self._new_shooters_after_the_last: Rows = {}
        for situation, edges_by_ways in enumerate(self._incoming):
            total: PackedRow | None = None
            for ways, edges in edges_by_ways:
                part: PackedRow | None = None
                for after, change in edges:
                    row = after_rows.get(after)
                    if row is not None:
                        part = self.slots.add(part, row._replace(low=row.low + change) if change else row)
                if part is not None:
                    total = self.slots.add(total, PackedRow(part.low, part.packed * ways, part.ways * ways))
            if total is None:
                continue
            if not self._new_shooter[situation]:
                following[layer][situation] = total
            elif layer + 1 < len(following):
                following[layer + 1][situation] = total
            else:
                self._new_shooters_after_the_last[situation] = total

    def _add_ended(self, situation: int, row: PackedRow) -> None:
        """Add a row of ended sessions. It is stored with the number of rolls that its ways are out of."""
        if situation in self._ended:
            row = self.slots.add(self._rescaled(*self._ended[situation]), row)
        self._ended[situation] = (row, self._rolled)

    def _rescaled(self, row: PackedRow, rolled: int) -> PackedRow:
        """Return a row after `rolled` rolls, out of the ways of all rolls so far."""
        factor = self.grid.total_ways ** (self._rolled - rolled)
        return PackedRow(row.low, row.packed * factor, row.ways * factor)

    def _widen_slots(self) -> None:
        """Widen every slot, so that it has room for more rolls."""
        self._slot_rolls = min(self._rolls, self._slot_rolls + self._slot_rolls // 2)
        bits = Slots.bits_for(self.grid.total_ways, self._slot_rolls)
        widened = self.slots.widened
        self._current = [{key: widened(row, bits) for key, row in rows.items()} for rows in self._current]
        self._ended = {key: (widened(row, bits), rolled) for key, (row, rolled) in self._ended.items()}
        self.slots = Slots(bits)

    def _check_memory(self) -> None:
        """Raise TooManyStatesError if the next roll does not fit into the memory budget.

        During a roll there are the rows before it, those after betting, those after it, and a few parts.
        """
        ended = sum(row.nbytes for row, _ in self._ended.values())
        current = sum(row.nbytes for rows in self._current for row in rows.values())
        cells = 8 * (ended + current) // self.slots.bits
        self._memory.require(2 * ended + 4 * current, cells)


def _incoming_by_ways(grid: SessionGrid) -> list[list[tuple[int, list[tuple[int, int]]]]]:
    """Return the edges to each situation before betting by their ways: the source and the steps paid of each."""
    incoming: list[dict[int, list[tuple[int, int]]]] = [{} for _ in grid.after.tolist()]
    columns = (grid.edges.source, grid.edges.target, grid.edges.money, grid.edges.ways)
    for source, target, change, ways in zip(*(column.tolist() for column in columns), strict=True):
        incoming[target].setdefault(ways, []).append((source, change))
    return [sorted(by_ways.items()) for by_ways in incoming]
