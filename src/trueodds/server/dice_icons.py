"""The dice that are drawn on a felt: the one pair a spot wins on, and the pairs that are barred."""

from __future__ import annotations

from typing import NamedTuple

from trueodds.dice import BY_PAIR, Roll
from trueodds.rulebook import Spot
from trueodds.table.dealer import Dealer
from trueodds.wagers import LineRule, Result, Wager


class Faces(NamedTuple):
    """`wins` is the only pair that wins at once, if there is only one; `bar` decides nothing on the come-out."""

    wins: tuple[Roll, ...] = ()
    bar: tuple[Roll, ...] = ()


def faces(dealer: Dealer, spot: Spot) -> Faces:
    """Ask the dealer about every pair. Odds and what the dealer splits have no dice of their own.

    >>> from trueodds.rulebook import House, load_book
    >>> from trueodds.wagers import Rules
    >>> dealer = Dealer(Rules(House(load_book("win_line"))))
    >>> faces(dealer, Spot("dont_pass")).bar
    (Roll(1, 1),)
    """
    rule = dealer.rules.spots.get(spot)
    if rule is None or rule.breakdown:
        return Faces()
    wager = Wager(spot, rule.least, "on" if rule.may_be_off else "")
    found = {roll: dealer.settle(wager, 0, roll)[0].result for roll, _ in BY_PAIR}
    wins = tuple(roll for roll, result in found.items() if result is Result.WIN)
    begins = isinstance(rule, LineRule) and not spot.pick
    decided = {Result.WIN, Result.LOSE, Result.MOVED}
    points = dealer.rules.book.points
    bar = (roll for roll, result in found.items() if result not in decided and roll.total not in points)
    return Faces(wins if len(wins) == 1 else (), tuple(bar) if begins else ())
