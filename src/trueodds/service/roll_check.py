"""Whether somebody may throw, asked before the dice are."""

from __future__ import annotations

from trueodds.dice import Roll
from trueodds.table import Dealer, DeclineLine, NoRoll, Position, Throw


def why_no_throw(dealer: Dealer, position: Position, player: str) -> NoRoll | None:
    """Say why a player's throw would be called no roll; None when it would count. Which dice it is decides nothing."""
    _, events = dealer.act(position, Throw(Roll(1, 1), player))
    return next((event for event in events if isinstance(event, NoRoll)), None)


def with_dice(position: Position, player: str) -> Position:
    """Give a player the dice, to see what could be done with them."""
    custody = position.custody
    if custody is None:
        return position
    return position._replace(custody=custody._replace(shooter=player, offer_to=None))


def has_round_without_line(dealer: Dealer, position: Position, shooter: str) -> bool:
    """Tell whether a shooter who makes no line bet leads to the round that only decides come bets."""
    if dealer.verify(position, DeclineLine(shooter)) is not None:
        return False
    declined, _ = dealer.act(position, DeclineLine(shooter))
    return declined.custody is not None and declined.custody.puck_off
