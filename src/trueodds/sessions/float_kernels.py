"""The loops of `float_distribution.py` for large grids, compiled by Numba.

They are a translation of the NumPy methods of that module, and
`tests/sessions/test_reference.py::test_compiled_and_numpy_distributions_agree` compares the two.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from trueodds.automaton.array_types import Int64Array
from trueodds.automaton.jit import jit
from trueodds.sessions.rack_rows import LANES, NO_RACK, Floats

Arrays = tuple[Any, ...]
"""The arrays of a grid, a plan or rows: integers, and for cells and chances floats."""

TILE = 1024
"""Cells of a row that are added up at a time, few enough to stay in the nearest cache."""


@jit
def run_rolls(  # noqa: PLR0913, PLR0917  a kernel takes arrays
    rolls: int, layers: int, negligible: float, grid: Arrays, edges: Arrays, plan: Arrays, mass: Arrays, bets: Arrays,
    ended: Arrays, cause_mass: Floats, visits: Floats,
) -> int:  # fmt: skip
    """Do up to this many rolls. Return the number done; if that is less, the planned next roll needs more room."""
    for roll in range(rolls):
        plan_roll(layers, grid, edges, plan, mass)
        if not has_room(layers, plan, mass, bets, ended):
            return roll
        for layer in range(layers - 1, -1, -1):
            stop_or_bet(layer, grid, plan, mass, bets, ended, cause_mass, visits)
            roll_dice(layer, layers, negligible, grid, edges, plan, mass, bets, ended)
    return rolls


@jit
def _widen(low: Int64Array, high: Int64Array, index: int, new_low: int, new_high: int) -> None:
    if new_low < new_high:
        low[index] = min(low[index], new_low)
        high[index] = max(high[index], new_high)


@jit
def _split(grid: Arrays, situation: int, low: int, high: int) -> tuple[int, int, int]:
    """Return the racks from which the racks in use of a row skip, bet and win."""
    playing = min(max(grid[5][situation] + 1, low), high)
    winning = max(min(max(grid[4][situation], low), high), playing)
    betting = min(max(grid[3][situation], playing), winning)
    return playing, betting, winning


@jit
def plan_roll(layers: int, grid: Arrays, edges: Arrays, plan: Arrays, mass: Arrays) -> None:
    """Plan which racks the next roll will use."""
    after, after_skipping, cost, new_shooter = grid[0], grid[1], grid[2], grid[6]
    first_edge, source, rack_change = edges[0], edges[1], edges[2]
    low_next, high_next, low_bet, high_bet, low_ended, high_ended = plan
    low_mass, high_mass = mass[4], mass[5]
    for low in (low_next, low_bet, low_ended):
        low[:] = NO_RACK
    for high in (high_next, high_bet, high_ended):
        high[:] = -NO_RACK
    before, afters = len(after), len(low_bet) // layers
    for layer in range(layers):
        for b in range(before):
            low, high = low_mass[layer * before + b], high_mass[layer * before + b]
            if low >= high:
                continue
            playing, betting, winning = _split(grid, b, low, high)
            if after_skipping[b] >= 0:
                _widen(low_ended, high_ended, b, low, playing)
                _widen(low_bet, high_bet, layer * afters + after_skipping[b], playing, betting)
            else:
                _widen(low_ended, high_ended, b, low, betting)
            _widen(low_ended, high_ended, b, winning, high)
            _widen(low_bet, high_bet, layer * afters + after[b], betting - cost[b], winning - cost[b])
        for b in range(before):
            if new_shooter[b] and layer + 1 == layers:
                low_to, high_to, row = low_ended, high_ended, b
            else:
                low_to, high_to, row = low_next, high_next, (layer + new_shooter[b]) * before + b
            for edge in range(first_edge[b], first_edge[b + 1]):
                a = layer * afters + source[edge]
                _widen(low_to, high_to, row, low_bet[a] + rack_change[edge], high_bet[a] + rack_change[edge])


@jit
def has_room(layers: int, plan: Arrays, mass: Arrays, bets: Arrays, ended: Arrays) -> bool:
    """Return whether the planned racks have room in all rows."""
    low_next, high_next, low_bet, high_bet, low_ended, high_ended = plan
    for row in range(len(low_next)):
        if low_next[row] < high_next[row] and (low_next[row] < mass[2][row] or high_next[row] > mass[3][row]):
            return False
    afters = len(low_bet) // layers
    for row in range(len(low_bet)):
        a = row % afters
        if low_bet[row] < high_bet[row] and (low_bet[row] < bets[2][a] or high_bet[row] > bets[3][a]):
            return False
    for row in range(len(low_ended)):
        if low_ended[row] < high_ended[row] and (low_ended[row] < ended[2][row] or high_ended[row] > ended[3][row]):
            return False
    return True


@jit
def _add(target: Floats, start: int, source: Floats, first: int, last: int, weight: float) -> None:
    """Add weighted cells of one row to another."""
    to, cells = target[start : start + last - first], source[first:last]
    for index in range(len(cells)):  # counting from 0 lets the compiler skip the check for negative indices
        to[index] += cells[index] * weight


@jit
def _end(ended: Arrays, b: int, rack: int, source: Floats, first: int, last: int, weight: float) -> None:
    """Add probability to the sessions that have ended."""
    cells, zero, low, high = ended[0], ended[1], ended[4], ended[5]
    _add(cells, zero[b] + rack, source, first, last, weight)
    if low[b] == high[b]:
        low[b], high[b] = rack, rack + last - first
    else:
        low[b], high[b] = min(low[b], rack), max(high[b], rack + last - first)


@jit
def _sum_in_lanes(cells: Floats) -> float:
    """Return the sum of a row in interleaved sums, which the processor can do at once."""
    lanes = np.zeros(LANES)
    whole = len(cells) - len(cells) % LANES
    for start in range(0, whole, LANES):
        block = cells[start : start + LANES]
        for lane in range(LANES):
            lanes[lane] += block[lane]
    total = 0.0
    for lane in range(LANES):
        total += lanes[lane]
    for index in range(whole, len(cells)):
        total += cells[index]
    return total


@jit
def stop_or_bet(
    layer: int, grid: Arrays, plan: Arrays, mass: Arrays, bets: Arrays, ended: Arrays, cause_mass: Floats,
    visits: Floats,
) -> None:  # fmt: skip
    """Move probability from situations before betting to those after it, or to the end."""
    after, after_skipping, cost = grid[0], grid[1], grid[2]
    cells, zero, low_mass, high_mass = mass[0], mass[1], mass[4], mass[5]
    bet_cells, bet_zero = bets[0], bets[1]
    before, afters = len(after), len(visits)
    low_bet, high_bet = plan[2][layer * afters :], plan[3][layer * afters :]
    for a in range(afters):
        if low_bet[a] < high_bet[a]:
            bet_cells[bet_zero[a] + low_bet[a] : bet_zero[a] + high_bet[a]] = 0.0
    for b in range(before):
        row = layer * before + b
        low, high, start = low_mass[row], high_mass[row], zero[row]
        if low >= high:
            continue
        playing, betting, winning = _split(grid, b, low, high)
        if playing > low:
            _end(ended, b, low, cells, start + low, start + playing, 1.0)
            cause_mass[0] += cells[start + low : start + playing].sum()
        if high > winning:
            _end(ended, b, winning, cells, start + winning, start + high, 1.0)
            cause_mass[1] += cells[start + winning : start + high].sum()
        if betting > playing:
            if after_skipping[b] >= 0:
                to = bet_zero[after_skipping[b]] + playing
                _add(bet_cells, to, cells, start + playing, start + betting, 1.0)
            else:
                _end(ended, b, playing, cells, start + playing, start + betting, 1.0)
                cause_mass[2] += cells[start + playing : start + betting].sum()
        if winning > betting:
            to = bet_zero[after[b]] + betting - cost[b]
            _add(bet_cells, to, cells, start + betting, start + winning, 1.0)
    for a in range(afters):
        if low_bet[a] < high_bet[a]:
            visits[a] += _sum_in_lanes(bet_cells[bet_zero[a] + low_bet[a] : bet_zero[a] + high_bet[a]])


@jit
def roll_dice(  # noqa: PLR0913, PLR0917  a kernel takes arrays
    layer: int, layers: int, negligible: float, grid: Arrays, edges: Arrays, plan: Arrays, mass: Arrays, bets: Arrays,
    ended: Arrays,
) -> None:  # fmt: skip
    """Move probability from situations after betting to those before it, of the same or the next shooter."""
    new_shooter = grid[6]
    first_edge, source, rack_change, chance = edges
    cells, zero, low_mass, high_mass = mass[0], mass[1], mass[4], mass[5]
    bet_cells, bet_zero = bets[0], bets[1]
    before, afters = len(new_shooter), len(plan[2]) // layers
    low_bet, high_bet = plan[2][layer * afters :], plan[3][layer * afters :]
    for b in range(before):
        if new_shooter[b] and layer + 1 == layers:
            for edge in range(first_edge[b], first_edge[b + 1]):
                a = source[edge]
                if low_bet[a] < high_bet[a]:
                    first, last = bet_zero[a] + low_bet[a], bet_zero[a] + high_bet[a]
                    _end(ended, b, low_bet[a] + rack_change[edge], bet_cells, first, last, chance[edge])
            continue
        row = (layer + new_shooter[b]) * before + b
        low, high = plan[0][row], plan[1][row]
        if low >= high:
            low_mass[row] = high_mass[row] = 0
            continue
        for begin in range(low, high, TILE):
            end = min(begin + TILE, high)
            cells[zero[row] + begin : zero[row] + end] = 0.0
            for edge in range(first_edge[b], first_edge[b + 1]):
                a = source[edge]
                first = max(low_bet[a], begin - rack_change[edge])
                last = min(high_bet[a], end - rack_change[edge])
                if first < last:
                    to = zero[row] + first + rack_change[edge]
                    _add(cells, to, bet_cells, bet_zero[a] + first, bet_zero[a] + last, chance[edge])
        while low < high and cells[zero[row] + low] < negligible:
            low += 1
        while low < high and cells[zero[row] + high - 1] < negligible:
            high -= 1
        low_mass[row], high_mass[row] = (low, high) if low < high else (0, 0)
    if layer == 0:
        for b in range(before):
            if new_shooter[b]:
                low_mass[b] = high_mass[b] = 0
