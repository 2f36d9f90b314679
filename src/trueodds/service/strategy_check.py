"""Check that a house allows the bets of a strategy, before a bot gets a seat."""

from __future__ import annotations

from collections import deque
from itertools import combinations_with_replacement
from typing import Final

from trueodds.dice import Roll
from trueodds.rulebook import House
from trueodds.strategy import Strategy, decide, next_memories, outcome_from_event, position_from_situation
from trueodds.strategy.decision import PLAYER
from trueodds.table import CachedDealer, Position, Rolled, Seat, player_situation
from trueodds.wagers import TableRules

DICE_PAIRS: Final = tuple(Roll(*faces) for faces in combinations_with_replacement(range(1, 7), 2))
MAX_SITUATIONS: Final = 40
"""How many situations to try. For every built-in strategy in every book, twenty find as much as all."""


def check_strategy(strategy: Strategy, house: House) -> None:
    """Let a strategy decide in the first situations it meets. Raise `StrategyError` if a bet is refused."""
    dealer = CachedDealer(TableRules(house))
    for part in strategy.plays:
        part.validate(dealer.rules)
    first = (player_situation(Position(seats=(Seat(PLAYER),)), PLAYER), strategy.initial_memories())
    met, known = deque([first]), {first}
    for _ in range(MAX_SITUATIONS):
        if not met:
            return
        seen, memory = met.popleft()
        decision = decide(dealer, position_from_situation(seen), strategy.plays, memory, name=strategy.name)
        for pair in DICE_PAIRS:
            position, (rolled, *_) = dealer.roll(decision.position, pair)
            if not isinstance(rolled, Rolled):
                continue
            after = (player_situation(position, PLAYER), next_memories(strategy, memory, outcome_from_event(rolled)))
            if after not in known:
                known.add(after)
                met.append(after)
