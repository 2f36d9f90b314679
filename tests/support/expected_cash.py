"""The exact expected payout of a wager, found by asking the dealer about every roll."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction

from trueodds.dice import ROLLS
from trueodds.table import Dealer
from trueodds.wager_odds.markov import Transition, expected_totals, explore
from trueodds.wagers import Phase, Wager

State = tuple[Phase, Wager]


def expected_cash(dealer: Dealer, wager: Wager, phase: Phase) -> Fraction:
    """Return the expected cents that a wager pays back until it is resolved."""

    def step(state: State) -> Iterable[Transition[State]]:
        puck, current = state
        for roll in ROLLS:
            settlements = dealer.settle(current, puck, roll)
            after, cash = settlements[0].wager_after, sum(settlement.paid_cents for settlement in settlements)
            next_puck = dealer.rules.puck_after(puck, roll.total)
            yield Transition(Fraction(1, 36), (Fraction(cash),), None if after is None else (next_puck, after))

    return expected_totals(explore((phase, wager), step))[phase, wager][0]
