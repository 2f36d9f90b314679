"""The grid of a session: classes of equivalent situations, and racks in whole steps from the bankroll.

The float and the exact distribution both move probability over this grid. A grid is a translation of the reference
(`reference.py`) into arrays: it holds, for each situation before betting, which racks stop, bet, skip or are ruined.

Only money that moves decides the step of the grid: it is the greatest common divisor of all costs and payouts. Racks
are counted in steps from the bankroll, so the bankroll itself may be any amount.
"""

from __future__ import annotations

from fractions import Fraction
from math import gcd, lcm
from typing import Final, NamedTuple

import numpy as np

from trueodds.automaton.array_types import Int64Array
from trueodds.automaton.automaton import Automaton
from trueodds.automaton.components import UNKNOWN
from trueodds.sessions.equivalent_situations import (
    RollEdges,
    SituationGraph,
    equivalent_situations,
    merge_rolls,
)
from trueodds.sessions.reachable_situations import ReachableRacks
from trueodds.sessions.session_limits import SessionLimits
from trueodds.wager_odds.dice_chances import DiceChances, merge_equivalent_rolls

UNREACHABLE_RACK: Final = 1 << 60
"""A rack no player has: it stands for a limit that is not set."""

EDGE_BYTES: Final = 90
"""About how much memory merging takes for each roll in a situation after betting, while it lasts."""


class SessionGrid(NamedTuple):
    """The arrays of a grid. A rack is a number of steps of `step_cents` from the bankroll, and may be negative.

    For each class of situations before betting: a rack of at least `stop_win_rack` or at most `stop_loss_rack` ends the
    session. Of the other racks, those of at least `required_rack` bet: they move to the class `after` and pay `cost`
    steps. The rest skip and move to `after_skipping`; where that is UNKNOWN they are ruined. `after` is UNKNOWN in
    situations that only the last roll leads to. `new_shooter` marks classes where a new shooter starts, if shooters are
    limited, and `closeout` has the class in which closing out starts. Each edge has `ways` chances out of
    `total_ways`, and `resolved_ways` is the sum of the stakes in cents that all ways resolve after betting.
    """

    step_cents: int
    total_ways: int
    start: int
    after: Int64Array
    after_skipping: Int64Array
    cost: Int64Array
    required_rack: Int64Array
    stop_win_rack: Int64Array
    stop_loss_rack: Int64Array
    new_shooter: Int64Array
    closeout: Int64Array
    resolved_ways: Int64Array
    edges: RollEdges


def roll_ways(automaton: Automaton, dice: DiceChances) -> tuple[Int64Array, int]:
    """Return the ways of each column of the automaton, and the total number of equally likely ways."""
    chance_by_roll = dict(merge_equivalent_rolls(dice, reads_faces=automaton.reads_faces))
    chances = [chance_by_roll.get(roll, Fraction(0)) for roll in automaton.columns]
    total_ways = lcm(*(chance.denominator for chance in chances))
    dtype = np.int64 if total_ways < UNREACHABLE_RACK else object
    return np.array([int(chance * total_ways) for chance in chances], dtype=dtype), total_ways


def resolved_ways(automaton: Automaton, ways: Int64Array) -> Int64Array:
    """Return the sum over all ways of the stakes that a roll resolves in each situation after betting, in cents."""
    fits = int(automaton.resolved_cents.max()) * sum(ways.tolist()) < UNREACHABLE_RACK
    total: Int64Array = automaton.resolved_cents @ (ways if fits else ways.astype(object))
    return total


def build_grid(
    automaton: Automaton, racks: ReachableRacks, limits: SessionLimits, dice: DiceChances, closeout: Int64Array
) -> SessionGrid:
    """Return the grid of a session. `closeout` has the class in which each situation before betting closes out."""
    ways, total_ways = roll_ways(automaton, dice)
    movements = (automaton.cost_cents, automaton.payout_cents.ravel())
    step_cents = gcd(*(int(np.gcd.reduce(amounts)) for amounts in movements)) or 1
    bankroll, stakes = limits.bankroll_cents, automaton.stakes_cents
    count = len(automaton.after_betting)
    stop_win: Int64Array = np.full(count, UNREACHABLE_RACK)
    stop_loss = -stop_win
    if limits.stop_win_worth_cents is not None:
        stop_win = -((bankroll + stakes - limits.stop_win_worth_cents) // step_cents)
    if limits.stop_loss_worth_cents is not None:
        stop_loss = (limits.stop_loss_worth_cents - stakes - bankroll) // step_cents
    required: Int64Array = np.full(count, -UNREACHABLE_RACK)
    skips = racks.needs_skip
    required[skips] = -((bankroll - automaton.cost_cents[skips]) // step_cents)
    before = (
        automaton.cost_cents // step_cents,
        required,
        stop_win,
        stop_loss,
        automaton.new_shooter.astype(np.int64) * (limits.shooters is not None),
        closeout,
    )
    decisions = (automaton.after_betting.astype(np.int64), automaton.after_skipping.astype(np.int64))
    resolved = resolved_ways(automaton, ways)
    edges = merge_rolls(automaton.next, automaton.payout_cents // step_cents, ways)
    class_before, class_after, class_edges = equivalent_situations(
        SituationGraph(before, decisions, (resolved,), edges)
    )
    members = class_before.members
    after_class = np.append(class_after.class_of, UNKNOWN)
    cost, required, stop_win, stop_loss, new_shooter, closeout = (column[members] for column in before)
    return SessionGrid(
        step_cents=step_cents,
        total_ways=total_ways,
        start=int(class_before.class_of[automaton.start]),
        after=after_class[decisions[0][members]],
        after_skipping=after_class[decisions[1][members]],
        cost=cost,
        required_rack=required,
        stop_win_rack=stop_win,
        stop_loss_rack=stop_loss,
        new_shooter=new_shooter,
        closeout=closeout,
        resolved_ways=resolved[class_after.members],
        edges=class_edges,
    )
