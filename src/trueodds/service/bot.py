"""A player that follows a strategy: it watches the table as everybody does, and wishes as everybody may."""

from __future__ import annotations

from typing import Any

from trueodds.journal import Content
from trueodds.strategy import Strategy, decide, outcome_of, remember
from trueodds.table import (
    AcceptDice,
    Action,
    Bet,
    CallWager,
    Dealer,
    DeclineDice,
    Position,
    Press,
    Reduce,
    Rolled,
    TakeDown,
)


class Bot:
    """One strategy in one seat, with its memory."""

    def __init__(self, strategy: Strategy, player: str) -> None:
        self.strategy = strategy
        self.player = player
        self._memory = strategy.start()

    def saw(self, content: Content) -> None:
        """Remember what happened."""
        if isinstance(content, Rolled):
            outcome = outcome_of(content, self.player)
            self._memory = remember(self.strategy, self._memory, outcome)

    def wishes(self, dealer: Dealer, position: Position, rack: int) -> list[dict[str, Any]]:
        """Say what to ask for before the next throw: all of a decision, or nothing if the rack does not cover it."""
        decision = decide(dealer, position, self.strategy.parts, self._memory, self.player, self.strategy.name)
        if rack < max(0, decision.cost):
            return []
        return [wish_of(action) for action in decision.actions]


def wish_of(action: Action) -> dict[str, Any]:
    """Say an action as a wish; the inverse of reading it.

    >>> wish_of(TakeDown("p1", "3"))
    {'wish': 'take_down', 'tag': '3'}
    """
    match action:
        case Bet():
            named = {"on": action.on, "tag": action.tag}
            told = {name: value for name, value in named.items() if value is not None}
            return {"wish": "bet", "spot": str(action.spot), "cents": int(action.stake), **told}
        case Press():
            return {"wish": "press", "tag": action.tag, "to": int(action.to)}
        case Reduce():
            return {"wish": "reduce", "tag": action.tag, "to": int(action.to)}
        case TakeDown():
            return {"wish": "take_down", "tag": action.tag}
        case CallWager():
            return {"wish": "call", "tag": action.tag, "call": action.call}
        case AcceptDice():
            return {"wish": "accept_dice"}
        case DeclineDice():
            return {"wish": "decline_dice"}
    raise TypeError(f"nobody wishes for {action!r}")
