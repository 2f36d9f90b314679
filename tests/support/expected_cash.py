"""What a single wager brings back on average, found by asking the dealer about every throw and solving exactly."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction

from trueodds.chain.absorbing import Edge, expectations, explore
from trueodds.dice import ROLLS
from trueodds.table import Dealer
from trueodds.wagers import Phase, Wager

State = tuple[Phase, Wager]


def expectation(dealer: Dealer, wager: Wager, phase: Phase) -> Fraction:
    """Cash a wager brings back on average, from its making to its decision."""

    def step(state: State) -> Iterable[Edge[State]]:
        before, held = state
        for roll in ROLLS:
            rulings = dealer.settle(held, before, roll)
            after, cash = rulings[0].after, sum(ruling.cash for ruling in rulings)
            puck = dealer.rules.puck_after(before, roll.total)
            yield Edge(Fraction(1, 36), (Fraction(cash),), None if after is None else (puck, after))

    return expectations(explore((phase, wager), step))[phase, wager][0]
