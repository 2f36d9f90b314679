"""Merging situations that are equivalent for the rest of a session.

A four and a ten, a five and a nine, a six and an eight are equally likely and pay the same. So most situations have
mirror images: whatever happens in one with some chance and some money happens in the other with the same chance and the
same money. A session only needs one situation of each such class, and the rolls between classes.

The classes are found by refinement: start with the situations that look alike, and split a class while its members lead
to different classes. Members are compared by 64-bit fingerprints, and the result is then checked without them.
"""

from __future__ import annotations

from itertools import count as count_up
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from trueodds.automaton.array_types import BoolArray, Int64Array, IntArray

UInt64Array = npt.NDArray[np.uint64]

BLOCK_ROWS: Final = 1 << 13
"""Situations whose edges are merged at a time, so that merging takes little memory."""


class RollEdges(NamedTuple):
    """Transitions by rolls. Rolls with the same target and the same money are merged.

    The edges of the situation `a` after betting are those from `first[a]` up to `first[a + 1]`.
    """

    first: Int64Array
    target: Int64Array
    money: Int64Array
    ways: Int64Array

    @property
    def source(self) -> Int64Array:
        """The situation after betting that each edge starts from."""
        return np.repeat(np.arange(len(self.first) - 1), np.diff(self.first))


class SituationGraph(NamedTuple):
    """Situations before and after betting, and the money that moves between them.

    `before` has columns of numbers that equivalent situations before betting share, `after` the same for situations
    after betting. `decisions` has, for each decision that can be made before betting, the situations that follow it, or
    -1 where it cannot be made. `edges` lead from situations after betting to situations before betting.
    """

    before: tuple[Int64Array, ...]
    decisions: tuple[Int64Array, ...]
    after: tuple[Int64Array, ...]
    edges: RollEdges


class Classes(NamedTuple):
    """The class of each situation, and one member of each class."""

    class_of: Int64Array
    members: Int64Array


def merge_rolls(next_situations: IntArray, money: IntArray, ways: Int64Array) -> RollEdges:
    """Return the edges of a table with one row per situation and one column per roll. Leave out impossible rolls."""
    possible = np.flatnonzero(ways > 0)
    blocks = []
    for start in range(0, len(next_situations), BLOCK_ROWS):
        targets = next_situations[start : start + BLOCK_ROWS, possible].astype(np.int64)
        amounts = money[start : start + BLOCK_ROWS, possible].astype(np.int64)
        first = np.arange(len(targets) + 1) * len(possible)
        block = RollEdges(first, targets.ravel(), amounts.ravel(), np.tile(ways[possible], len(targets)))
        blocks.append(_merged_block(block))
    return _joined(blocks)


def _merged_block(edges: RollEdges) -> RollEdges:
    """Add up the edges that have the same ends and the same money."""
    source = edges.source
    order = np.lexsort((edges.money, edges.target, source))
    source, target, money, ways = source[order], edges.target[order], edges.money[order], edges.ways[order]
    is_first = np.ones(len(source), dtype=bool)
    is_first[1:] = (source[1:] != source[:-1]) | (target[1:] != target[:-1]) | (money[1:] != money[:-1])
    begins = np.flatnonzero(is_first)
    first = np.searchsorted(source[begins], np.arange(len(edges.first)))
    return RollEdges(first, target[begins], money[begins], np.add.reduceat(ways, begins))


def _joined(blocks: list[RollEdges]) -> RollEdges:
    """Return the edges of several blocks of situations as one."""
    lengths = np.concatenate([np.diff(block.first) for block in blocks])
    columns = [np.concatenate([block[column] for block in blocks]) for column in (1, 2, 3)]
    return RollEdges(np.concatenate(([0], np.cumsum(lengths))), *columns)


def equivalent_situations(graph: SituationGraph) -> tuple[Classes, Classes, RollEdges]:
    """Return the classes of situations before and after betting, and the edges between classes."""
    for salt in count_up(1):
        before, after = _refine(graph, salt)
        if (merged := _checked_edges(graph, before, after)) is not None:
            return before, after, merged
    raise AssertionError  # unreachable: `count_up` does not end


