"""A player that follows a strategy: it watches the table as everybody does, and wishes as everybody may.

Nothing here asks who runs it: a seat of the house and a client of the server play with the same bot.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from trueodds.journal import Content
from trueodds.service.shooter import has_round_without_line, why_no_throw
from trueodds.strategy import Strategy, decide, outcome_of, remember
from trueodds.table import (
    AcceptDice,
    Action,
    Bet,
    Called,
    CallWager,
    Changed,
    Dealer,
    DeclineDice,
    DeclineLine,
    DiceMoved,
    Made,
    PassDice,
    Position,
    Press,
    Reduce,
    Rolled,
    TakeDown,
)


@dataclass(frozen=True, slots=True)
class Bot:
    """One strategy in one seat: its memory, and where it is between two throws.

    `has_bet` says that its decision for the next throw is on the layout, `is_done` that it has nothing more to ask for
    there, `is_stuck` that it has the dice and can neither throw them nor give them on.
    """

    strategy: Strategy
    player: str
    memory: tuple[Any, ...]
    buy_in_cents: int
    has_bet: bool = False
    is_done: bool = False
    is_stuck: bool = False

    @classmethod
    def new(cls, strategy: Strategy, player: str, buy_in_cents: int) -> Bot:
        """Begin: nothing is remembered."""
        return cls(strategy, player, strategy.start(), buy_in_cents)

    def after(self, content: Content) -> Bot:
        """Take in what happened. A decision refused for want of a shooter is made again when the dice move."""
        match content:
            case Rolled():
                memory = remember(self.strategy, self.memory, outcome_of(content, self.player))
                return Bot(self.strategy, self.player, memory, self.buy_in_cents)
            case Made() | Changed() | Called() if content.player == self.player:
                return replace(self, has_bet=True, is_done=True)
            case DiceMoved():
                return replace(self, is_done=self.has_bet, is_stuck=False)
        return self

    def wishes(self, dealer: Dealer, position: Position, rack: int) -> list[dict[str, Any]]:
        """Say what to ask for before the next throw: all of a decision, or nothing if the rack does not cover it."""
        decision = decide(dealer, position, self.strategy.parts, self.memory, self.player, self.strategy.name)
        if rack < max(0, decision.cost):
            return []
        return [wish_of(action) for action in decision.actions]

    def is_broke(self, dealer: Dealer, position: Position, rack: int) -> bool:
        """Tell whether nothing is up and the next decision cannot be paid: this is ruin."""
        seat = position.seat_of(self.player)
        if seat is None or seat.entries:
            return False
        decision = decide(dealer, position, self.strategy.parts, self.memory, self.player, self.strategy.name)
        return rack < decision.cost

    def dice_wishes(self, dealer: Dealer, position: Position) -> list[dict[str, Any]]:
        """Say what to do with the dice, when all bets are made: one wish, or none if they are somebody else's.

        Dice that it could not throw are declined or given on: a strategy without a line bet is no shooter. Where come
        bets are up and the book decides them without a line bet, it says that it makes none, and throws if nobody else
        will. An offer for that round is for whoever has a line bet, and declined otherwise.
        """
        custody = position.custody
        if custody is not None and custody.offer_to == self.player:
            taken, _ = dealer.act(position, AcceptDice(self.player))
            throws = why_no_throw(dealer, taken, self.player) is None
            takes = throws or (not custody.puck_off and has_round_without_line(dealer, taken, self.player))
            return [{"wish": "accept_dice" if takes else "decline_dice"}]
        if custody is None or custody.shooter != self.player:
            return []
        if why_no_throw(dealer, position, self.player) is None:
            return [{"wish": "roll"}]
        has_round = has_round_without_line(dealer, position, self.player)
        return [{"wish": "decline_line" if has_round else "pass_dice"}]


_DICE = {
    AcceptDice: "accept_dice",
    DeclineDice: "decline_dice",
    PassDice: "pass_dice",
    DeclineLine: "decline_line",
}


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
        case AcceptDice() | DeclineDice() | PassDice() | DeclineLine():
            return {"wish": _DICE[type(action)]}
    raise TypeError(f"nobody wishes for {action!r}")
