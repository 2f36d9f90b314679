"""Rolls of two dice."""

from __future__ import annotations

import pickle
from collections import Counter

import pytest

from trueodds.dice import ROLLS, TOTALS, WEIGHTED_PAIRS, WEIGHTED_TOTALS, DiceError, Roll


def test_thirty_six_rolls_and_their_totals() -> None:
    assert len(set(ROLLS)) == 36
    assert Counter(roll.total for roll in ROLLS) == {total: 6 - abs(7 - total) for total in range(2, 13)}
    assert sum(roll.is_pair for roll in ROLLS) == 6


@pytest.mark.parametrize("roll", ROLLS)
def test_a_roll_is_read_back(roll: Roll) -> None:
    assert Roll.parse(str(roll)) == roll
    assert eval(repr(roll)) == roll  # noqa: S307  our own repr


@pytest.mark.parametrize("text", ["", "3", "3-", "-4", "0-4", "7-1", "3-4-5", "a-b", "3.0-4", "³-4", "33-4"])
def test_a_roll_that_cannot_be_read(text: str) -> None:
    with pytest.raises(DiceError):
        Roll.parse(text)


@pytest.mark.parametrize("faces", [(0, 1), (1, 7), (True, 1), (1.0, 2), ("1", 2), (None, 1)])
def test_a_roll_that_cannot_be_thrown(faces: tuple[int, int]) -> None:
    with pytest.raises(DiceError):
        Roll(*faces)


def test_weights_count_all_36_outcomes() -> None:
    assert dict(WEIGHTED_PAIRS) == {Roll(*pair): ways for pair, ways in Counter(roll.pair for roll in ROLLS).items()}
    assert {roll.total: ways for roll, ways in WEIGHTED_TOTALS} == Counter(roll.total for roll in ROLLS)
    assert [roll.total for roll, _ in WEIGHTED_TOTALS] == list(TOTALS)


def test_rolls_and_their_errors_pickle() -> None:
    roll = pickle.loads(pickle.dumps(Roll(3, 4)))  # noqa: S301  our own
    assert (roll, type(roll)) == (Roll(3, 4), Roll)
    error = pickle.loads(pickle.dumps(DiceError("a die must show 1 to 6, got 7")))  # noqa: S301  our own
    assert str(error) == "a die must show 1 to 6, got 7"
