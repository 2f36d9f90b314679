"""What becomes of the wagers that are up when a session is over.

Whatever the verifier lets the player take down comes down, at its stake and any vigorish that is refunded. The rest,
contract bets, is rolled out with no new bets, and winners come down.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np

from trueodds.chain.absorbing import Edge, components, solve_group
from trueodds.chain.automaton import Automaton
from trueodds.chain.group import Ints, State
from trueodds.chain.odds import winners_come_down
from trueodds.rulebook import Spot
from trueodds.strategy import Down, Part, Step, Strategy, View, lay_out
from trueodds.strategy.play import PLAYER
from trueodds.table import Situation, TakeDown
from trueodds.table.changes import verify_change
from trueodds.wagers import Rules


@dataclass(frozen=True, kw_only=True)
class CashOut(Part):
    """Take down whatever may come down, among the wagers that some parts touch."""

    mine: frozenset[Spot] | None

    def touched(self, rules: Rules) -> frozenset[Spot] | None:
        """Touch what those parts touch."""
        return self.mine

    def acts(self, view: View, memory: Any) -> Iterable[Step]:
        """Ask the verifier about every wager, and where a wager must stay about its odds."""
        position = lay_out(Situation(view.puck, view.hand, view.wagers))
        for entry in position.seats[0].entries:
            if verify_change(view.rules, position, TakeDown(PLAYER, entry.tag)) is None:
                yield Down(entry.wager)
                continue
            left = entry.wager
            for bet, tag in zip(entry.wager.odds, entry.odds_tags, strict=True):
                if verify_change(view.rules, position, TakeDown(PLAYER, tag)) is None:
                    yield Down(left, bet)
                    index = left.odds.index(bet)
                    left = left._replace(odds=left.odds[:index] + left.odds[index + 1 :])


def cash_out(automaton: Automaton) -> Automaton:
    """Compile what happens after the end of a session of a strategy; nothing is entered yet."""
    parts = []
    for group in automaton.groups:
        touched = [part.touches(automaton.dealer.rules) for part in group.parts]
        known = [one for one in touched if one is not None]
        parts.append(CashOut(mine=frozenset().union(*known) if len(known) == len(touched) else None))
    down = winners_come_down(automaton.house)
    return Automaton(Strategy(tuple(parts), f"the end of {automaton.strategy.name}"), down, budget=automaton.budget)


def enter(ends: Automaton, automaton: Automaton, before: Ints) -> Ints:
    """Number the situations in which sessions of an automaton end among those after the end."""
    phases, states = automaton.states_of(before)
    where = np.array([ends.phases.number(*phase) for phase in automaton.phases.all])
    here = np.empty_like(states)
    for index, (group, end_group) in enumerate(zip(automaton.groups, ends.groups, strict=True)):
        used, places = np.unique(states[:, index], return_inverse=True)
        mapped = [end_group.id_of(State(group.states[state].wagers, (None,))) for state in used.tolist()]
        here[:, index] = np.array(mapped)[places]
    return ends.enter(here, where[phases])


class Ending(NamedTuple):
    """How much comes back after the end, with what chance; and the stakes that are still decided, on average."""

    cash: dict[int, Fraction]
    action: Fraction


def exact_endings(ends: Automaton, ways: Ints, whole: int, before: Ints) -> list[Ending]:
    """Solve, in fractions, what comes back from situations after the end.

    Throws that decide nothing lead back to where one was, with the puck elsewhere at most, and move no money; so
    situations that lead back to each other are solved together, one unknown for each amount that can come back.
    """
    bare = np.zeros(len(ends.next), dtype=bool)
    bare[ends.after[ends.empty]] = True
    chance = [Fraction(int(one), whole) for one in ways.tolist()]
    rows: dict[int, list[tuple[Fraction, int, int, int]]] = {}
    todo = [int(ends.after[one]) for one in before.tolist()]
    while todo:
        a = todo.pop()
        if a in rows or bare[a]:
            continue
        rows[a] = []
        for column, weight in enumerate(chance):
            b = int(ends.next[a, column])
            then, cash = int(ends.after[b]), int(ends.cash[a, column]) - int(ends.cost[b])
            rows[a].append((weight, then, cash, int(ends.decided[a, column])))
            todo.append(then)
    graph = {a: [then for _, then, _, _ in edges if not bare[then]] for a, edges in rows.items()}
    known: dict[int, Ending] = {}
    for group in components(graph):
        known |= _solve(group, rows, known)
    nothing = Ending({0: Fraction(1)}, Fraction(0))
    found = []
    for one in before.tolist():
        ending, back = known.get(int(ends.after[one]), nothing), -int(ends.cost[one])
        found.append(Ending({cash + back: share for cash, share in ending.cash.items()}, ending.action))
    return found


def _solve(
    group: list[int], rows: dict[int, list[tuple[Fraction, int, int, int]]], known: dict[int, Ending]
) -> dict[int, Ending]:
    inside = set(group)
    leaving: dict[int, dict[int, Fraction]] = {}
    action: dict[int, Fraction] = {}
    for a in group:
        leaving[a] = defaultdict(Fraction)
        action[a] = Fraction(0)
        for weight, then, cash, decided in rows[a]:
            action[a] += weight * decided
            if then in inside:
                if cash:
                    raise ArithmeticError("money moved while nothing was decided")
                continue
            further = known.get(then)
            if further is not None:
                action[a] += weight * further.action
            for more, share in (further.cash if further else {0: Fraction(1)}).items():
                leaving[a][cash + more] += weight * share
    amounts = sorted({cash for one in leaving.values() for cash in one})
    edges = {a: tuple(Edge(weight, (), then) for weight, then, _, _ in rows[a] if then in inside) for a in group}
    gains = {a: (*(leaving[a][cash] for cash in amounts), action[a]) for a in group}
    solved = solve_group(group, edges, gains, {})
    return {
        a: Ending({cash: share for cash, share in zip(amounts, values, strict=False) if share}, values[-1])
        for a, values in solved.items()
    }
