"""A tryout: may a strategy play in a house at all? Asked before it gets a seat there."""

from __future__ import annotations

from collections import deque
from itertools import combinations_with_replacement
from typing import Final

from trueodds.dice import Roll
from trueodds.rulebook import House
from trueodds.strategy import Strategy, decide, lay_out, outcome_of, remember
from trueodds.strategy.play import PLAYER
from trueodds.table import Dealer, Position, Rolled, Seat, situation
from trueodds.wagers import Rules

PAIRS: Final = tuple(Roll(*faces) for faces in combinations_with_replacement(range(1, 7), 2))
SITUATIONS: Final = 40
"""How many situations are looked at. For every strategy of the library in every book, twenty tell as much as all."""


def try_out(strategy: Strategy, house: House) -> None:
    """Let a strategy decide in the situations it meets first; raises `StrategyError` where it is refused."""
    dealer = Dealer(Rules(house))
    for part in strategy.parts:
        part.check(dealer.rules)
    first = (situation(Position(seats=(Seat(PLAYER),)), PLAYER), strategy.start())
    met, known = deque([first]), {first}
    for _ in range(SITUATIONS):
        if not met:
            return
        seen, memory = met.popleft()
        decision = decide(dealer, lay_out(seen), strategy.parts, memory, name=strategy.name)
        for pair in PAIRS:
            position, (rolled, *_) = dealer.roll(decision.position, pair)
            if not isinstance(rolled, Rolled):
                continue
            after = (situation(position, PLAYER), remember(strategy, memory, outcome_of(rolled)))
            if after not in known:
                known.add(after)
                met.append(after)
