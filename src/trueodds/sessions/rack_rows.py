"""Rows of probabilities, one cell for each rack, in one array that grows with the racks in use."""

from __future__ import annotations

from typing import Final

import numpy as np
import numpy.typing as npt

from trueodds.automaton.array_types import Int64Array

Floats = npt.NDArray[np.float64]

NO_RACK: Final = 1 << 61
"""The low end of a row without racks in a plan. Its high end is the negative."""

LANES: Final = 8
"""A row is added up in this many interleaved sums, which the processor can do at once."""

CELL_BYTES: Final = 8
MIN_SLACK: Final = 32
"""Cells that a row gets in addition at each end, at least."""


class RackRows:
    """A row for each situation. The racks in use are those from `low` up to `high`, and no others are defined.

    Rack r of row i is `cells[zero[i] + r]`. There is room for the racks from `floor` up to `ceiling`. A row without
    racks in use has `low` equal to `high`.
    """

    def __init__(self, count: int) -> None:
        self.cells: Floats = np.zeros(0)
        self.zero, self.floor, self.ceiling, self.low, self.high = (np.zeros(count, dtype=np.int64) for _ in range(5))

    def __repr__(self) -> str:
        return f"<RackRows: {len(self.zero):,} rows, {len(self.cells):,} cells>"

    def row(self, index: int) -> Floats:
        """Return the cells in use of a row."""
        start = int(self.zero[index])
        return self.cells[start + int(self.low[index]) : start + int(self.high[index])]

    def has_room(self, low: Int64Array, high: Int64Array) -> bool:
        """Return whether there is room for racks from `low` up to `high` in each row."""
        return not bool(((low < high) & ((low < self.floor) | (high > self.ceiling))).any())

    def layout_for(self, low: Int64Array, high: Int64Array, min_rack: int) -> tuple[Int64Array, Int64Array]:
        """Return a floor and a ceiling with room for the racks in use, for those from `low` up to `high`, and more.

        The room in addition is a part of each row, so that a row that grows steadily is copied only a few times. There
        is none below `min_rack`. Rows without racks get no room.
        """
        is_used, is_wanted = self.low < self.high, low < high
        first = np.where(is_used & is_wanted, np.minimum(self.low, low), np.where(is_wanted, low, self.low))
        last = np.where(is_used & is_wanted, np.maximum(self.high, high), np.where(is_wanted, high, self.high))
        slack = np.where(is_used | is_wanted, MIN_SLACK + (last - first) // 4, 0)
        return np.minimum(first, np.maximum(first - slack, min_rack)), last + slack

    def move_to(self, floor: Int64Array, ceiling: Int64Array, *, keep: bool) -> None:
        """Change the room of every row. Keep the cells in use if asked to; all other cells are zero."""
        sizes = ceiling - floor
        ends = np.cumsum(sizes)
        cells: Floats = np.zeros(int(ends[-1]) if len(ends) else 0)
        zero: Int64Array = ends - sizes - floor
        if keep:
            for row in np.flatnonzero(self.low < self.high).tolist():
                used = self.row(row)
                start = int(zero[row] + self.low[row])
                cells[start : start + len(used)] = used
        self.cells, self.zero, self.floor, self.ceiling = cells, zero, floor, ceiling
