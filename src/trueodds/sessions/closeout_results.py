"""What closing out returns: the chance of each amount, for each class of equivalent situations.

This is a translation of the end of the reference (`reference.py`), tested against it by
`tests/sessions/test_reference.py::test_distributions_match_the_reference`. The same code runs in fractions and in
floating point.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable
from fractions import Fraction
from typing import Generic, NamedTuple, TypeVar

import numpy as np

from trueodds.automaton.array_types import Int64Array
from trueodds.automaton.automaton import Automaton
from trueodds.sessions.equivalent_situations import RollEdges, SituationGraph, equivalent_situations, merge_rolls
from trueodds.sessions.session_grid import resolved_ways, roll_ways
from trueodds.sessions.session_limits import undecided_error
from trueodds.wager_odds.dice_chances import DiceChances
from trueodds.wager_odds.markov import solve_linear, strongly_connected_components

Number = TypeVar("Number", float, Fraction)


class CloseoutResult(NamedTuple, Generic[Number]):
    """The chance of each amount that closing out returns, and the mean stakes that it resolves."""

    chance_by_cents: dict[int, Number]
    mean_action_cents: Number


class CloseoutArithmetic(NamedTuple, Generic[Number]):
    """How to divide two integers, and how to solve linear equations with several right sides."""

    divide: Callable[[int, int], Number]
    solve: Callable[[list[list[Number]], list[list[Number]]], list[tuple[Number, ...]]]


def _solve_floats(matrix: list[list[float]], right: list[list[float]]) -> list[tuple[float, ...]]:
    return [tuple(row) for row in np.linalg.solve(np.array(matrix), np.array(right)).tolist()]


EXACT = CloseoutArithmetic(Fraction, solve_linear)
FLOATS = CloseoutArithmetic(lambda ways, total: ways / total, _solve_floats)


class _CloseoutEdge(NamedTuple):
    """A roll during closing out: its ways, the class after betting that follows, and the money returned."""

    ways: int
    target: int
    cash_cents: int


class CloseoutClasses(NamedTuple):
    """The classes of equivalent situations of a closeout automaton.

    For each class before betting: the money that comes down at once, and the class that is left, with the bets that
    must be decided. `class_of` has the class of each situation before betting.
    """

    class_of: Int64Array
    taken_down_cents: list[int]
    after: list[int]
    nothing_left: list[bool]
    resolved_ways: list[int]
    edges: RollEdges
    total_ways: int

    def edges_from(self, after: int) -> list[_CloseoutEdge]:
        """Return the rolls from a class after betting, each with the take-downs that follow it."""
        begin, end = self.edges.first[after : after + 2].tolist()
        columns = (self.edges.target, self.edges.money, self.edges.ways)
        return [
            _CloseoutEdge(ways, self.after[before], payout + self.taken_down_cents[before])
            for before, payout, ways in zip(*(column[begin:end].tolist() for column in columns), strict=True)
        ]


def classify_closeouts(closeout: Automaton, dice: DiceChances) -> CloseoutClasses:
    """Return the classes of the situations of a closeout automaton."""
    ways, total_ways = roll_ways(closeout, dice)
    nothing_left = (closeout.stakes_after_cents == 0).astype(np.int64)
    resolved = resolved_ways(closeout, ways)
    after = closeout.after_betting.astype(np.int64)
    edges = merge_rolls(closeout.next, closeout.payout_cents, ways)
    graph = SituationGraph((closeout.cost_cents,), (after,), (resolved, nothing_left), edges)
    class_before, class_after, class_edges = equivalent_situations(graph)
    return CloseoutClasses(
        class_before.class_of,
        (-closeout.cost_cents[class_before.members]).tolist(),
        class_after.class_of[after[class_before.members]].tolist(),
        nothing_left[class_after.members].astype(bool).tolist(),
        resolved[class_after.members].tolist(),
        class_edges,
        total_ways,
    )


def closeout_results(
    classes: CloseoutClasses, entries: Iterable[int], arithmetic: CloseoutArithmetic[Number]
) -> dict[int, CloseoutResult[Number]]:
    """Return the result of closing out from some classes before betting.

    Rolls that decide nothing move no money. Classes that such rolls lead back to are solved together, with one unknown
    for each amount that can be returned. Raise NeverEndsError if the dice cannot decide the open bets.
    """
    edges: dict[int, list[_CloseoutEdge]] = {}
    entries = list(entries)
    pending = [classes.after[entry] for entry in entries]
    while pending:
        after = pending.pop()
        if after not in edges and not classes.nothing_left[after]:
            edges[after] = classes.edges_from(after)
            pending += [edge.target for edge in edges[after]]
    divide = arithmetic.divide
    nothing_open = CloseoutResult({0: divide(1, 1)}, divide(0, 1))
    graph = {after: [edge.target for edge in leaving if edge.target in edges] for after, leaving in edges.items()}
    known: dict[int, CloseoutResult[Number]] = {}
    for component in strongly_connected_components(graph):
        known |= _solve_component(component, edges, known, classes, arithmetic)
    results = {}
    for entry in entries:
        chance_by_cents, action = known.get(classes.after[entry], nothing_open)
        taken_down = classes.taken_down_cents[entry]
        results[entry] = CloseoutResult({cash + taken_down: chance for cash, chance in chance_by_cents.items()}, action)
    return results


def _solve_component(
    component: list[int],
    edges: dict[int, list[_CloseoutEdge]],
    known: dict[int, CloseoutResult[Number]],
    classes: CloseoutClasses,
    arithmetic: CloseoutArithmetic[Number],
) -> dict[int, CloseoutResult[Number]]:
    """Solve classes that lead back to each other. Everything they lead to outside is known."""
    divide, total_ways = arithmetic.divide, classes.total_ways
    index = {after: row for row, after in enumerate(component)}
    staying = [[0] * len(component) for _ in component]
    leaving: list[dict[int, Number]] = [defaultdict(lambda: divide(0, 1)) for _ in component]
    action = [divide(classes.resolved_ways[after], total_ways) for after in component]
    for after, row in index.items():
        for edge in edges[after]:
            if edge.target in index:
                if edge.cash_cents:
                    raise ArithmeticError(f"a roll that decided nothing moved {edge.cash_cents} cents")
                staying[row][index[edge.target]] += edge.ways
                continue
            chance, further = divide(edge.ways, total_ways), known.get(edge.target)
            if further is None:
                leaving[row][edge.cash_cents] += chance
                continue
            action[row] += chance * further.mean_action_cents
            for cash, cash_chance in further.chance_by_cents.items():
                leaving[row][edge.cash_cents + cash] += chance * cash_chance
    if not any(leaving):
        raise undecided_error()
    amounts: list[int] = sorted(set().union(*leaving))
    matrix: list[list[Number]] = []
    right: list[list[Number]] = []
    for number, ways_by_target in enumerate(staying):
        ways_by_target[number] -= total_ways
        matrix.append([divide(-ways, total_ways) for ways in ways_by_target])
        gains = [leaving[number][cash] for cash in amounts]
        gains.append(action[number])
        right.append(gains)
    if len(component) == 1:
        values = [tuple(value / matrix[0][0] for value in right[0])]
    else:
        values = arithmetic.solve(matrix, right)
    solved: dict[int, CloseoutResult[Number]] = {}
    for after, results in zip(component, values, strict=True):
        chance_by_cents = {cash: results[column] for column, cash in enumerate(amounts) if results[column]}
        solved[after] = CloseoutResult(chance_by_cents, results[-1])
    return solved
