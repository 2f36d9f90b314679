"""Roll-perft: exact totals over every sequence of throws from a position, to compare engines with."""

from __future__ import annotations

from collections import Counter
from typing import NamedTuple

from trueodds.dice import ROLLS
from trueodds.table.dealer import Dealer
from trueodds.table.event import Rolled
from trueodds.table.position import Position
from trueodds.wagers import Result


class Perft(NamedTuple):
    """Totals over all 36^n sequences of n throws without a bet in between.

    `cash` is what is paid out over all of them, the counts are of rulings on flat bets and odds alike, and
    `positions` is how many different positions they end in.
    """

    sequences: int
    cash: int
    wins: int
    losses: int
    returned: int
    moves: int
    seven_outs: int
    positions: int


def perft(dealer: Dealer, position: Position, throws: int) -> Perft:
    """Count every sequence; sequences that meet in a position go on as one."""
    reached: Counter[Position] = Counter({position: 1})
    cash = wins = losses = returned = moves = seven_outs = 0
    for depth in range(throws):
        weight = 36 ** (throws - depth - 1)
        following: Counter[Position] = Counter()
        for before, ways in reached.items():
            for roll in ROLLS:
                after, (event, *_) = dealer.roll(before, roll)
                following[after] += ways
                if not isinstance(event, Rolled):
                    continue
                results = Counter(one.ruling.result for one in event.settled)
                share = ways * weight
                cash += share * sum(one.ruling.cash for one in event.settled)
                wins += share * results[Result.WIN]
                losses += share * results[Result.LOSE]
                returned += share * (results[Result.PUSH] + results[Result.RETURNED])
                moves += share * results[Result.MOVED]
                seven_outs += share * event.seven_out
        reached = following
    return Perft(reached.total(), cash, wins, losses, returned, moves, seven_outs, len(reached))
