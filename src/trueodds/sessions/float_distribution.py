"""The distribution of a session in floating point: probability moves over a grid, one decision and one roll at a time.

This is a translation of the reference (`reference.py`), tested against it by
`tests/sessions/test_reference.py::test_distributions_match_the_reference`. It is written twice. On small grids NumPy
moves whole rows of racks. On large grids the loops of `float_kernels.py`, compiled by Numba, are faster, but importing
Numba takes longer than most sessions. Both give the same results to the last bit.
"""

from __future__ import annotations

import sys
from functools import cached_property
from importlib.util import find_spec
from itertools import pairwise
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from trueodds.automaton.array_types import Int64Array
from trueodds.sessions.session_grid import SessionGrid

Floats = npt.NDArray[np.float64]

NUMPY_ROW_NS: Final = 4_000
NUMPY_CELL_NS: Final = 1
"""About how long NumPy takes to move a row of racks, and each cell of it."""

MAX_NUMPY_NS: Final = 500_000_000
"""About how long it takes to import Numba and load the compiled loops. Anything shorter runs in NumPy."""


class _Row(NamedTuple):
    """What happens in one situation before betting. Racks are in units of the grid, `start` and `end` are cells."""

    start: int
    end: int
    min_rack: int
    after: int
    after_skipping: int
    cost: int
    required_rack: int
    stop_win_rack: int
    stop_loss_rack: int


class _MassEdge(NamedTuple):
    """One edge of a situation after betting: the cell that rack 0 would move to, and the chance."""

    zero: int
    chance: float
    new_shooter: bool


class _AfterRow(NamedTuple):
    """The cells of one situation after betting, the cell that rack 0 would have, and the edges."""

    start: int
    end: int
    zero: int
    edges: list[_MassEdge]


