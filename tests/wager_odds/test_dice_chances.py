"""Chances of dice: weights that are refused, and chances that are refused."""

from __future__ import annotations

from fractions import Fraction

import pytest

from trueodds.automaton import DiceWeightsError
from trueodds.dice import ROLLS, Roll
from trueodds.wager_odds import FAIR_DICE, DiceChances, biased_dice
from trueodds.wager_odds.dice_chances import check_dice, merge_equivalent_rolls


@pytest.mark.parametrize(
    ("weights", "message"),
    [
        ([1] * 5, "the second die must have six weights, none negative and at least one positive, got 1, 1, 1, 1, 1"),
        ([], "got none"),
        ([0] * 6, "got 0, 0, 0, 0, 0, 0"),
        ([1, 1, 1, 1, 1, -1], "got 1, 1, 1, 1, 1, -1"),
        (
            [1, 1, 1, 1, 1, None],
            r"the second die must be integers or fractions, got \[1, 1, 1, 1, 1, None\]",
        ),
    ],
)
def test_invalid_weights(weights: list[int], message: str) -> None:
    with pytest.raises(DiceWeightsError, match=message):
        biased_dice([1] * 6, weights)


@pytest.mark.parametrize(
    ("dice", "message"),
    [
        (FAIR_DICE[1:], "got 35 chances for 35 rolls"),
        ((*FAIR_DICE, FAIR_DICE[0]), "got 37 chances for 36 rolls"),
        (tuple((roll, Fraction(1, 35)) for roll in ROLLS), "got a sum of 36/35"),
    ],
)
def test_invalid_chances(dice: DiceChances, message: str) -> None:
    with pytest.raises(DiceWeightsError, match=message):
        check_dice(dice)


def test_chances_are_returned_in_the_order_of_the_rolls() -> None:
    assert check_dice(FAIR_DICE[::-1]) == FAIR_DICE


@pytest.mark.parametrize(("reads_faces", "count"), [(True, 21), (False, 11)])
def test_merged_chances_add_up(reads_faces: bool, count: int) -> None:
    merged = merge_equivalent_rolls(FAIR_DICE, reads_faces=reads_faces)
    assert len(merged) == count
    assert sum(chance for _, chance in merged) == 1


def test_rolls_that_cannot_happen_are_left_out() -> None:
    loaded = biased_dice([0, 0, 0, 0, 0, 1], [0, 0, 0, 0, 0, 1])
    assert merge_equivalent_rolls(loaded, reads_faces=True) == ((Roll(6, 6), Fraction(1)),)
