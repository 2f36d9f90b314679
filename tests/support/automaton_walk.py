"""A plain walk over the arrays of an automaton with given dice, one session at a time."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from support.table_sessions import TableStops
from trueodds.automaton.automaton import Automaton
from trueodds.dice import Roll


def walk_automaton(
    automaton: Automaton, bankroll: int, dice: Iterator[Roll], rolls: int, stops: TableStops
) -> list[tuple[int, str, int]]:
    """Return, for every roll and for the end: the situation, why the session ended ("" if it did not), and the rack."""
    here, rack, shooters = int(automaton.start), bankroll, 0
    seen: list[tuple[int, str, int]] = []
    for _ in range(rolls):
        worth = rack + int(automaton.stakes_cents[here])
        if stops.shooters is not None and shooters >= stops.shooters:
            return [*seen, (here, "shooters", rack)]
        if stops.stop_loss_worth is not None and worth <= stops.stop_loss_worth:
            return [*seen, (here, "stop_loss", rack)]
        if stops.stop_win_worth is not None and worth >= stops.stop_win_worth:
            return [*seen, (here, "stop_win", rack)]
        cost = int(automaton.cost_cents[here])
        if rack >= max(0, cost):
            after, rack = int(automaton.after_betting[here]), rack - cost
        elif automaton.layout_empty[here]:
            return [*seen, (here, "ruin", rack)]
        else:
            automaton.add_skips(np.array([here]))
            after = int(automaton.after_skipping[here])
        seen.append((after, "", rack))
        column = automaton.column_of(next(dice))
        rack += int(automaton.payout_cents[after, column])
        here = int(automaton.next[after, column])
        shooters += bool(automaton.new_shooter[here])
    return [*seen, (here, "rolls", rack)]
