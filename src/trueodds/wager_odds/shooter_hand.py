"""Exact length of a shooter's hand and number of points made in it.

A hand depends only on the puck, so the engine rolls every roll at an empty table to see where the puck goes.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import NamedTuple

from trueodds.rulebook import House
from trueodds.table import CachedDealer, Position
from trueodds.wager_odds.dice_chances import FAIR_DICE, DiceChances
from trueodds.wager_odds.markov import Transition, expected_totals, explore, second_moments
from trueodds.wagers import Phase, TableRules


class HandSummary(NamedTuple):
    """The mean and variance of the number of rolls in a hand, and the mean number of points made."""

    mean_rolls: Fraction
    rolls_variance: Fraction
    mean_points: Fraction


class _PuckTransition(NamedTuple):
    """The chance that a roll moves the puck here, and whether it makes the point or ends the hand."""

    chance: Fraction
    puck: Phase
    point_made: bool
    seven_out: bool


class ShooterHand:
    """The movement of the puck during a hand, as a Markov chain."""

    def __init__(self, house: House, dice: DiceChances = FAIR_DICE) -> None:
        self._house = house
        self._transitions: dict[Phase, tuple[_PuckTransition, ...]] = {}
        dealer = CachedDealer(TableRules(house))
        todo: list[Phase] = [0]
        while todo:
            puck = todo.pop()
            if puck in self._transitions:
                continue
            chances: dict[tuple[Phase, bool, bool], Fraction] = {}
            for roll, chance in dice:
                after, _ = dealer.roll(Position(puck, "under_way"), roll)
                seven_out = after.hand_stage == "new"
                point_made = bool(puck) and not after.puck and not seven_out
                key = (after.puck, point_made, seven_out)
                chances[key] = chances.get(key, Fraction(0)) + chance
            self._transitions[puck] = tuple(_PuckTransition(chance, *key) for key, chance in chances.items() if chance)
            todo += [each.puck for each in self._transitions[puck] if not each.seven_out]

    def __repr__(self) -> str:
        return f"<ShooterHand in {self._house.book.id}>"

    def summary(self) -> HandSummary:
        """Return the mean and variance of the number of rolls, and the mean number of points made.

        >>> from trueodds.rulebook import load_book
        >>> ShooterHand(House(load_book("new_jersey"))).summary().mean_rolls
        Fraction(1671, 196)
        """
        chain = explore(
            0,
            lambda puck: [
                Transition(each.chance, (1, int(each.point_made)), None if each.seven_out else each.puck)
                for each in self._transitions[puck]
            ],
        )
        expected = expected_totals(chain)
        mean_rolls, mean_points = expected[0]
        return HandSummary(mean_rolls, second_moments(chain, expected, 0)[0] - mean_rolls**2, mean_points)

    def survival_chances(self) -> Iterator[Fraction]:
        """Yield the chance that a hand has at least 1, 2, 3, ... rolls, without end."""
        alive: dict[Phase, Fraction] = {0: Fraction(1)}
        while True:
            yield sum(alive.values(), Fraction(0))
            next_alive: dict[Phase, Fraction] = {}
            for puck, chance in alive.items():
                for each in self._transitions[puck]:
                    if not each.seven_out:
                        next_alive[each.puck] = next_alive.get(each.puck, Fraction(0)) + chance * each.chance
            alive = next_alive

    def points_made_chances(self, max_points: int) -> tuple[Fraction, ...]:
        """Return the chances that a hand makes exactly 0, 1, ... `max_points` points.

        The hand starts over at each come-out, so the chance of making one more point is always the same.
        """
        chain = explore(
            0,
            lambda puck: [
                Transition(
                    each.chance, (int(each.point_made),), None if each.seven_out or each.point_made else each.puck
                )
                for each in self._transitions[puck]
            ],
        )
        one_more = expected_totals(chain)[0][0]
        return tuple(one_more**count * (1 - one_more) for count in range(max_points + 1))
