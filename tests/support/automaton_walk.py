"""Walking an automaton's arrays with given dice, one session at a time, as plainly as can be."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from engine_sessions import Stops
from trueodds.chain.automaton import Automaton
from trueodds.dice import Roll


def column_of(automaton: Automaton, roll: Roll) -> int:
    """Which of the throws that are told apart this is."""
    pairs = len(automaton.columns) > 11
    return next(
        index
        for index, one in enumerate(automaton.columns)
        if (one.pair == roll.pair if pairs else one.total == roll.total)
    )


def walk(
    automaton: Automaton, bankroll: int, dice: Iterator[Roll], rolls: int, stops: Stops
) -> list[tuple[int, str, int]]:
    """Give, for every throw and the end: the situation before it was bet in, why it was over, and the rack then."""
    here, rack, shooters = int(automaton.start), bankroll, 0
    seen: list[tuple[int, str, int]] = []
    for _ in range(rolls):
        worth = rack + int(automaton.up[here])
        if stops.shooters is not None and shooters >= stops.shooters:
            return [*seen, (here, "shooters", rack)]
        if stops.at_most is not None and worth <= stops.at_most:
            return [*seen, (here, "stop_loss", rack)]
        if stops.at_least is not None and worth >= stops.at_least:
            return [*seen, (here, "stop_win", rack)]
        cost = int(automaton.cost[here])
        if rack >= max(0, cost):
            after, rack = int(automaton.after[here]), rack - cost
        elif automaton.empty[here]:
            return [*seen, (here, "ruin", rack)]
        else:
            automaton.let_run(np.array([here]))
            after = int(automaton.short[here])
        seen.append((after, "", rack))
        column = column_of(automaton, next(dice))
        rack += int(automaton.cash[after, column])
        here = int(automaton.next[after, column])
        shooters += bool(automaton.fresh[here])
    return [*seen, (here, "rolls", rack)]
