"""A player that follows a strategy: it observes events and sends commands like any player.

The bots of the service and the clients of the server use the same class.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from trueodds.journal import AnyEvent
from trueodds.journal.canonical_json import Json
from trueodds.service.roll_permission import has_come_only_round, no_roll_reason
from trueodds.strategy import Strategy, decide, next_memories, outcome_from_event
from trueodds.strategy.conditions import Memory
from trueodds.table import (
    AcceptDice,
    Action,
    Bet,
    BetMade,
    BetResized,
    BetToggled,
    CustodyChanged,
    Dealer,
    DeclineDice,
    DeclineLine,
    PassDice,
    Position,
    Press,
    Reduce,
    Rolled,
    TakeDown,
    ToggleBet,
)


@dataclass(frozen=True, slots=True)
class Bot:
    """A strategy in a seat: its memory, and what it did since the last roll.

    `has_bet` means that its bets for the next roll are made, `has_decided` that it has no more commands before it, and
    `is_stuck` that it has the dice and can neither roll nor pass them.
    """

    strategy: Strategy
    player: str
    memory: tuple[Memory, ...]
    buy_in_cents: int
    has_bet: bool = False
    has_decided: bool = False
    is_stuck: bool = False

    @classmethod
    def new(cls, strategy: Strategy, player: str, buy_in_cents: int) -> Bot:
        """Return a bot with the initial memory of its strategy."""
        return cls(strategy, player, strategy.initial_memories(), buy_in_cents)

    def after_event(self, event: AnyEvent) -> Bot:
        """Return the bot after an event. It decides again when the dice move, if its bets were refused before."""
        match event:
            case Rolled():
                memory = next_memories(self.strategy, self.memory, outcome_from_event(event, self.player))
                return Bot(self.strategy, self.player, memory, self.buy_in_cents)
            case BetMade() | BetResized() | BetToggled() if event.player == self.player:
                return replace(self, has_bet=True, has_decided=True)
            case CustodyChanged():
                return replace(self, has_decided=self.has_bet, is_stuck=False)
        return self

    def bet_commands(self, dealer: Dealer, position: Position, rack_cents: int) -> list[dict[str, Json]]:
        """Return the bets to make before the next roll, or none if the rack cannot pay for all of them."""
        decision = decide(dealer, position, self.strategy.plays, self.memory, self.player, self.strategy.name)
        if rack_cents < max(0, decision.cost_cents):
            return []
        return [command_from_action(action) for action in decision.actions]

    def is_broke(self, dealer: Dealer, position: Position, rack_cents: int) -> bool:
        """Return whether the bot has no bets up and cannot pay for the next ones."""
        seat = position.find_seat(self.player)
        if seat is None or seat.wagers:
            return False
        decision = decide(dealer, position, self.strategy.plays, self.memory, self.player, self.strategy.name)
        return rack_cents < decision.cost_cents

    def dice_commands(self, dealer: Dealer, position: Position) -> list[dict[str, Json]]:
        """Return what to do with the dice once all bets are made: one command, or none if another player has them.

        A bot that may not roll declines or passes the dice. If it has come bets and the book settles those without a
        line bet, it declines the line and rolls if no other player will. It accepts dice offered for that settlement
        only with a line bet.
        """
        custody = position.custody
        if custody is not None and custody.offered_to == self.player:
            accepted, _ = dealer.act(position, AcceptDice(self.player))
            may_roll = no_roll_reason(dealer, accepted, self.player) is None
            accepts = may_roll or (
                not custody.for_come_settlement and has_come_only_round(dealer, accepted, self.player)
            )
            return [{"command": "accept_dice" if accepts else "decline_dice"}]
        if custody is None or custody.shooter != self.player:
            return []
        if no_roll_reason(dealer, position, self.player) is None:
            return [{"command": "roll"}]
        has_round = has_come_only_round(dealer, position, self.player)
        return [{"command": "decline_line" if has_round else "pass_dice"}]


_DICE_COMMANDS = {
    AcceptDice: "accept_dice",
    DeclineDice: "decline_dice",
    PassDice: "pass_dice",
    DeclineLine: "decline_line",
}


def command_from_action(action: Action) -> dict[str, Json]:
    """Return the command for an action; the inverse of `parse_command`.

    >>> command_from_action(TakeDown("p1", "3"))
    {'command': 'take_down', 'tag': '3'}
    """
    match action:
        case Bet():
            tags = {"base_tag": action.base_tag, "tag": action.tag}
            optional = {name: value for name, value in tags.items() if value is not None}
            return {"command": "bet", "spot": str(action.spot), "stake_cents": int(action.stake_cents), **optional}
        case Press():
            return {"command": "press", "tag": action.tag, "new_stake_cents": int(action.new_stake_cents)}
        case Reduce():
            return {"command": "reduce", "tag": action.tag, "new_stake_cents": int(action.new_stake_cents)}
        case TakeDown():
            return {"command": "take_down", "tag": action.tag}
        case ToggleBet():
            return {"command": "call", "tag": action.tag, "call": action.call}
        case AcceptDice() | DeclineDice() | PassDice() | DeclineLine():
            return {"command": _DICE_COMMANDS[type(action)]}
    raise TypeError(f"no command for {action!r}")
