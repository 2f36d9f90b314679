"""The exact length of a hand compared with brute force and with published figures."""

from __future__ import annotations

from fractions import Fraction
from itertools import islice, product

import pytest

from support.houses import BOOKS
from trueodds.craps_table import Table
from trueodds.dice import ROLLS
from trueodds.rulebook import House, Spot, load_book
from trueodds.table import Rolled
from trueodds.wager_odds import ShooterHand, biased_dice, wager_odds


@pytest.mark.parametrize("book", BOOKS)
def test_every_book_has_the_same_hand_length(book: str) -> None:
    summary = ShooterHand(House(load_book(book))).summary()
    assert summary.mean_rolls == Fraction(1671, 196), "8.526 rolls, as published by D. Catlin"
    assert summary.mean_points == Fraction(67, 98)


def test_a_hand_lasts_as_long_as_a_fire_bet() -> None:
    house = House(load_book("new_jersey"))
    assert ShooterHand(house).summary().mean_rolls == wager_odds(house, Spot("fire")).mean_rolls


def test_survival_chances_by_brute_force() -> None:
    """Roll every sequence of three rolls at a table and count the hands that are still going before each."""
    house = House(load_book("maryland"))
    start, alive = Table(house), [0, 0, 0, 0]
    for sequence in product(ROLLS, repeat=3):
        table = start.copy()
        alive[0] += 1
        for index, roll in enumerate(sequence):
            (event, *_) = table.roll(roll)
            assert isinstance(event, Rolled)
            if event.seven_out:
                break
            alive[index + 1] += 1
    survival = list(islice(ShooterHand(house).survival_chances(), 4))
    assert survival == [Fraction(count, 36**3) for count in alive]


def test_mean_rolls_and_mean_points_follow_from_the_chances() -> None:
    hand = ShooterHand(House(load_book("rws")))
    total = sum(islice(hand.survival_chances(), 600))
    assert abs(float(total - hand.summary().mean_rolls)) < 1e-12
    made = hand.points_made_chances(200)
    assert abs(float(sum(made)) - 1) < 1e-12
    mean = sum(count * chance for count, chance in enumerate(made))
    assert abs(float(mean - hand.summary().mean_points)) < 1e-12


def test_record_hand() -> None:
    """The hand of 154 rolls in Atlantic City in 2009 was widely reported as one chance in 5.6 billion."""
    chance = next(islice(ShooterHand(House(load_book("new_jersey"))).survival_chances(), 153, None))
    assert f"{float(1 / chance) / 1e9:.1f}" == "5.6"


def test_dice_without_a_seven_never_end_a_hand() -> None:
    hand = ShooterHand(House(load_book("rws")), biased_dice([1, 0, 0, 0, 0, 0], [1, 1, 1, 0, 0, 0]))
    assert next(islice(hand.survival_chances(), 50, None)) == 1
