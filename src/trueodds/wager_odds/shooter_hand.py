"""The shooter's hand, exactly: how long it lasts, how many points it makes.

Only the puck matters for it, so an empty table is thrown at and asked where the puck is and whether the hand is over.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import NamedTuple

from trueodds.chain.absorbing import Edge, expectations, explore, second_moments
from trueodds.chain.odds import FAIR, Chances
from trueodds.rulebook import House
from trueodds.table import Dealer, Position
from trueodds.wagers import Phase, Rules


class HandOdds(NamedTuple):
    """Mean and variance of the throws of a hand, and the mean number of points it makes."""

    throws: Fraction
    variance: Fraction
    points: Fraction


class _Ways(NamedTuple):
    """Where one throw leads from where the puck is: the chance, the puck after it, a point made, the end."""

    chance: Fraction
    puck: Phase
    made: bool
    over: bool


class HandChain:
    """The puck under a house and some dice, as a chain."""

    def __init__(self, house: House, dice: Chances = FAIR) -> None:
        dealer = Dealer(Rules(house))
        self._ways: dict[Phase, tuple[_Ways, ...]] = {}
        todo: list[Phase] = [0]
        while todo:
            puck = todo.pop()
            if puck in self._ways:
                continue
            merged: dict[tuple[Phase, bool, bool], Fraction] = {}
            for roll, chance in dice:
                after, _ = dealer.roll(Position(puck, "under_way"), roll)
                over = after.hand == "new"
                key = (after.puck, bool(puck) and not after.puck and not over, over)
                merged[key] = merged.get(key, Fraction(0)) + chance
            self._ways[puck] = tuple(_Ways(chance, *key) for key, chance in merged.items() if chance)
            todo += [way.puck for way in self._ways[puck] if not way.over]

    def summary(self) -> HandOdds:
        """Solve for the mean, the variance and the points.

        >>> from trueodds.rulebook import load_book
        >>> HandChain(House(load_book("new_jersey"))).summary().throws
        Fraction(1671, 196)
        """
        rows = explore(
            0,
            lambda puck: [
                Edge(way.chance, (Fraction(1), Fraction(way.made)), None if way.over else way.puck)
                for way in self._ways[puck]
            ],
        )
        first = expectations(rows)
        throws, points = first[0]
        return HandOdds(throws, second_moments(rows, first, 0)[0] - throws**2, points)

    def lasting(self) -> Iterator[Fraction]:
        """Give the chances that a hand has at least 1, 2, 3, ... throws, without end."""
        here: dict[Phase, Fraction] = {0: Fraction(1)}
        while True:
            yield sum(here.values(), Fraction(0))
            following: dict[Phase, Fraction] = {}
            for puck, chance in here.items():
                for way in self._ways[puck]:
                    if not way.over:
                        following[way.puck] = following.get(way.puck, Fraction(0)) + chance * way.chance
            here = following

    def points_made(self, most: int) -> tuple[Fraction, ...]:
        """Give the chances of exactly 0, 1, ... points made, up to `most`, before the hand is over.

        From a come-out every hand is alike, so making one more point has the same chance each time.
        """
        rows = explore(
            0,
            lambda puck: [
                Edge(way.chance, (Fraction(way.made),), None if way.over or way.made else way.puck)
                for way in self._ways[puck]
            ],
        )
        again = expectations(rows)[0][0]
        return tuple(again**count * (1 - again) for count in range(most + 1))
