"""Exact answers about something that ends: expectations over a finite chain, as fractions.

A chain is what a step says: from a state, with some chance, a reward and the next state, or the end. It knows nothing
of craps. States that lead back to each other are solved together by elimination, the rest one after the other.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from fractions import Fraction
from typing import Any, Generic, NamedTuple, TypeVar

from trueodds.chain.errors import ChainTooLargeError, EndlessError
from trueodds.chain.optional import optional

flint = optional("flint")

S = TypeVar("S", bound=Hashable)

STATE_LIMIT = 200_000
ENDLESS = "what was asked about never ends with these dice"


class Edge(NamedTuple, Generic[S]):
    """One way on from a state: its chance, what each channel earns on it, and where it leads (None: the end)."""

    chance: Fraction
    rewards: tuple[Fraction | int, ...]
    to: S | None


Rows = Mapping[S, tuple[Edge[S], ...]]


def explore(start: S, step: Callable[[S], Iterable[Edge[S]]], limit: int = STATE_LIMIT) -> dict[S, tuple[Edge[S], ...]]:
    """Find every state that can be reached, and the ways on from each."""
    rows: dict[S, tuple[Edge[S], ...]] = {}
    todo = [start]
    while todo:
        state = todo.pop()
        if state in rows:
            continue
        if len(rows) >= limit:
            msg = f"more than {limit} states"
            raise ChainTooLargeError(msg)
        edges = tuple(step(state))
        rows[state] = edges
        todo += [edge.to for edge in edges if edge.to is not None and edge.to not in rows]
    return rows


def expectations(rows: Rows[S]) -> dict[S, tuple[Fraction, ...]]:
    """Give the expected total of every channel from every state to the end."""
    gains = {
        state: tuple(sum((edge.chance * one for edge, one in column), Fraction(0)) for column in _columns(edges))
        for state, edges in rows.items()
    }
    return solve(rows, gains)


def second_moments(rows: Rows[S], first: Mapping[S, Sequence[Fraction]], channel: int) -> dict[S, Fraction]:
    """Give the expected square of one channel's total, from its expectations."""
    gains = {}
    for state, edges in rows.items():
        total = Fraction(0)
        for edge in edges:
            reward = edge.rewards[channel]
            ahead = first[edge.to][channel] if edge.to is not None else Fraction(0)
            total += edge.chance * (reward * reward + 2 * reward * ahead)
        gains[state] = (total,)
    return {state: value[0] for state, value in solve(rows, gains).items()}


def _columns(edges: tuple[Edge[S], ...]) -> list[list[tuple[Edge[S], Fraction | int]]]:
    return [[(edge, edge.rewards[index]) for edge in edges] for index in range(len(edges[0].rewards))]


def solve(rows: Rows[S], gains: Mapping[S, tuple[Fraction, ...]]) -> dict[S, tuple[Fraction, ...]]:
    """Solve value = gain + chance-weighted value of what follows, for every channel at once."""
    values: dict[S, tuple[Fraction, ...]] = {}
    graph = {state: [edge.to for edge in edges if edge.to is not None] for state, edges in rows.items()}
    for group in components(graph):
        values |= solve_group(group, rows, gains, values)
    return values


def solve_group(
    group: list[S], rows: Rows[S], gains: Mapping[S, tuple[Fraction, ...]], known: Mapping[S, tuple[Fraction, ...]]
) -> dict[S, tuple[Fraction, ...]]:
    """Solve states that lead back to each other together; what lies outside them is known already."""
    place = {state: index for index, state in enumerate(group)}
    size = len(group)
    matrix = [[Fraction(int(i == j)) for j in range(size)] for i in range(size)]
    right = [list(gains[state]) for state in group]
    for state, i in place.items():
        for chance, _, to in rows[state]:
            if to is None:
                continue
            if to in place:
                matrix[i][place[to]] -= chance
            else:
                for channel, value in enumerate(known[to]):
                    right[i][channel] += chance * value
    return dict(zip(group, solve_linear(matrix, right), strict=True))


def solve_linear(matrix: list[list[Fraction]], right: list[list[Fraction]]) -> list[tuple[Fraction, ...]]:
    """Solve matrix x = right exactly, for every column of the right side; by FLINT where it is installed."""
    if len(matrix) == 1 and matrix[0][0]:
        return [tuple(value / matrix[0][0] for value in right[0])]
    if flint is None:
        return _eliminate([[*row, *rest] for row, rest in zip(matrix, right, strict=True)])
    try:
        solved = _flint(matrix).solve(_flint(right))
    except ZeroDivisionError:
        raise EndlessError(ENDLESS) from None
    return [tuple(Fraction(int(value.p), int(value.q)) for value in row) for row in solved.tolist()]


def _flint(rows: list[list[Fraction]]) -> Any:
    cells = [flint.fmpq(value.numerator, value.denominator) for row in rows for value in row]
    return flint.fmpq_mat(len(rows), len(rows[0]), cells)


def _eliminate(matrix: list[list[Fraction]]) -> list[tuple[Fraction, ...]]:
    """Eliminate by hand."""
    size = len(matrix)
    for column in range(size):
        pivot = next((i for i in range(column, size) if matrix[i][column]), None)
        if pivot is None:
            raise EndlessError(ENDLESS)
        matrix[column], matrix[pivot] = matrix[pivot], matrix[column]
        scale = matrix[column][column]
        matrix[column] = [value / scale if value else value for value in matrix[column]]
        for i in range(size):
            factor = matrix[i][column]
            if i != column and factor:
                matrix[i] = [a - factor * b if b else a for a, b in zip(matrix[i], matrix[column], strict=True)]
    return [tuple(row[size:]) for row in matrix]


def components(graph: Mapping[S, Sequence[S]]) -> list[list[S]]:
    """Group states that lead back to each other, groups that lead nowhere else first (Tarjan, without recursion)."""
    order: dict[S, int] = {}
    low: dict[S, int] = {}
    path: list[S] = []
    on_path: set[S] = set()
    groups: list[list[S]] = []
    for root in graph:
        if root in order:
            continue
        order[root] = low[root] = len(order)
        path.append(root)
        on_path.add(root)
        work = [(root, iter(graph[root]))]
        while work:
            state, following = work[-1]
            step = next(following, None)
            if step is None:
                work.pop()
                if work:
                    low[work[-1][0]] = min(low[work[-1][0]], low[state])
                if low[state] == order[state]:
                    at = path.index(state)
                    groups.append(path[at:])
                    on_path.difference_update(path[at:])
                    del path[at:]
            elif step not in order:
                order[step] = low[step] = len(order)
                path.append(step)
                on_path.add(step)
                work.append((step, iter(graph[step])))
            elif step in on_path:
                low[state] = min(low[state], order[step])
    return groups
