"""The loops of `float_distribution.py` for large grids, compiled by Numba.

They are a translation of the NumPy methods of the same names, and
`tests/sessions/test_reference.py::test_compiled_and_numpy_distributions_agree` compares the two.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from trueodds.automaton.array_types import Int64Array
from trueodds.automaton.jit import jit

Floats = npt.NDArray[np.float64]


@jit
def _add(target: Floats, start: int, source: Floats, first: int, last: int, weight: float) -> None:
    """Add weighted cells of one row to another."""
    to, cells = target[start : start + last - first], source[first:last]
    for index in range(len(cells)):  # counting from 0 lets the compiler skip the check for negative indices
        to[index] += cells[index] * weight


@jit
def stop_or_bet(  # noqa: PLR0913, PLR0917  a kernel takes arrays
    mass: Floats, row_start: Int64Array, min_rack: Int64Array, max_rack: Int64Array, after: Int64Array,
    after_skipping: Int64Array, cost: Int64Array, required_rack: Int64Array, stop_win_rack: Int64Array,
    stop_loss_rack: Int64Array, bet_mass: Floats, after_row_start: Int64Array, min_rack_after: Int64Array,
    ended_mass: Floats, cause_mass: Floats,
) -> None:  # fmt: skip
    """Move probability from situations before betting to those after it, or to the end. Clear `mass`."""
    for b in range(len(row_start)):
        first, last = row_start[b], row_start[b] + max_rack[b] - min_rack[b] + 1
        zero = first - min_rack[b]
        while first < last and mass[first] == 0.0:
            first += 1
        while first < last and mass[last - 1] == 0.0:
            last -= 1
        if first >= last:
            continue
        playing = min(max(stop_loss_rack[b] + 1 + zero, first), last)
        winning = max(min(max(stop_win_rack[b] + zero, first), last), playing)
        betting = min(max(required_rack[b] + zero, playing), winning)
        if playing > first:
            _add(ended_mass, first, mass, first, playing, 1.0)
            cause_mass[0] += mass[first:playing].sum()
        if last > winning:
            _add(ended_mass, winning, mass, winning, last, 1.0)
            cause_mass[1] += mass[winning:last].sum()
        if betting > playing:
            if after_skipping[b] >= 0:
                a = after_skipping[b]
                _add(bet_mass, after_row_start[a] + playing - zero - min_rack_after[a], mass, playing, betting, 1.0)
            else:
                _add(ended_mass, playing, mass, playing, betting, 1.0)
                cause_mass[2] += mass[playing:betting].sum()
        if winning > betting:
            a = after[b]
            start = after_row_start[a] + betting - zero - cost[b] - min_rack_after[a]
            _add(bet_mass, start, mass, betting, winning, 1.0)
        mass[first:last] = 0.0


@jit
def roll_dice(  # noqa: PLR0913, PLR0917  a kernel takes arrays
    bet_mass: Floats, after_row_start: Int64Array, min_rack_after: Int64Array, max_rack_after: Int64Array,
    first_edge: Int64Array, target: Int64Array, rack_change: Int64Array, edge_chance: Floats, visits: Floats,
    new_shooter: Int64Array, same_shooter: Floats, next_shooter: Floats, row_start: Int64Array, min_rack: Int64Array,
) -> None:  # fmt: skip
    """Move probability from situations after betting to those before it, of the same or the next shooter."""
    for a in range(len(after_row_start)):
        row, end = after_row_start[a], after_row_start[a] + max_rack_after[a] - min_rack_after[a] + 1
        first, last = row, end
        while first < last and bet_mass[first] == 0.0:
            first += 1
        while first < last and bet_mass[last - 1] == 0.0:
            last -= 1
        if first >= last:
            continue
        visits[a] += bet_mass[first:last].sum()
        for edge in range(first_edge[a], first_edge[a + 1]):
            b = target[edge]
            start = row_start[b] + (first - row) + min_rack_after[a] + rack_change[edge] - min_rack[b]
            if new_shooter[b]:
                _add(next_shooter, start, bet_mass, first, last, edge_chance[edge])
            else:
                _add(same_shooter, start, bet_mass, first, last, edge_chance[edge])
        bet_mass[first:last] = 0.0
