"""Closing out: what becomes of the open bets when a session ends, as an automaton and in exact fractions.

The rule is that of the reference (`reference.py`): bets that the rules let the player take down come down, with any
vigorish that is refunded. The rest, the contract bets, are rolled without new bets, and winners come down.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from typing import NamedTuple

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
from trueodds.wager_odds.markov import Transition, solve_component, strongly_connected_components
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


def closeout_automaton(automaton: Automaton) -> Automaton:
    """Return the automaton that closes out sessions of another, without situations: `enter_closeout` adds them."""
    plays = []
    for component in automaton.components:
        watched = [play.watched_spots(automaton.dealer.rules) for play in component.plays]
        known = [spots for spots in watched if spots is not None]
        plays.append(TakeDownEverything(spots=frozenset().union(*known) if len(known) == len(watched) else None))
    strategy = Strategy(tuple(plays), f"the end of {automaton.strategy.name}")
    return Automaton(strategy, with_winners_down(automaton.house), budget_bytes=automaton.budget_bytes)


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


class CloseoutResult(NamedTuple):
    """The chance of each amount that closing out returns, and the mean stakes that it resolves."""

    chance_by_cents: dict[int, Fraction]
    mean_action_cents: Fraction


class _CloseoutEdge(NamedTuple):
    """A roll during closing out: its chance, the situation after betting that follows, and the money moved."""

    chance: Fraction
    target: int
    cash_cents: int
    resolved_cents: int


def exact_closeouts(closeout: Automaton, ways: Int64Array, total_ways: int, before: Int64Array) -> list[CloseoutResult]:
    """Return the exact result of closing out each of some situations before betting.

    Rolls that decide nothing lead back to the same bets, at most with the puck elsewhere, and move no money. Situations
    that lead back to each other are therefore solved together, with one unknown for each amount that can be returned.
    """
    is_empty = np.zeros(len(closeout.next), dtype=bool)
    is_empty[closeout.after_betting[closeout.layout_empty]] = True
    chances = [Fraction(int(count), total_ways) for count in ways.tolist()]
    edges: dict[int, list[_CloseoutEdge]] = {}
    pending = closeout.after_betting[before].tolist()
    while pending:
        after = pending.pop()
        if after in edges or is_empty[after]:
            continue
        edges[after] = []
        for column, chance in enumerate(chances):
            rolled = int(closeout.next[after, column])
            target = int(closeout.after_betting[rolled])
            cash = int(closeout.payout_cents[after, column]) - int(closeout.cost_cents[rolled])
            edges[after].append(_CloseoutEdge(chance, target, cash, int(closeout.resolved_cents[after, column])))
            pending.append(target)
    graph = {after: [edge.target for edge in leaving if not is_empty[edge.target]] for after, leaving in edges.items()}
    known: dict[int, CloseoutResult] = {}
    for component in strongly_connected_components(graph):
        known |= _solve_component(component, edges, known)
    nothing_open = CloseoutResult({0: Fraction(1)}, Fraction(0))
    results = []
    for situation in before.tolist():
        result = known.get(int(closeout.after_betting[situation]), nothing_open)
        taken_down = -int(closeout.cost_cents[situation])
        chance_by_cents = {cash + taken_down: chance for cash, chance in result.chance_by_cents.items()}
        results.append(CloseoutResult(chance_by_cents, result.mean_action_cents))
    return results


def _solve_component(
    component: list[int], edges: dict[int, list[_CloseoutEdge]], known: dict[int, CloseoutResult]
) -> dict[int, CloseoutResult]:
    """Solve situations that lead back to each other. Everything they lead to outside is known."""
    inside = set(component)
    leaving: dict[int, dict[int, Fraction]] = {}
    action: dict[int, Fraction] = {}
    for after in component:
        leaving[after] = defaultdict(Fraction)
        action[after] = Fraction(0)
        for edge in edges[after]:
            action[after] += edge.chance * edge.resolved_cents
            if edge.target in inside:
                if edge.cash_cents:
                    raise ArithmeticError(f"a roll that decided nothing moved {edge.cash_cents} cents")
                continue
            further = known.get(edge.target)
            if further is not None:
                action[after] += edge.chance * further.mean_action_cents
            for cash, chance in (further.chance_by_cents if further else {0: Fraction(1)}).items():
                leaving[after][edge.cash_cents + cash] += edge.chance * chance
    amounts = sorted({cash for chances in leaving.values() for cash in chances})
    transitions = {
        after: tuple(Transition(edge.chance, (), edge.target) for edge in edges[after] if edge.target in inside)
        for after in component
    }
    gains = {after: (*(leaving[after][cash] for cash in amounts), action[after]) for after in component}
    solved = solve_component(component, transitions, gains, {})
    return {
        after: CloseoutResult(
            {cash: chance for cash, chance in zip(amounts, values, strict=False) if chance}, values[-1]
        )
        for after, values in solved.items()
    }
