"""Components: plays of a strategy that watch the same wagers, with every state they can be in.

Wagers settle one by one, and a play sees only the wagers that it watches, so components do not affect each other. A
situation is a phase and the number of a state for each component. The engine and the strategy are called once for each
state of a component, not once for each situation.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from trueodds.automaton.array_types import Int64Array
from trueodds.automaton.growable_array import GrowableArray
from trueodds.automaton.phase_table import PhaseTable
from trueodds.dice import Roll
from trueodds.rulebook import Spot
from trueodds.strategy import Play, Strategy, decide, make_outcome, position_from_situation
from trueodds.strategy.conditions import Memory
from trueodds.strategy.decision import PLAYER
from trueodds.strategy.player_view import spot_matches
from trueodds.table import Dealer, Situation, player_situation
from trueodds.wagers import Phase, Result, TableRules, Wager

DECIDED_RESULTS = (Result.WIN, Result.LOSE, Result.PUSH)
"""The results that count as action: the stake was at risk and the roll settled it."""

UNKNOWN = -1
"""The entry of a table that is not filled in yet."""


class ComponentState(NamedTuple):
    """The wagers of a component on the layout, and the memory of each of its plays."""

    wagers: tuple[Wager, ...]
    memories: tuple[Memory, ...]


class Component:
    """Some plays of a strategy at a table, with tables that grow as states are found.

    `after_betting` (a state) and `cost_cents` are indexed by phase and state. `settlement_row`, also indexed by phase
    and state, gives the row of `next`, `payout_cents` and `resolved_cents`, which have one column per roll.
    """

    def __init__(
        self, dealer: Dealer, plays: tuple[Play, ...], name: str, columns: tuple[Roll, ...], phases: PhaseTable
    ) -> None:
        self.plays = plays
        self.states: list[ComponentState] = []
        self._dealer = dealer
        self._name = name
        self._columns = columns
        self._phase_table = phases
        self._index: dict[ComponentState, int] = {}
        self._stakes_and_counts = GrowableArray(np.int64, 2)
        self._next, self._payout_cents, self._resolved_cents = (GrowableArray(np.int64, len(columns)) for _ in range(3))
        phase_count = len(phases.phases)
        self.after_betting: Int64Array = np.full((phase_count, 64), UNKNOWN)
        self.cost_cents: Int64Array = np.zeros((phase_count, 64), dtype=np.int64)
        self.settlement_row: Int64Array = np.full((phase_count, 64), UNKNOWN)
        self.start = self.index_of(ComponentState((), tuple(play.initial_memory() for play in plays)))

    def __repr__(self) -> str:
        return f"<Component of {self._name}: {len(self.plays)} plays, {len(self.states)} states>"

    def index_of(self, state: ComponentState) -> int:
        """Return the number of a state, and add the state if it is new."""
        index = self._index.get(state)
        if index is None:
            index = self._index[state] = len(self.states)
            self.states.append(state)
        return index

    @property
    def stakes_cents(self) -> Int64Array:
        """The stakes on the layout in each state."""
        return self._measured_states()[:, 0]

    @property
    def wager_counts(self) -> Int64Array:
        """The number of wagers on the layout in each state."""
        return self._measured_states()[:, 1]

    def _measured_states(self) -> Int64Array:
        """Return the stakes and the number of wagers of each state, measuring the states added since the last call."""
        new_states = self.states[len(self._stakes_and_counts.rows) :]
        if new_states:
            measures = [(sum(wager.total_stake for wager in state.wagers), len(state.wagers)) for state in new_states]
            self._stakes_and_counts.extend(np.array(measures, dtype=np.int64))
        return self._stakes_and_counts.rows

    def ensure_decided(self, phases: Int64Array, states: Int64Array) -> None:
        """Call the strategy for each of these phases and states in which its decision is not known yet."""
        self._grow_tables()
        missing = self.after_betting[phases, states] == UNKNOWN
        for phase, state in np.unique(np.stack((phases[missing], states[missing])), axis=1).T.tolist():
            puck, hand_stage = self._phase_table.phases[phase]
            wagers, memories = self.states[state]
            position = position_from_situation(Situation(puck, hand_stage, wagers))
            decision = decide(self._dealer, position, self.plays, memories, name=self._name)
            after = self.index_of(ComponentState(player_situation(decision.position, PLAYER).wagers, memories))
            self.after_betting[phase, state] = after
            self.cost_cents[phase, state] = decision.cost_cents
        self._grow_tables()

    def ensure_settled(self, phases: Int64Array, states: Int64Array) -> None:
        """Settle every roll in each of these phases and states that is not settled yet."""
        missing = self.settlement_row[phases, states] == UNKNOWN
        new_rows: list[tuple[list[int], list[int], list[int]]] = []
        row_count = len(self.next)
        for phase, state in np.unique(np.stack((phases[missing], states[missing])), axis=1).T.tolist():
            if self.settlement_row[phase, state] != UNKNOWN:
                continue
            wagers, memories = self.states[state]
            same_in_all_phases = not any(map(self._dealer.depends_on_puck, wagers)) and all(
                memory is None for memory in memories
            )
            self.settlement_row[slice(None) if same_in_all_phases else phase, state] = row_count + len(new_rows)
            new_rows.append(self._settle_state(self._phase_table.phases[phase][0], self.states[state]))
        if new_rows:
            tables = (self._next, self._payout_cents, self._resolved_cents)
            for table, rows in zip(tables, zip(*new_rows, strict=True), strict=True):
                table.extend(np.array(rows, dtype=np.int64))
        self._grow_tables()

    @property
    def next(self) -> Int64Array:
        """The state after each roll, by settlement row and column."""
        return self._next.rows

    @property
    def payout_cents(self) -> Int64Array:
        """The cents that each roll returns to the player, by settlement row and column."""
        return self._payout_cents.rows

    @property
    def resolved_cents(self) -> Int64Array:
        """The stakes that each roll wins, loses or pushes, by settlement row and column."""
        return self._resolved_cents.rows

    def _settle_state(self, puck: Phase, state: ComponentState) -> tuple[list[int], list[int], list[int]]:
        """Return the next state, the payout and the resolved stakes for each column."""
        next_states: list[int] = []
        payouts: list[int] = []
        resolved: list[int] = []
        rules, settle = self._dealer.rules, self._dealer.settle
        has_memory = any(memory is not None for memory in state.memories)
        for roll in self._columns:
            settlements = [settlement for wager in state.wagers for settlement in settle(wager, puck, roll)]
            wagers = tuple(sorted(each.wager_after for each in settlements if each.wager_after is not None))
            memories = state.memories
            if has_memory:
                outcome = make_outcome(
                    roll, puck, rules.puck_after(puck, roll.total), rules.is_seven_out(puck, roll.total), settlements
                )
                memories = tuple(
                    play.next_memory(memory, outcome) for play, memory in zip(self.plays, memories, strict=True)
                )
            next_states.append(self.index_of(ComponentState(wagers, memories)))
            payouts.append(sum(each.paid_cents for each in settlements))
            resolved.append(sum(each.stake_cents for each in settlements if each.result in DECIDED_RESULTS))
        return next_states, payouts, resolved

    def _grow_tables(self) -> None:
        """Widen the tables so that every state has a column."""
        width = self.after_betting.shape[1]
        if len(self.states) <= width:
            return
        padding = ((0, 0), (0, max(width, len(self.states) - width)))
        self.after_betting = np.pad(self.after_betting, padding, constant_values=UNKNOWN)
        self.settlement_row = np.pad(self.settlement_row, padding, constant_values=UNKNOWN)
        self.cost_cents = np.pad(self.cost_cents, padding)


def split_into_components(strategy: Strategy, rules: TableRules, max_components: int) -> list[tuple[Play, ...]]:
    """Split the plays of a strategy into at most `max_components` groups that watch different wagers."""
    groups: list[tuple[list[int], frozenset[Spot] | None]] = []
    for index, play in enumerate(strategy.plays):
        indices, watched = [index], play.watched_spots(rules)
        separate = []
        for other_indices, other_watched in groups:
            if _overlaps(watched, other_watched):
                indices += other_indices
                watched = _union(watched, other_watched)
            else:
                separate.append((other_indices, other_watched))
        groups = [*separate, (indices, watched)]
    while len(groups) > max_components:
        (first, first_watched), (second, second_watched), *rest = sorted(groups, key=lambda group: len(group[0]))
        groups = [*rest, (first + second, _union(first_watched, second_watched))]
    return [tuple(strategy.plays[index] for index in sorted(indices)) for indices, _ in sorted(groups)]


def _union(first: frozenset[Spot] | None, second: frozenset[Spot] | None) -> frozenset[Spot] | None:
    """Join two sets of watched spots. None stands for all spots."""
    return None if first is None or second is None else first | second


def _overlaps(first: frozenset[Spot] | None, second: frozenset[Spot] | None) -> bool:
    if first is None or second is None:
        return True
    return any(spot_matches(a, b) or spot_matches(b, a) for a in first for b in second)