class FloatDistribution:
    """Probability over situations and racks. Each shooter has a layer of its own if their number is limited."""

    def __init__(self, grid: SessionGrid, shooters: int | None, rolls: int) -> None:
        self.grid = grid
        layers = shooters or 1
        self._new_shooter: Int64Array = grid.new_shooter if shooters else np.zeros_like(grid.new_shooter)
        widths, widths_after = grid.widths, grid.widths_after
        self.row_start: Int64Array = np.concatenate(([0], np.cumsum(widths)[:-1]))
        self.after_row_start: Int64Array = np.concatenate(([0], np.cumsum(widths_after)[:-1]))
        self._edge_chance: Floats = np.array(grid.edges.ways / grid.total_ways, dtype=np.float64)
        cells = int(widths.sum())
        self.mass = [np.zeros(cells) for _ in range(layers)]
        self._next_mass = [np.zeros(cells) for _ in range(layers)]
        self._bet_mass = np.zeros(int(widths_after.sum()))
        self.ended_mass = np.zeros(cells)
        self.cause_mass = np.zeros(3)
        """The probability that ended by stop loss, stop win and ruin."""
        self.visits = np.zeros(len(grid.min_rack_after))
        """The expected number of rolls in each situation after betting."""
        self._compiled = _use_numba(layers * rolls * _step_ns(grid))

    @property
    def remaining(self) -> float:
        """The probability of sessions that have not ended."""
        return float(sum(layer.sum() for layer in self.mass))

    def start_at(self, situations: Int64Array, racks: Int64Array, mass: Floats) -> None:
        """Add probability to cells before the first roll. Racks are in units of the grid."""
        np.add.at(self.mass[0], self.row_start[situations] + racks - self.grid.min_rack[situations], mass)

    def finish(self) -> Floats:
        """End all sessions that remain. Return the probability of each cell in which sessions ended."""
        for layer in self.mass:
            self.ended_mass += layer
            layer[:] = 0.0
        return self.ended_mass

    def step(self) -> None:
        """Let every session make one decision and one roll. Sessions of the last layer end with their shooter."""
        for layer, mass in enumerate(self.mass):
            if not mass.any():
                continue
            same_shooter, next_shooter = (*self._next_mass, self.ended_mass)[layer : layer + 2]
            if self._compiled:
                self._step_compiled(mass, same_shooter, next_shooter)
            else:
                self._stop_or_bet(mass)
                self._roll_dice(same_shooter, next_shooter)
        self.mass, self._next_mass = self._next_mass, self.mass

    def _step_compiled(self, mass: Floats, same_shooter: Floats, next_shooter: Floats) -> None:
        from trueodds.sessions.float_kernels import roll_dice, stop_or_bet  # noqa: PLC0415  Numba is slow to import

        grid = self.grid
        stop_or_bet(
            mass, self.row_start, grid.min_rack, grid.max_rack, grid.after, grid.after_skipping, grid.cost,
            grid.required_rack, grid.stop_win_rack, grid.stop_loss_rack, self._bet_mass, self.after_row_start,
            grid.min_rack_after, self.ended_mass, self.cause_mass,
        )  # fmt: skip
        roll_dice(
            self._bet_mass, self.after_row_start, grid.min_rack_after, grid.max_rack_after, grid.edges.first,
            grid.edges.target, grid.edges.rack_change, self._edge_chance, self.visits, self._new_shooter, same_shooter,
            next_shooter, self.row_start, grid.min_rack,
        )  # fmt: skip

    def _stop_or_bet(self, mass: Floats) -> None:
        """Move probability from situations before betting to those after it, or to the end. Clear `mass`."""
        for row in self._rows:
            cells = mass[row.start : row.end]
            occupied = np.flatnonzero(cells)
            if not len(occupied):
                continue
            first, last = row.min_rack + int(occupied[0]), row.min_rack + int(occupied[-1]) + 1
            playing = min(max(row.stop_loss_rack + 1, first), last)
            winning = max(min(max(row.stop_win_rack, first), last), playing)
            betting = min(max(row.required_rack, playing), winning)
            skip_is_ruin = row.after_skipping < 0
            ended = [(first, playing, 0), (winning, last, 1)]
            for low, high, cause in [*ended, (playing, betting, 2)] if skip_is_ruin else ended:
                if low < high:
                    moved = cells[low - row.min_rack : high - row.min_rack]
                    start = row.start + low - row.min_rack
                    self.ended_mass[start : start + len(moved)] += moved
                    self.cause_mass[cause] += np.cumsum(moved)[-1]
            if not skip_is_ruin and playing < betting:
                self._bet(row.after_skipping, playing, cells[playing - row.min_rack : betting - row.min_rack])
            if betting < winning:
                self._bet(row.after, betting - row.cost, cells[betting - row.min_rack : winning - row.min_rack])
            cells[:] = 0.0

    def _bet(self, after: int, rack: int, mass: Floats) -> None:
        """Add probability to a situation after betting, from a rack upward."""
        start = self._after_rows[after].zero + rack
        self._bet_mass[start : start + len(mass)] += mass

    def _roll_dice(self, same_shooter: Floats, next_shooter: Floats) -> None:
        """Move probability from situations after betting to those before it, of the same or the next shooter."""
        for after, row in enumerate(self._after_rows):
            cells = self._bet_mass[row.start : row.end]
            occupied = np.flatnonzero(cells)
            if not len(occupied):
                continue
            first, last = int(occupied[0]), int(occupied[-1]) + 1
            moved = cells[first:last]
            self.visits[after] += np.cumsum(moved)[-1]  # adds in the order of the compiled loop, unlike sum()
            rack = row.start + first - row.zero
            for edge in row.edges:
                target = next_shooter if edge.new_shooter else same_shooter
                target[edge.zero + rack : edge.zero + rack + len(moved)] += moved * edge.chance
            cells[:] = 0.0

    @cached_property
    def _rows(self) -> list[_Row]:
        grid = self.grid
        columns = (
            self.row_start, self.row_start + grid.widths, grid.min_rack, grid.after, grid.after_skipping, grid.cost,
            grid.required_rack, grid.stop_win_rack, grid.stop_loss_rack,
        )  # fmt: skip
        return [_Row(*values) for values in zip(*(column.tolist() for column in columns), strict=True)]

    @cached_property
    def _after_rows(self) -> list[_AfterRow]:
        grid, edges = self.grid, self.grid.edges
        zero = (self.row_start - grid.min_rack)[edges.target] + edges.rack_change
        new_shooter = self._new_shooter[edges.target].astype(bool)
        columns = (zero, self._edge_chance, new_shooter)
        all_edges = [_MassEdge(*values) for values in zip(*(column.tolist() for column in columns), strict=True)]
        starts, ends = self.after_row_start, self.after_row_start + grid.widths_after
        bounds = zip(starts.tolist(), ends.tolist(), (starts - grid.min_rack_after).tolist(), strict=True)
        return [
            _AfterRow(start, end, row_zero, all_edges[first:last])
            for (start, end, row_zero), (first, last) in zip(bounds, pairwise(edges.first.tolist()), strict=True)
        ]


def _use_numba(numpy_ns: int) -> bool:
    """Return whether the compiled loops are faster than NumPy, including the import of Numba if that is still to do."""
    return sys.modules.get("numba") is not None or (numpy_ns > MAX_NUMPY_NS and find_spec("numba") is not None)


def _step_ns(grid: SessionGrid) -> int:
    """Return about how long one step takes in NumPy."""
    edges_by_row = np.diff(grid.edges.first)
    rows = len(grid.after) + len(edges_by_row) + int(edges_by_row.sum())
    cells = grid.cell_count + int(grid.widths_after @ (1 + edges_by_row))
    return NUMPY_ROW_NS * rows + NUMPY_CELL_NS * cells
