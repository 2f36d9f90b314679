"""The dice drawn on a spot of the layout: its only winning pair, and its barred pairs."""

from __future__ import annotations

from typing import NamedTuple

from trueodds.dice import WEIGHTED_PAIRS, Roll
from trueodds.rulebook import Spot
from trueodds.table.dealer import Dealer
from trueodds.wagers import LineRule, Result, Wager


class DiceIcons(NamedTuple):
    """`wins` is the pair that wins, if there is exactly one. `barred` pairs push on the come-out roll."""

    wins: tuple[Roll, ...] = ()
    barred: tuple[Roll, ...] = ()


def dice_icons(dealer: Dealer, spot: Spot) -> DiceIcons:
    """Return the dice to draw on a spot. Odds bets and combination bets have none.

    >>> from trueodds.rulebook import House, load_book
    >>> from trueodds.wagers import TableRules
    >>> dealer = Dealer(TableRules(House(load_book("win_line"))))
    >>> dice_icons(dealer, Spot("dont_pass")).barred
    (Roll(1, 1),)
    """
    rule = dealer.rules.wager_rules.get(spot)
    if rule is None or rule.breakdown:
        return DiceIcons()
    wager = Wager(spot, rule.min_stake, "on" if rule.may_be_off else "")
    results = {roll: dealer.settle(wager, 0, roll)[0].result for roll, _ in WEIGHTED_PAIRS}
    wins = tuple(roll for roll, result in results.items() if result is Result.WIN)
    has_come_out = isinstance(rule, LineRule) and not spot.pick
    decided = {Result.WIN, Result.LOSE, Result.MOVED}
    points = dealer.rules.book.points
    barred = (roll for roll, result in results.items() if result not in decided and roll.total not in points)
    return DiceIcons(wins if len(wins) == 1 else (), tuple(barred) if has_come_out else ())
