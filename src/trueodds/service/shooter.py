"""Whether somebody may throw, asked before the dice are."""

from __future__ import annotations

from trueodds.dice import Roll
from trueodds.table import Dealer, NoRoll, Position, Throw


def why_no_throw(dealer: Dealer, position: Position, player: str) -> NoRoll | None:
    """Say why a player's throw would be called no roll; None when it would count. Which dice it is decides nothing."""
    _, events = dealer.act(position, Throw(Roll(1, 1), player))
    return next((event for event in events if isinstance(event, NoRoll)), None)