def _refine(graph: SituationGraph, salt: int) -> tuple[Classes, Classes]:
    """Split classes by their fingerprints until nothing changes."""
    ways = _as_words(salt, graph.edges.ways)
    starts = graph.edges.first[:-1]
    before, after = _classes(salt, *graph.before), _classes(salt, *graph.after)
    while True:
        moves = _fingerprints(salt, before.class_of[graph.edges.target], graph.edges.money)
        rolls = np.add.reduceat(ways * moves, starts)
        finer_after = _classes(salt, after.class_of, rolls)
        # The last row stands for decisions that cannot be made, which have number -1.
        decided = np.append(finer_after.class_of, -1)
        finer_before = _classes(salt, before.class_of, *(decided[column] for column in graph.decisions))
        is_stable = len(finer_before.members) == len(before.members) and len(finer_after.members) == len(after.members)
        before, after = finer_before, finer_after
        if is_stable:
            return before, after


def _classes(salt: int, *columns: Int64Array | UInt64Array) -> Classes:
    """Return the classes of rows with equal fingerprints, in the order of their first members."""
    _, members, class_of = np.unique(_fingerprints(salt, *columns), return_index=True, return_inverse=True)
    order = np.argsort(members)
    rank = np.empty_like(order)
    rank[order] = np.arange(len(order))
    return Classes(rank[class_of], members[order])


def _fingerprints(salt: int, *columns: Int64Array | UInt64Array) -> UInt64Array:
    """Return a 64-bit hash of each row (the finalizer of SplitMix64, column by column)."""
    hashes: UInt64Array = np.full(len(columns[0]), salt, dtype=np.uint64)
    for column in columns:
        hashes = hashes ^ _as_words(salt, column)
        hashes = (hashes ^ (hashes >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9) + np.uint64(0x9E3779B97F4A7C15)
        hashes = (hashes ^ (hashes >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
        hashes ^= hashes >> np.uint64(31)
    return hashes


def _as_words(salt: int, column: Int64Array | UInt64Array) -> UInt64Array:
    """Return numbers as 64-bit words. Very uneven dice have ways that need more; a remainder stands for these.

    The divisor changes with the salt, so that no two numbers have equal remainders every time.
    """
    if column.dtype == object:
        divisor = (1 << 61) - 1 + 2 * salt
        return np.array([number % divisor for number in column.tolist()], dtype=np.uint64)
    return column.astype(np.uint64)


def _checked_edges(graph: SituationGraph, before: Classes, after: Classes) -> RollEdges | None:
    """Return the edges between classes, or None if a class has members that are not equivalent."""
    decided = np.append(after.class_of, -1)
    same = all(_is_shared(column, before) for column in graph.before)
    same &= all(_is_shared(decided[column], before) for column in graph.decisions)
    same &= all(_is_shared(column, after) for column in graph.after)
    merged = _edges_between_classes(graph.edges, before)
    lengths, member = np.diff(merged.first), after.members[after.class_of]
    if not same or not np.array_equal(lengths, lengths[member]):
        return None
    source = merged.source
    twin = np.arange(len(source)) - merged.first[source] + merged.first[member[source]]
    columns = (merged.target, merged.money, merged.ways)
    if not all(np.array_equal(column, column[twin]) for column in columns):
        return None
    is_member: BoolArray = np.zeros(len(member), dtype=bool)
    is_member[after.members] = True
    kept = is_member[source]
    first = np.concatenate(([0], np.cumsum(lengths[after.members])))
    return RollEdges(first, *(column[kept] for column in columns))


def _edges_between_classes(edges: RollEdges, before: Classes) -> RollEdges:
    """Return the edges from each situation after betting to the classes before betting."""
    blocks = []
    for start in range(0, len(edges.first) - 1, BLOCK_ROWS):
        first = edges.first[start : start + BLOCK_ROWS + 1]
        begin, end = int(first[0]), int(first[-1])
        target = before.class_of[edges.target[begin:end]]
        blocks.append(_merged_block(RollEdges(first - begin, target, edges.money[begin:end], edges.ways[begin:end])))
    return _joined(blocks)


def _is_shared(column: Int64Array, classes: Classes) -> bool:
    """Whether all members of each class have the same number."""
    return bool(np.array_equal(column, column[classes.members[classes.class_of]]))
