"""Exact expectations over finite absorbing Markov chains, as fractions.

A chain is defined by a function that returns the transitions from a state. This module knows nothing about craps.
States that can reach each other are solved together, as a system of linear equations; the others one after another.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cache
from types import ModuleType
from typing import TYPE_CHECKING, Generic, NamedTuple, TypeVar

from trueodds.automaton.calculation_errors import NeverEndsError, TooManyStatesError
from trueodds.automaton.optional_import import optional_import

if TYPE_CHECKING:
    from flint import fmpq_mat

S = TypeVar("S", bound=Hashable)

MAX_STATES = 200_000
NEVER_ENDS = "with these dice the bet or the hand is never resolved"


class Transition(NamedTuple, Generic[S]):
    """A transition from a state: its chance, its rewards (one per quantity counted) and its target.

    The target is None if the chain ends.
    """

    chance: Fraction
    rewards: tuple[Fraction | int, ...]
    target: S | None


Transitions = Mapping[S, tuple[Transition[S], ...]]
"""The transitions from each state of a chain."""


def explore(
    start: S, step: Callable[[S], Iterable[Transition[S]]], max_states: int = MAX_STATES
) -> dict[S, tuple[Transition[S], ...]]:
    """Return the transitions from every state that can be reached from `start`.

    Raise TooManyStatesError if there are more than `max_states`.
    """
    return explore_all([start], step, max_states)


def explore_all(
    starts: Iterable[S], step: Callable[[S], Iterable[Transition[S]]], max_states: int = MAX_STATES
) -> dict[S, tuple[Transition[S], ...]]:
    """Return the transitions from every state that can be reached from any of the starts, as `explore` does."""
    found: dict[S, tuple[Transition[S], ...]] = {}
    todo = list(starts)
    while todo:
        state = todo.pop()
        if state in found:
            continue
        if len(found) >= max_states:
            msg = f"the chain must have at most {max_states:,} states, got more"
            raise TooManyStatesError(msg)
        transitions = tuple(step(state))
        found[state] = transitions
        todo += [each.target for each in transitions if each.target is not None and each.target not in found]
    return found


def expected_totals(chain: Transitions[S]) -> dict[S, tuple[Fraction, ...]]:
    """Return, for every state, the expected total of each reward until the chain ends."""
    gains = {}
    for state, transitions in chain.items():
        reward_count = len(transitions[0].rewards)
        gains[state] = tuple(
            sum((each.chance * each.rewards[reward] for each in transitions), Fraction(0))
            for reward in range(reward_count)
        )
    return solve(chain, gains)


def second_moments(chain: Transitions[S], expected: Mapping[S, Sequence[Fraction]], reward: int) -> dict[S, Fraction]:
    """Return, for every state, the expected square of the total of one reward.

    `expected` is the result of `expected_totals`.
    """
    gains = {}
    for state, transitions in chain.items():
        gain = Fraction(0)
        for transition in transitions:
            now = transition.rewards[reward]
            later = expected[transition.target][reward] if transition.target is not None else Fraction(0)
            gain += transition.chance * (now * now + 2 * now * later)
        gains[state] = (gain,)
    return {state: value for state, (value,) in solve(chain, gains).items()}


def solve(chain: Transitions[S], gains: Mapping[S, tuple[Fraction, ...]]) -> dict[S, tuple[Fraction, ...]]:
    """Solve value = gain + the expected value of the next state, for every state and every kind of gain."""
    values: dict[S, tuple[Fraction, ...]] = {}
    graph = {state: [each.target for each in row if each.target is not None] for state, row in chain.items()}
    for component in strongly_connected_components(graph):
        values |= solve_component(component, chain, gains, values)
    return values


def solve_component(
    component: list[S],
    chain: Transitions[S],
    gains: Mapping[S, tuple[Fraction, ...]],
    known: Mapping[S, tuple[Fraction, ...]],
) -> dict[S, tuple[Fraction, ...]]:
    """Solve states that can reach each other. `known` has the values of the states outside that they lead to."""
    index = {state: i for i, state in enumerate(component)}
    size = len(component)
    matrix = [[Fraction(int(i == j)) for j in range(size)] for i in range(size)]
    right = [list(gains[state]) for state in component]
    for state, i in index.items():
        for chance, _, target in chain[state]:
            if target is None:
                continue
            if target in index:
                matrix[i][index[target]] -= chance
            else:
                for kind, value in enumerate(known[target]):
                    right[i][kind] += chance * value
    return dict(zip(component, solve_linear(matrix, right), strict=True))


def solve_linear(matrix: list[list[Fraction]], right: list[list[Fraction]]) -> list[tuple[Fraction, ...]]:
    """Solve matrix x = right exactly for every column of `right`, with FLINT if it is installed.

    Raise NeverEndsError if the matrix is singular.
    """
    if len(matrix) == 1 and matrix[0][0]:
        return [tuple(value / matrix[0][0] for value in right[0])]
    flint = _load_flint()
    if flint is None:
        return _eliminate([[*row, *rest] for row, rest in zip(matrix, right, strict=True)])
    try:
        solved = _flint_matrix(flint, matrix).solve(_flint_matrix(flint, right))
    except ZeroDivisionError:
        raise NeverEndsError(NEVER_ENDS) from None
    return [tuple(Fraction(int(value.p), int(value.q)) for value in row) for row in solved.tolist()]


@cache
def _load_flint() -> ModuleType | None:
    """Import FLINT on first use, because it is slow to load and one-state chains do not need it."""
    return optional_import("flint")


def _flint_matrix(flint: ModuleType, rows: list[list[Fraction]]) -> fmpq_mat:
    cells = [flint.fmpq(value.numerator, value.denominator) for row in rows for value in row]
    matrix: fmpq_mat = flint.fmpq_mat(len(rows), len(rows[0]), cells)
    return matrix


def _eliminate(matrix: list[list[Fraction]]) -> list[tuple[Fraction, ...]]:
    """Solve an augmented matrix by Gauss-Jordan elimination."""
    size = len(matrix)
    for column in range(size):
        pivot = next((i for i in range(column, size) if matrix[i][column]), None)
        if pivot is None:
            raise NeverEndsError(NEVER_ENDS)
        matrix[column], matrix[pivot] = matrix[pivot], matrix[column]
        scale = matrix[column][column]
        matrix[column] = [value / scale if value else value for value in matrix[column]]
        for i in range(size):
            factor = matrix[i][column]
            if i != column and factor:
                matrix[i] = [a - factor * b if b else a for a, b in zip(matrix[i], matrix[column], strict=True)]
    return [tuple(row[size:]) for row in matrix]


def strongly_connected_components(graph: Mapping[S, Sequence[S]]) -> list[list[S]]:
    """Return the strongly connected components of a graph, each after the components that it leads to.

    This is Tarjan's algorithm with an explicit stack instead of recursion.
    """
    order: dict[S, int] = {}
    low: dict[S, int] = {}
    path: list[S] = []
    on_path: set[S] = set()
    components: list[list[S]] = []
    stack: list[tuple[S, Iterator[S]]] = []

    def enter(state: S) -> None:
        order[state] = low[state] = len(order)
        path.append(state)
        on_path.add(state)
        stack.append((state, iter(graph[state])))

    for root in graph:
        if root in order:
            continue
        enter(root)
        while stack:
            state, successors = stack[-1]
            successor = next(successors, None)
            if successor is None:
                stack.pop()
                if stack:
                    parent = stack[-1][0]
                    low[parent] = min(low[parent], low[state])
                if low[state] == order[state]:
                    start = path.index(state)
                    components.append(path[start:])
                    on_path.difference_update(path[start:])
                    del path[start:]
            elif successor not in order:
                enter(successor)
            elif successor in on_path:
                low[state] = min(low[state], order[successor])
    return components
