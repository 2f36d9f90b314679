"""Perft for craps: exact totals over every sequence of rolls from a position."""

from __future__ import annotations

from collections import Counter
from typing import NamedTuple

from trueodds.dice import ROLLS
from trueodds.table.dealer import Dealer
from trueodds.table.event import Rolled
from trueodds.table.position import Position
from trueodds.wagers import Result


class Perft(NamedTuple):
    """Totals over all 36^n sequences of n rolls without new bets.

    `paid_cents` is the sum of all payments. Settlements of wagers and of odds bets count alike. `positions` is the
    number of different positions at the end.
    """

    sequences: int
    paid_cents: int
    wins: int
    losses: int
    returned: int
    moves: int
    seven_outs: int
    positions: int


def perft(dealer: Dealer, position: Position, rolls: int) -> Perft:
    """Return the totals. Sequences that lead to the same position are merged."""
    reached: Counter[Position] = Counter({position: 1})
    cash = wins = losses = returned = moves = seven_outs = 0
    for depth in range(rolls):
        weight = 36 ** (rolls - depth - 1)
        following: Counter[Position] = Counter()
        for before, ways in reached.items():
            for roll in ROLLS:
                after, (event, *_) = dealer.roll(before, roll)
                following[after] += ways
                if not isinstance(event, Rolled):
                    continue
                results = Counter(one.settlement.result for one in event.settled)
                share = ways * weight
                cash += share * sum(one.settlement.paid_cents for one in event.settled)
                wins += share * results[Result.WIN]
                losses += share * results[Result.LOSE]
                returned += share * (results[Result.PUSH] + results[Result.RETURNED])
                moves += share * results[Result.MOVED]
                seven_outs += share * event.seven_out
        reached = following
    return Perft(reached.total(), cash, wins, losses, returned, moves, seven_outs, len(reached))
