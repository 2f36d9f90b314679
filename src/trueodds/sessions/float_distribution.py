"""Moving probability through a plan: hot loops over flat arrays, compiled by Numba where it is installed.

They know nothing of craps. Without Numba they run as they stand, on slices of NumPy arrays.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from trueodds.chain.compiling import compiled, numba
from trueodds.chain.group import Ints
from trueodds.chain.plan import Plan

Floats = npt.NDArray[np.float64]


def _add_cells(target: Floats, at: int, source: Floats, first: int, last: int, weight: float) -> None:
    """Add weighted cells of one row to another, one by one."""
    to, cells = target[at : at + last - first], source[first:last]
    for index in range(len(cells)):  # counted from nothing, so that the compiler need not think of negative places
        to[index] += cells[index] * weight


def _add_slices(target: Floats, at: int, source: Floats, first: int, last: int, weight: float) -> None:
    """The same for an interpreter."""
    target[at : at + last - first] += source[first:last] * weight


_add = _add_slices if numba is None else compiled(_add_cells)


@compiled
def bet(  # noqa: PLR0913, PLR0917  a kernel takes arrays
    now: Floats, row: Ints, floor: Ints, ceiling: Ints, after: Ints, short: Ints, cost: Ints, need: Ints, high: Ints,
    low: Ints, then: Floats, then_row: Ints, then_floor: Ints, ended: Floats, causes: Floats,
) -> None:  # fmt: skip
    """Test the stops and bet: from racks before betting to racks after it, to the end, or to ruin; empty `now`."""
    for b in range(len(row)):
        first, last = row[b], row[b] + ceiling[b] - floor[b] + 1
        base = first - floor[b]
        while first < last and now[first] == 0.0:
            first += 1
        while first < last and now[last - 1] == 0.0:
            last -= 1
        if first >= last:
            continue
        loses = min(max(low[b] + 1 + base, first), last)
        wins = max(min(max(high[b] + base, first), last), loses)
        bets = min(max(need[b] + base, loses), wins)
        if loses > first:
            _add(ended, first, now, first, loses, 1.0)
            causes[0] += now[first:loses].sum()
        if last > wins:
            _add(ended, wins, now, wins, last, 1.0)
            causes[1] += now[wins:last].sum()
        if bets > loses:
            if short[b] >= 0:
                a = short[b]
                _add(then, then_row[a] + loses - base - then_floor[a], now, loses, bets, 1.0)
            else:
                _add(ended, loses, now, loses, bets, 1.0)
                causes[2] += now[loses:bets].sum()
        if wins > bets:
            a = after[b]
            _add(then, then_row[a] + bets - base - cost[b] - then_floor[a], now, bets, wins, 1.0)
        now[first:last] = 0.0


@compiled
def throw(  # noqa: PLR0913, PLR0917  a kernel takes arrays
    then: Floats, then_row: Ints, then_floor: Ints, then_ceiling: Ints, first_edge: Ints, to: Ints, shift: Ints,
    chance: Floats, visits: Floats, fresh: Ints, same: Floats, later: Floats, row: Ints, floor: Ints,
) -> None:  # fmt: skip
    """Throw the dice: from racks after betting to racks before betting, of the same or the next shooter."""
    for a in range(len(then_row)):
        first, last = then_row[a], then_row[a] + then_ceiling[a] - then_floor[a] + 1
        left, right = first, last
        while left < right and then[left] == 0.0:
            left += 1
        while left < right and then[right - 1] == 0.0:
            right -= 1
        if left >= right:
            continue
        visits[a] += then[left:right].sum()
        for edge in range(first_edge[a], first_edge[a + 1]):
            b = to[edge]
            at = row[b] + (left - first) + then_floor[a] + shift[edge] - floor[b]
            if fresh[b]:
                _add(later, at, then, left, right, chance[edge])
            else:
                _add(same, at, then, left, right, chance[edge])
        then[left:right] = 0.0


class Flow:
    """Probability over situations and racks, a layer for each shooter, flowing through a plan."""

    def __init__(self, plan: Plan, shooters: int | None) -> None:
        self.plan = plan
        layers = shooters or 1
        self._fresh: Ints = plan.fresh if shooters else np.zeros_like(plan.fresh)
        width = np.maximum(plan.ceiling - plan.floor + 1, 0)
        after_width = np.maximum(plan.after_ceiling - plan.after_floor + 1, 0)
        self.row: Ints = np.concatenate(([0], np.cumsum(width)[:-1]))
        self.after_row: Ints = np.concatenate(([0], np.cumsum(after_width)[:-1]))
        self._chance: Floats = np.array(plan.edges.ways / plan.whole, dtype=np.float64)
        cells = int(width.sum())
        self.now = [np.zeros(cells) for _ in range(layers)]
        self._next = [np.zeros(cells) for _ in range(layers)]
        self._then = np.zeros(int(after_width.sum()))
        self.ended = np.zeros(cells)
        self.causes = np.zeros(3)
        self.visits = np.zeros(len(plan.after_floor))

    @property
    def running(self) -> float:
        """How much is still in play."""
        return float(sum(layer.sum() for layer in self.now))

    def finish(self) -> Floats:
        """End everything that is still in play; give what has ended, by cell."""
        for layer in self.now:
            self.ended += layer
            layer[:] = 0.0
        return self.ended

    def step(self) -> None:
        """Let every session make one decision and one throw; those of the last layer end with their shooter."""
        plan = self.plan
        for layer in range(len(self.now)):
            if not self.now[layer].any():
                continue
            bet(
                self.now[layer], self.row, plan.floor, plan.ceiling, plan.after, plan.short, plan.cost, plan.need,
                plan.high, plan.low, self._then, self.after_row, plan.after_floor, self.ended, self.causes,
            )  # fmt: skip
            same, later = (*self._next, self.ended)[layer : layer + 2]
            throw(
                self._then, self.after_row, plan.after_floor, plan.after_ceiling, plan.edges.first, plan.edges.to,
                plan.edges.shift, self._chance, self.visits, self._fresh, same, later, self.row, plan.floor,
            )  # fmt: skip
        self.now, self._next = self._next, self.now
