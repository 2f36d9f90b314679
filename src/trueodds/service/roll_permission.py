"""Check whether a player may roll, before drawing the dice."""

from __future__ import annotations

from trueodds.dice import Roll
from trueodds.table import Dealer, DeclineLine, NoRoll, Position, RollDice


def no_roll_reason(dealer: Dealer, position: Position, player: str) -> NoRoll | None:
    """Return why a player's roll would be no roll, or None if it would count. The dice do not matter."""
    _, events = dealer.act(position, RollDice(Roll(1, 1), player))
    return next((event for event in events if isinstance(event, NoRoll)), None)


def give_dice(position: Position, player: str) -> Position:
    """Return a position in which a player has the dice."""
    custody = position.custody
    if custody is None:
        return position
    return position._replace(custody=custody._replace(shooter=player, offered_to=None))


def has_come_only_round(dealer: Dealer, position: Position, shooter: str) -> bool:
    """Return whether the book settles only come bets after the shooter declines to make a line bet."""
    if dealer.verify(position, DeclineLine(shooter)) is not None:
        return False
    declined, _ = dealer.act(position, DeclineLine(shooter))
    return declined.custody is not None and declined.custody.for_come_settlement
