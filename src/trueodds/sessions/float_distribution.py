"""The distribution of a session in floating point: probability moves over a grid, one decision and one roll at a time.

This is a translation of the reference (`reference.py`), tested against it by
`tests/sessions/test_reference.py::test_distributions_match_the_reference`. It is written twice. On small grids NumPy
moves whole rows of racks. On large grids the loops of `float_kernels.py`, compiled by Numba, are faster, but importing
Numba takes longer than most sessions. Both give the same results to the last bit.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from importlib.util import find_spec
from itertools import pairwise
from typing import Final, NamedTuple

import numpy as np

from trueodds.automaton.array_types import Int64Array
from trueodds.sessions.rack_rows import CELL_BYTES, LANES, NO_RACK, Floats, RackRows
from trueodds.sessions.session_grid import SessionGrid
from trueodds.sessions.session_memory import SessionMemory

NEGLIGIBLE_CELL: Final = 1e-305
"""Cells at either end of a row are dropped below this probability, before they become too small for full precision."""

NUMPY_ROW_NS: Final = 4_000
NUMPY_CELL_NS: Final = 1
"""About how long NumPy takes to move a row of racks, and each cell of it."""

MAX_NUMPY_NS: Final = 500_000_000
"""About how long it takes to import Numba and load the compiled loops. Anything shorter runs in NumPy."""

COMPILED_ROLLS: Final = 64
"""Rolls that the compiled loops do at a time, between two reports of progress."""


class IncomingEdges(NamedTuple):
    """The edges of a grid in the order of their targets.

    The edges to the situation `b` before betting are those from `first[b]` up to `first[b + 1]`.
    """

    first: Int64Array
    source: Int64Array
    rack_change: Int64Array
    chance: Floats


class RollPlan(NamedTuple):
    """The racks that one roll will use: before and after betting in each layer, and those in which sessions end."""

    low: Int64Array
    high: Int64Array
    low_bet: Int64Array
    high_bet: Int64Array
    low_ended: Int64Array
    high_ended: Int64Array

    def clear(self) -> None:
        """Remove all racks from the plan."""
        for low, high in ((self.low, self.high), (self.low_bet, self.high_bet), (self.low_ended, self.high_ended)):
            low[...], high[...] = NO_RACK, -NO_RACK


class RackSplit(NamedTuple):
    """What the racks in use of a row do: from `low` they lose, from `playing` they skip, from `betting` they bet, and
    from `winning` up to `high` they win."""

    low: int
    playing: int
    betting: int
    winning: int
    high: int


class FloatDistribution:
    """Probability over situations and racks. Each shooter has a layer of its own if their number is limited.

    Row `layer * situations + situation` of `mass` has the probability of a situation before betting.
    """

    def __init__(self, grid: SessionGrid, shooters: int | None, min_rack: int, memory: SessionMemory) -> None:
        self.grid = grid
        self._memory = memory
        self._min_rack = min_rack
        self._layers = shooters or 1
        self._edges = _incoming_edges(grid)
        before, after = len(grid.after), len(grid.resolved_ways)
        self.mass, self._bets, self.ended = RackRows(self._layers * before), RackRows(after), RackRows(before)
        self.cause_mass = np.zeros(3)
        """The probability that ended by stop loss, stop win and ruin."""
        self.visits = np.zeros(after)
        """The expected number of rolls in each situation after betting."""
        sizes = (self._layers * before, self._layers * after, before)
        self._plan = RollPlan(*(np.zeros(size, dtype=np.int64) for size in sizes for _ in ("low", "high")))
        self._plan.clear()
        self._plan.low[grid.start], self._plan.high[grid.start] = 0, 1
        self._make_room()
        self.mass.low[grid.start], self.mass.high[grid.start] = 0, 1
        self.mass.row(grid.start)[0] = 1.0
        self._incoming_lists: list[list[tuple[int, int, float]]] = []

    @property
    def fixed_bytes(self) -> int:
        """The memory of everything but the rows."""
        arrays = [*self._edges, *self._plan, self.visits, *(rows.zero for rows in (self.mass, self.ended) * 5)]
        return sum(array.nbytes for array in arrays)

    def run(self, rolls: int, on_progress: Callable[[int, int | None], None]) -> None:
        """Let every session make this many decisions and rolls."""
        done = 0
        while done < rolls:
            if _use_numba((rolls - done) * self._numpy_step_ns()):
                done += self._run_compiled(min(COMPILED_ROLLS, rolls - done))
            else:
                self._plan_roll()
                self._make_room()
                self._roll()
                done += 1
            on_progress(done, rolls)

    def rows_at_end(self) -> list[tuple[int, int, Floats]]:
        """Return the rows of all sessions, ended or not: the situation, the lowest rack, and the probabilities."""
        count = len(self.grid.after)
        return [
            (row % count, int(rows.low[row]), rows.row(row))
            for rows in (self.mass, self.ended)
            for row in np.flatnonzero(rows.low < rows.high).tolist()
        ]

    def _run_compiled(self, rolls: int) -> int:
        """Do up to this many rolls in compiled loops. Return how many were done before rows needed more room."""
        from trueodds.sessions.float_kernels import run_rolls  # noqa: PLC0415  Numba is slow to import

        grid, mass, bets, ended, plan, edges = self.grid, self.mass, self._bets, self.ended, self._plan, self._edges
        done: int = run_rolls(
            rolls, self._layers, NEGLIGIBLE_CELL,
            (grid.after, grid.after_skipping, grid.cost, grid.required_rack, grid.stop_win_rack, grid.stop_loss_rack,
             grid.new_shooter),
            tuple(edges), tuple(plan),
            (mass.cells, mass.zero, mass.floor, mass.ceiling, mass.low, mass.high),
            (bets.cells, bets.zero, bets.floor, bets.ceiling),
            (ended.cells, ended.zero, ended.floor, ended.ceiling, ended.low, ended.high),
            self.cause_mass, self.visits,
        )  # fmt: skip
        if done < rolls:
            self._make_room()
        return done

    # --------------------------------------------------------------------------------------------------- room

    def _make_room(self) -> None:
        """Make room for what is planned. Raise TooManyStatesError if that does not fit into the memory budget."""
        plan = self._plan
        shape = (self._layers, len(self.grid.resolved_ways))
        low_bet, high_bet = plan.low_bet.reshape(shape).min(axis=0), plan.high_bet.reshape(shape).max(axis=0)
        wanted = (
            (self.mass, plan.low, plan.high, True),
            (self._bets, low_bet, high_bet, False),
            (self.ended, plan.low_ended, plan.high_ended, True),
        )
        for rows, low, high, keep in wanted:
            if rows.has_room(low, high):
                continue
            floor, ceiling = rows.layout_for(low, high, self._min_rack)
            new_cells = int((ceiling - floor).sum())
            cells = [len(other.cells) for other in (self.mass, self._bets, self.ended)]
            self._memory.require(CELL_BYTES * (sum(cells) + new_cells) + self.fixed_bytes, max(new_cells, cells[0]))
            rows.move_to(floor, ceiling, keep=keep)

    def _numpy_step_ns(self) -> int:
        """Return about how long the next step takes in NumPy."""
        widths = self.mass.high - self.mass.low
        rows = int((widths > 0).sum())
        moves = 2 + len(self._edges.source) / max(1, len(self.grid.after))
        return int(moves * (NUMPY_ROW_NS * rows + NUMPY_CELL_NS * int(widths.sum())))

    # ----------------------------------------------------------------------------------------------- in NumPy

    def _split(self, row: int) -> RackSplit:
        """Return what the racks in use of a row do."""
        grid, situation = self.grid, row % len(self.grid.after)
        low, high = int(self.mass.low[row]), int(self.mass.high[row])
        playing = min(max(int(grid.stop_loss_rack[situation]) + 1, low), high)
        winning = max(min(max(int(grid.stop_win_rack[situation]), low), high), playing)
        betting = min(max(int(grid.required_rack[situation]), playing), winning)
        return RackSplit(low, playing, betting, winning, high)

    def _plan_roll(self) -> None:
        """Plan which racks the next roll will use."""
        grid, plan = self.grid, self._plan
        before, after = len(grid.after), len(grid.resolved_ways)
        plan.clear()
        for row in np.flatnonzero(self.mass.low < self.mass.high).tolist():
            layer, situation = divmod(row, before)
            low, playing, betting, winning, high = self._split(row)
            skipped = int(grid.after_skipping[situation])
            lost_to = playing if skipped >= 0 else betting
            _widen(plan.low_ended, plan.high_ended, situation, low, lost_to)
            _widen(plan.low_ended, plan.high_ended, situation, winning, high)
            if skipped >= 0:
                _widen(plan.low_bet, plan.high_bet, layer * after + skipped, playing, betting)
            cost, bet = int(grid.cost[situation]), int(grid.after[situation])
            _widen(plan.low_bet, plan.high_bet, layer * after + bet, betting - cost, winning - cost)
        for layer in range(self._layers):
            low_bet = plan.low_bet[layer * after : (layer + 1) * after].tolist()
            high_bet = plan.high_bet[layer * after : (layer + 1) * after].tolist()
            for situation, edges in enumerate(self._incoming):
                to_ended, row = self._target(layer, situation)
                lows, highs = (plan.low_ended, plan.high_ended) if to_ended else (plan.low, plan.high)
                for source, change, _ in edges:
                    _widen(lows, highs, row, low_bet[source] + change, high_bet[source] + change)

    def _target(self, layer: int, situation: int) -> tuple[bool, int]:
        """Return whether a roll from a layer to a situation ends the session, and the row that it leads to."""
        if not self.grid.new_shooter[situation]:
            return False, layer * len(self.grid.after) + situation
        if layer + 1 == self._layers:
            return True, situation
        return False, (layer + 1) * len(self.grid.after) + situation

    def _roll(self) -> None:
        """Let every session make one decision and one roll. Sessions of the last layer end with their shooter.

        Later layers go first, so that a layer can move its probability to the next one.
        """
        plan, after = self._plan, len(self.grid.resolved_ways)
        for layer in reversed(range(self._layers)):
            low_bet = plan.low_bet[layer * after : (layer + 1) * after].tolist()
            high_bet = plan.high_bet[layer * after : (layer + 1) * after].tolist()
            zero = self._bets.zero.tolist()
            rolled = [
                self._bets.cells[start + low : start + max(low, high)] if low < high else None
                for start, low, high in zip(zero, low_bet, high_bet, strict=True)
            ]
            for cells in rolled:
                if cells is not None:
                    cells[:] = 0.0
            self._stop_or_bet(layer, rolled, low_bet)
            for index, cells in enumerate(rolled):
                if cells is not None:
                    self.visits[index] += _sum_in_lanes(cells)
            self._roll_dice(layer, rolled, low_bet)

    def _stop_or_bet(self, layer: int, rolled: list[Floats | None], low_bet: list[int]) -> None:
        """Move probability from situations before betting to those after it, or to the end."""
        grid, mass, before = self.grid, self.mass, len(self.grid.after)
        is_used = (mass.low < mass.high)[layer * before : (layer + 1) * before]
        for situation in np.flatnonzero(is_used).tolist():
            row = layer * before + situation
            low, playing, betting, winning, high = self._split(row)
            cells = mass.row(row)
            skipped, bet = int(grid.after_skipping[situation]), int(grid.after[situation])
            ended = [(low, playing, 0), (winning, high, 1)]
            for first, last, cause in [*ended, (playing, betting, 2)] if skipped < 0 else ended:
                if first < last:
                    self._end(situation, first, cells[first - low : last - low])
                    self.cause_mass[cause] += np.cumsum(cells[first - low : last - low])[-1]
            if skipped >= 0 and playing < betting:
                _add(rolled[skipped], playing - low_bet[skipped], cells[playing - low : betting - low])
            if betting < winning:
                start = betting - int(grid.cost[situation]) - low_bet[bet]
                _add(rolled[bet], start, cells[betting - low : winning - low])

    def _end(self, situation: int, rack: int, cells: Floats) -> None:
        """Add probability to the sessions that have ended."""
        ended, last = self.ended, rack + len(cells)
        start = int(ended.zero[situation]) + rack
        ended.cells[start : start + len(cells)] += cells
        is_new = ended.low[situation] == ended.high[situation]
        ended.low[situation] = rack if is_new else min(int(ended.low[situation]), rack)
        ended.high[situation] = last if is_new else max(int(ended.high[situation]), last)

    def _roll_dice(self, layer: int, rolled: list[Floats | None], low_bet: list[int]) -> None:
        """Move probability from situations after betting to those before it, of the same or the next shooter."""
        plan, mass = self._plan, self.mass
        for situation, edges in enumerate(self._incoming):
            to_ended, row = self._target(layer, situation)
            if to_ended:
                for source, change, chance in edges:
                    if (moved := rolled[source]) is not None:
                        self._end(situation, low_bet[source] + change, moved * chance)
                continue
            low, high = int(plan.low[row]), int(plan.high[row])
            if low >= high:
                mass.low[row] = mass.high[row] = 0
                continue
            start = int(mass.zero[row]) + low
            cells = mass.cells[start : start + high - low]
            cells[:] = 0.0
            for source, change, chance in edges:
                if (moved := rolled[source]) is not None:
                    _add(cells, low_bet[source] + change - low, moved * chance)
            kept = np.flatnonzero(cells >= NEGLIGIBLE_CELL)
            mass.low[row], mass.high[row] = (low + kept[0], low + kept[-1] + 1) if len(kept) else (0, 0)
        if layer == 0:
            for situation in np.flatnonzero(self.grid.new_shooter).tolist():
                mass.low[situation] = mass.high[situation] = 0

    @property
    def _incoming(self) -> list[list[tuple[int, int, float]]]:
        """The edges to each situation before betting: the situation after betting, the steps paid, and the chance."""
        if not self._incoming_lists:
            columns = (self._edges.source, self._edges.rack_change, self._edges.chance)
            edges = list(zip(*(column.tolist() for column in columns), strict=True))
            self._incoming_lists = [edges[begin:end] for begin, end in pairwise(self._edges.first.tolist())]
        return self._incoming_lists


def _incoming_edges(grid: SessionGrid) -> IncomingEdges:
    edges = grid.edges
    order = np.argsort(edges.target, kind="stable")
    first = np.searchsorted(edges.target[order], np.arange(len(grid.after) + 1)).astype(np.int64)
    chance = np.array(edges.ways[order] / grid.total_ways, dtype=np.float64)
    return IncomingEdges(first, edges.source[order], edges.money[order], chance)


def _widen(low: Int64Array, high: Int64Array, index: int, new_low: int, new_high: int) -> None:
    if new_low < new_high:
        low[index], high[index] = min(int(low[index]), new_low), max(int(high[index]), new_high)


def _add(cells: Floats | None, start: int, moved: Floats) -> None:
    if cells is not None:
        cells[start : start + len(moved)] += moved


def _sum_in_lanes(cells: Floats) -> float:
    """Return a sum, added up in the order of the compiled loop."""
    whole = len(cells) - len(cells) % LANES
    total = 0.0
    for lane in np.add.reduce(cells[:whole].reshape(-1, LANES), axis=0).tolist():
        total += lane
    for cell in cells[whole:].tolist():
        total += cell
    return total


def _use_numba(numpy_ns: int) -> bool:
    """Return whether the compiled loops are faster than NumPy, including the import of Numba if that is still to do."""
    return sys.modules.get("numba") is not None or (numpy_ns > MAX_NUMPY_NS and find_spec("numba") is not None)
