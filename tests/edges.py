"""An exact evaluator of single wagers: every state the dealer can bring one into, solved in fractions.

It knows nothing of craps. It asks the dealer what each of the 36 throws does and solves the linear equations.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from trueodds.dice import ROLLS
from trueodds.table import Dealer
from trueodds.wagers import Phase, Wager

State = tuple[Phase, Wager]
Row = dict[State, Fraction]


def expectation(dealer: Dealer, wager: Wager, phase: Phase) -> Fraction:
    """Cash a wager brings back on average, from its making to its decision."""
    rows: dict[State, tuple[Fraction, Row]] = {}
    todo: list[State] = [(phase, wager)]
    while todo:
        state = todo.pop()
        if state in rows:
            continue
        gain, row = Fraction(0), Row()
        for roll in ROLLS:
            rulings = dealer.settle(state[1], state[0], roll)
            gain += Fraction(sum(ruling.cash for ruling in rulings), 36)
            after = rulings[0].after
            if after is not None:
                following = (dealer.rules.puck_after(state[0], roll.total), after)
                row[following] = row.get(following, Fraction(0)) + Fraction(1, 36)
                todo.append(following)
        rows[state] = (gain, row)
    return _solve(rows)[phase, wager]


def _solve(rows: dict[State, tuple[Fraction, Row]]) -> dict[State, Fraction]:
    values: dict[State, Fraction] = {}
    for group in _components({state: tuple(row) for state, (_, row) in rows.items()}):
        values |= _solve_group(group, rows, values)
    return values


def _solve_group(
    group: list[State], rows: dict[State, tuple[Fraction, Row]], known: dict[State, Fraction]
) -> dict[State, Fraction]:
    """Gauss-Jordan on one strongly connected group whose successors outside it are known."""
    place = {state: index for index, state in enumerate(group)}
    size = len(group)
    matrix = [[Fraction(int(i == j)) for j in range(size)] + [Fraction(0)] for i in range(size)]
    for state, i in place.items():
        gain, row = rows[state]
        matrix[i][size] = gain
        for following, chance in row.items():
            if following in place:
                matrix[i][place[following]] -= chance
            else:
                matrix[i][size] += chance * known[following]
    for column in range(size):
        pivot = next(i for i in range(column, size) if matrix[i][column])
        matrix[column], matrix[pivot] = matrix[pivot], matrix[column]
        scale = matrix[column][column]
        matrix[column] = [value / scale for value in matrix[column]]
        for i in range(size):
            factor = matrix[i][column]
            if i != column and factor:
                matrix[i] = [a - factor * b for a, b in zip(matrix[i], matrix[column], strict=True)]
    return {state: matrix[i][size] for state, i in place.items()}


def _components(graph: dict[State, tuple[State, ...]]) -> list[list[State]]:
    """Strongly connected groups, those that lead nowhere else first (Tarjan's algorithm without recursion)."""
    order: dict[State, int] = {}
    low: dict[State, int] = {}
    open_path: list[State] = []
    groups: list[list[State]] = []
    done: set[State] = set()
    for root, leads_to in graph.items():
        work: list[tuple[State, Iterator[State]]] = []
        if root not in order:
            order[root] = low[root] = len(order)
            open_path.append(root)
            work.append((root, iter(leads_to)))
        while work:
            state, following = work[-1]
            step = next(following, None)
            if step is None:
                work.pop()
                if work:
                    low[work[-1][0]] = min(low[work[-1][0]], low[state])
                if low[state] == order[state]:
                    group: list[State] = []
                    while not group or group[-1] != state:
                        group.append(open_path.pop())
                    done.update(group)
                    groups.append(group)
            elif step not in order:
                order[step] = low[step] = len(order)
                open_path.append(step)
                work.append((step, iter(graph[step])))
            elif step not in done:
                low[state] = min(low[state], order[step])
    return groups
