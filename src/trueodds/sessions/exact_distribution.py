"""Moving exact probability through a plan: a row of racks is one very large whole number.

Every probability after n throws is a whole number of ways out of `whole`**n. A row keeps one for each rack, side by
side in the bits of a single integer, with room enough that none can run into the next. Paying a player is then a shift,
putting two rows together is an addition, and comparing racks with a limit is cutting the number in two: the arithmetic
is done by the big-number library, and it is exact.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import Any

from trueodds.chain.optional import optional
from trueodds.chain.plan import Plan

flint = optional("flint")
whole_number = int if flint is None else flint.fmpz
Row = Any
"""A whole number, FLINT's where it is installed."""


class PackedFlow:
    """Ways over situations and racks, a layer for each shooter, flowing through a plan of known length.

    The rows are numbers whose slot k, of `bits` bits, belongs to rack `floor` + k.
    """

    def __init__(self, plan: Plan, shooters: int | None, rolls: int) -> None:
        self.plan = plan
        self.rolls = rolls
        self.bits = -(-(plan.whole**rolls).bit_length() // 8) * 8 + 8
        self.floor = min(int(plan.floor.min()), int(plan.after_floor.min()))
        layers = shooters or 1
        self._fresh = [bool(fresh) and shooters is not None for fresh in plan.fresh.tolist()]
        self._terms = list(
            zip(
                *(one.tolist() for one in (plan.after, plan.short, plan.cost, plan.need, plan.high, plan.low)),
                strict=True,
            )
        )
        first, to, shift, ways = (one.tolist() for one in plan.edges)
        self._edges = [
            list(zip(to[begin:end], shift[begin:end], ways[begin:end], strict=True)) for begin, end in pairwise(first)
        ]
        self.now: list[dict[int, Row]] = [{} for _ in range(layers + 1)]
        self._ended: dict[int, tuple[Row, int]] = {}
        self._done = 0
        self.causes = [0, 0, 0]
        self.visits = [0] * len(self._edges)

    def put(self, situation: int, rack: int) -> None:
        """Begin with one way, in a situation with a rack."""
        self.now[0][situation] = whole_number(1) << (self.bits * (rack - self.floor))

    def step(self) -> None:
        """Let every session that goes on make one decision and one throw; count all that is over in the new unit."""
        following: list[dict[int, Row]] = [{} for _ in self.now]
        ended: dict[int, Row] = {}
        causes = [0, 0, 0]
        for layer, rows in enumerate(self.now[:-1]):
            for a, row in self._bet(rows, ended, causes).items():
                self.visits[a] += self._sum(row)
                multiples = {ways: row * ways for ways in {ways for _, _, ways in self._edges[a]}}
                for b, shift, ways in self._edges[a]:
                    moved = self._shifted(multiples[ways], shift)
                    target = following[layer + self._fresh[b]]
                    target[b] = target[b] + moved if b in target else moved
        whole = self.plan.whole
        self._end(ended)
        self._end(self.now[-1])
        self._done += 1
        self.causes = [(old + new) * whole for old, new in zip(self.causes, causes, strict=True)]
        self.visits = [count * whole for count in self.visits]
        self.now = following

    def finish(self) -> dict[int, Row]:
        """End everything that is still in play; give the rows by situation."""
        for layer in self.now:
            self._end(layer)
        self.now = [{} for _ in self.now]
        return {b: row * self.plan.whole ** (self._done - done) for b, (row, done) in self._ended.items()}

    def _end(self, rows: dict[int, Row]) -> None:
        """Add rows that are over; each remembers after how many throws it was counted, and in that unit."""
        for b, row in rows.items():
            if b in self._ended:
                before, done = self._ended[b]
                row = row + before * self.plan.whole ** (self._done - done)  # noqa: PLW2901  the row so far
            self._ended[b] = (row, self._done)

    def _bet(self, rows: dict[int, Row], ended: dict[int, Row], causes: list[int]) -> dict[int, Row]:
        then: dict[int, Row] = {}
        for b, row in rows.items():
            after, short, cost, need, high, low = self._terms[b]
            lost, rest = self._cut(row, low + 1)
            rest, won = self._cut(rest, high)
            runs, bets = self._cut(rest, need)
            ruined = runs if short < 0 else 0
            for index, over in enumerate((lost, won, ruined)):
                if over:
                    causes[index] += self._sum(over)
                    ended[b] = ended.get(b, 0) + over
            if runs and short >= 0:
                then[short] = then.get(short, 0) + runs
            if bets:
                then[after] = then.get(after, 0) + self._shifted(bets, -cost)
        return then

    def _cut(self, row: Row, rack: int) -> tuple[Row, Row]:
        """Split into racks below one and the rest."""
        bits = self.bits * (rack - self.floor)
        if not row or bits <= 0:
            return 0, row
        if bits >= row.bit_length():
            return row, 0
        rest = (row >> bits) << bits
        return row - rest, rest

    def _shifted(self, row: Row, slots: int) -> Row:
        bits = self.bits * slots
        return row << bits if bits >= 0 else row >> -bits

    def _sum(self, row: Row) -> int:
        """Add the slots up, by folding the number in half."""
        slots = -(-int(row.bit_length()) // self.bits)
        while slots > 1:
            half = (slots + 1) // 2
            high = row >> (half * self.bits)
            row = row - (high << (half * self.bits)) + high
            slots = half
        return int(row)

    def unpack(self, row: Row) -> Iterator[tuple[int, int]]:
        """Give racks with their ways, where there are any."""
        size = self.bits // 8
        data = int(row).to_bytes(-(-int(row).bit_length() // 8) + size, "little")
        for slot in range(len(data) // size):
            ways = int.from_bytes(data[slot * size : (slot + 1) * size], "little")
            if ways:
                yield self.floor + slot, ways
