"""A player with a strategy at a table with scripted dice."""

from __future__ import annotations

from support.houses import default_house_dealer
from trueodds.dice import Roll
from trueodds.strategy import (
    Play,
    Strategy,
    decide,
    next_memories,
    outcome_from_event,
)
from trueodds.table import Dealer, Position, Rolled, Seat, player_situation

MARYLAND = default_house_dealer("maryland")


class ScriptedPlayer:
    """One player with a strategy at a table. The caller gives the dice."""

    def __init__(self, strategy: Strategy | Play, dealer: Dealer = MARYLAND) -> None:
        self.strategy = strategy if isinstance(strategy, Strategy) else Strategy((strategy,))
        self.dealer = dealer
        self.position = Position(seats=(Seat("player"),))
        self.memory = self.strategy.initial_memories()
        self.cost = 0
        self.has_decided = False

    def decide(self) -> list[str]:
        """Decide once before each roll, and return the bets that are up."""
        if self.has_decided:
            return self.bets_up
        self.has_decided = True
        decision = decide(self.dealer, self.position, self.strategy.plays, self.memory)
        self.position, self.cost = decision.position, decision.cost_cents
        return self.bets_up

    @property
    def bets_up(self) -> list[str]:
        return [
            f"{wager.spot} {wager.total_stake // 100}" + (f" {wager.call}" if wager.call else "")
            for wager in player_situation(self.position, "player").wagers
        ]

    def roll_and_decide(self, dice: str) -> list[str]:
        """Decide and roll for each pair of dice, then decide again, and return the bets that are up."""
        for text in dice.split():
            self.decide()
            self.has_decided = False
            self.position, (event, *_) = self.dealer.roll(self.position, Roll.parse(text))
            assert isinstance(event, Rolled)
            self.memory = next_memories(self.strategy, self.memory, outcome_from_event(event))
        return self.decide()
