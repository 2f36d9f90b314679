"""Closing out: what becomes of the open bets when a session ends, as an automaton.

The rule is that of the reference (`reference.py`): bets that the rules let the player take down come down, with any
vigorish that is refunded. The rest, the contract bets, are rolled without new bets, and winners come down.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from trueodds.automaton.array_types import Int64Array
from trueodds.automaton.automaton import Automaton
from trueodds.automaton.components import ComponentState
from trueodds.rulebook import Spot
from trueodds.strategy import DecisionStep, Play, PlayerView, Strategy, TakeDownBet, position_from_situation
from trueodds.strategy.conditions import Memory
from trueodds.strategy.decision import PLAYER
from trueodds.table import Situation, TakeDown
from trueodds.table.verify_change import verify_change
from trueodds.wager_odds.exact_odds import with_winners_down
from trueodds.wagers import TableRules


@dataclass(frozen=True, kw_only=True)
class TakeDownEverything(Play):
    """Take down every bet that may come down, on the spots of one component or on all spots."""

    spots: frozenset[Spot] | None

    def own_watched_spots(self, rules: TableRules) -> frozenset[Spot] | None:
        """Return the spots of the component."""
        return self.spots

    def steps(self, view: PlayerView, memory: Memory) -> Iterable[DecisionStep]:
        """Yield a take-down for every wager that may come down. For wagers that must stay, try their odds."""
        position = position_from_situation(Situation(view.puck, view.hand_stage, view.wagers))
        for entry in position.seats[0].wagers:
            if verify_change(view.rules, position, TakeDown(PLAYER, entry.tag)) is None:
                yield TakeDownBet(entry.wager)
                continue
            wager = entry.wager
            for bet, tag in zip(entry.wager.odds_bets, entry.odds_tags, strict=True):
                if verify_change(view.rules, position, TakeDown(PLAYER, tag)) is None:
                    yield TakeDownBet(wager, bet)
                    index = wager.odds_bets.index(bet)
                    wager = wager._replace(odds_bets=wager.odds_bets[:index] + wager.odds_bets[index + 1 :])


def closeout_automaton(automaton: Automaton, budget_bytes: int | None = None) -> Automaton:
    """Return the automaton that closes out sessions of another, without situations: `enter_closeout` adds them.

    Its memory budget is that of the other unless one is given.
    """
    plays = []
    for component in automaton.components:
        watched = [play.watched_spots(automaton.dealer.rules) for play in component.plays]
        known = [spots for spots in watched if spots is not None]
        plays.append(TakeDownEverything(spots=frozenset().union(*known) if len(known) == len(watched) else None))
    strategy = Strategy(tuple(plays), f"the end of {automaton.strategy.name}")
    house, budget_bytes = with_winners_down(automaton.house), budget_bytes or automaton.budget_bytes
    return Automaton(strategy, house, budget_bytes=budget_bytes)


def enter_closeout(closeout: Automaton, automaton: Automaton, before: Int64Array) -> Int64Array:
    """Return the closeout situations that correspond to situations before betting in which sessions end."""
    phases, states = automaton.component_states(before)
    closeout_phase = np.array([closeout.phases.index_of(*phase) for phase in automaton.phases.phases])
    closeout_states = np.empty_like(states)
    for index, (source, target) in enumerate(zip(automaton.components, closeout.components, strict=True)):
        used, inverse = np.unique(states[:, index], return_inverse=True)
        mapped = [target.index_of(ComponentState(source.states[state].wagers, (None,))) for state in used.tolist()]
        closeout_states[:, index] = np.array(mapped)[inverse]
    return closeout.add_situations(closeout_states, closeout_phase[phases])
