"""Merging situations that are equivalent for the rest of a session."""

from __future__ import annotations

import numpy as np
import pytest

from trueodds.automaton.array_types import Int64Array
from trueodds.sessions import Session, equivalent_situations
from trueodds.sessions.equivalent_situations import SituationGraph, merge_rolls
from trueodds.wager_odds import biased_dice

WAYS = np.array([3, 4, 3])
"""Two rolls that are equally likely, and another one."""


def mirrored_graph(last_money: int = 7, ways: Int64Array = WAYS) -> SituationGraph:
    """Return the graph of two situations that mirror each other, reached from a third one.

    Situation 0 leads to 1 and 2 with the first and the last roll. From there one roll pays and leads back.
    """
    next_situations = np.array([[1, 0, 2], [0, 1, 1], [2, 2, 0]])
    money = np.array([[0, 0, 0], [7, 0, 0], [0, 0, last_money]])
    same = np.zeros(3, dtype=np.int64)
    return SituationGraph((same,), (np.arange(3),), (same,), merge_rolls(next_situations, money, ways))


def test_rolls_with_the_same_result_are_one_edge() -> None:
    edges = merge_rolls(np.array([[5, 6, 5, 5]]), np.array([[10, 0, 10, 20]]), np.array([1, 2, 4, 0]))
    assert edges.first.tolist() == [0, 2]
    assert list(zip(edges.target.tolist(), edges.money.tolist(), edges.ways.tolist(), strict=True)) == [
        (5, 10, 5),
        (6, 0, 2),
    ]


def test_mirror_images_are_merged() -> None:
    before, after, edges = equivalent_situations.equivalent_situations(mirrored_graph())
    assert before.class_of.tolist() == after.class_of.tolist() == [0, 1, 1]
    rows = zip(edges.source.tolist(), edges.target.tolist(), edges.money.tolist(), edges.ways.tolist(), strict=True)
    assert list(rows) == [(0, 0, 0, 4), (0, 1, 0, 6), (1, 0, 7, 3), (1, 1, 0, 7)]


@pytest.mark.parametrize("graph", [mirrored_graph(last_money=8), mirrored_graph(ways=np.array([3, 4, 2]))])
def test_other_money_or_other_chances_are_not_merged(graph: SituationGraph) -> None:
    before, _, edges = equivalent_situations.equivalent_situations(graph)
    assert before.class_of.tolist() == [0, 1, 2]
    assert len(edges.target) == len(graph.edges.target)


def test_ways_of_more_than_64_bits() -> None:
    ways = np.array([3 << 70, 4 << 70, 3 << 70], dtype=object)
    before, _, edges = equivalent_situations.equivalent_situations(mirrored_graph(ways=ways))
    assert before.class_of.tolist() == [0, 1, 1]
    assert edges.ways.tolist() == [4 << 70, 6 << 70, 3 << 70, 7 << 70]
    for difference in (1 << 64, (1 << 61) + 1):
        unequal = np.array([3 << 70, 4 << 70, (3 << 70) + difference], dtype=object)
        before, _, _ = equivalent_situations.equivalent_situations(mirrored_graph(ways=unequal))
        assert before.class_of.tolist() == [0, 1, 2]


def test_equal_fingerprints_of_different_situations_are_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    """The first fingerprints are made equal for everything, which merges too much. The second ones are right."""
    plain, salts = equivalent_situations._fingerprints, []

    def equal_at_first(salt: int, *columns: Int64Array) -> object:
        salts.append(salt)
        return plain(salt, *columns) * np.uint64(salt != 1)

    monkeypatch.setattr(equivalent_situations, "_fingerprints", equal_at_first)
    before, _, _ = equivalent_situations.equivalent_situations(mirrored_graph())
    assert before.class_of.tolist() == [0, 1, 1]
    assert set(salts) == {1, 2}


def test_biased_dice_keep_situations_apart() -> None:
    """With a heavy six on both dice a ten is more likely than a four, and a bet on it wins more often."""
    heavy = biased_dice([1, 1, 1, 1, 1, 2], [1, 1, 1, 1, 1, 2])
    exact = Session("pass_345", "new_jersey", bankroll=100, rolls=12, dice=heavy, rational=True)
    quick = Session("pass_345", "new_jersey", bankroll=100, rolls=12, dice=heavy)
    assert exact.exact_chances is not None
    assert sum(exact.exact_chances) == 1
    assert quick.chances == pytest.approx([float(chance) for chance in exact.exact_chances], rel=1e-11)
