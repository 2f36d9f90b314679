"""A group: the parts of a strategy that touch the same wagers, and every state they can be in.

Wagers settle one by one and a part sees only what it touches, so groups live side by side without knowing of each
other: what a throw or a decision does to a situation is what it does to each group. That is why a situation can be a
few small numbers, and why the engine and the strategy are asked once for each state of a group, not once for each
situation.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from trueodds.chain.growing import Growing
from trueodds.dice import Roll
from trueodds.rulebook import Spot
from trueodds.strategy import Part, Strategy, decide, lay_out, make_outcome
from trueodds.strategy.condition import Memory
from trueodds.strategy.play import PLAYER
from trueodds.strategy.view import matches
from trueodds.table import Dealer, Hand, Situation, situation
from trueodds.wagers import Phase, Result, Rules, Wager

Ints = npt.NDArray[np.int64]

DECIDED = (Result.WIN, Result.LOSE, Result.PUSH)
"""The results that count as action: the stake was at risk and the throw settled it."""

UNKNOWN = -1


class State(NamedTuple):
    """What a group has up and remembers."""

    wagers: tuple[Wager, ...]
    memories: tuple[Memory, ...]


class Phases:
    """Where the puck can be and how far the hand can have come, numbered, and where each throw leads.

    Settling reads the puck alone, so with the puck off the hand is forgotten once bets are made.
    """

    def __init__(
        self, dealer: Dealer, columns: tuple[Roll, ...], start: tuple[Phase, Hand], *, tells_seven: bool
    ) -> None:
        self.all: list[tuple[Phase, Hand]] = []
        self._tells_seven = tells_seven
        self._id: dict[tuple[Phase, Hand], int] = {}
        self.start = self._add(*start)
        rows: list[list[int]] = []
        while len(rows) < len(self.all):
            puck, hand = self.all[len(rows)]
            reached = [dealer.advance(Situation(puck, hand, ()), roll)[0] for roll in columns]
            rows.append([self._add(seen.puck, seen.hand) for seen in reached])
        self.next: Ints = np.array(rows, dtype=np.int64)
        off = self._id[0, "under_way"]
        after = [index if puck else off for index, (puck, _) in enumerate(self.all)]
        self.after_betting: Ints = np.array(after, dtype=np.int64)
        self.fresh = np.array([phase == (0, "new") for phase in self.all])

    def number(self, puck: Phase, hand: Hand) -> int:
        """Find a phase; one that is not told apart here is under way."""
        known = self._id.get((puck, hand))
        return self._id[puck, "under_way"] if known is None else known

    def _add(self, puck: Phase, hand: Hand) -> int:
        if hand == "seven" and not self._tells_seven:
            hand = "under_way"
        if (puck, hand) not in self._id:
            self._id[puck, hand] = len(self.all)
            self.all.append((puck, hand))
        return self._id[puck, hand]


class Group:
    """Some parts of a strategy under one dealer, with tables that grow as states are met.

    `after` and `cost` are indexed by phase and state; `row` by phase and state leads to `next`, `cash` and `decided`,
    which have a column for each throw.
    """

    def __init__(
        self, dealer: Dealer, parts: tuple[Part, ...], name: str, columns: tuple[Roll, ...], phases: Phases
    ) -> None:
        self.parts = parts
        self.states: list[State] = []
        self._dealer = dealer
        self._name = name
        self._columns = columns
        self._phases = phases
        self._ids: dict[State, int] = {}
        self._measures = Growing(np.int64, 2)
        self._next, self._cash, self._decided = (Growing(np.int64, len(columns)) for _ in range(3))
        count = len(phases.all)
        self.after: Ints = np.full((count, 64), UNKNOWN)
        self.cost: Ints = np.zeros((count, 64), dtype=np.int64)
        self.row: Ints = np.full((count, 64), UNKNOWN)
        self.start = self.id_of(State((), tuple(part.start() for part in parts)))

    def id_of(self, state: State) -> int:
        """Number a state."""
        known = self._ids.get(state)
        if known is None:
            known = self._ids[state] = len(self.states)
            self.states.append(state)
        return known

    @property
    def up(self) -> Ints:
        """What stands on the layout in each state, in cents."""
        return self._measured().rows[:, 0]

    @property
    def wagers_up(self) -> Ints:
        """How many wagers are up in each state."""
        return self._measured().rows[:, 1]

    def _measured(self) -> Growing:
        more = self.states[len(self._measures.rows) :]
        if more:
            measures = [(sum(wager.up for wager in state.wagers), len(state.wagers)) for state in more]
            self._measures.add(np.array(measures, dtype=np.int64))
        return self._measures

    def decide(self, phases: Ints, states: Ints) -> None:
        """Make sure that the decisions in these phases and states are known."""
        self._fit()
        wanted = self.after[phases, states] == UNKNOWN
        for phase, state in np.unique(np.stack((phases[wanted], states[wanted])), axis=1).T.tolist():
            puck, hand = self._phases.all[phase]
            wagers, memories = self.states[state]
            decision = decide(
                self._dealer, lay_out(Situation(puck, hand, wagers)), self.parts, memories, name=self._name
            )
            after = self.id_of(State(situation(decision.position, PLAYER).wagers, memories))
            self.after[phase, state] = after
            self.cost[phase, state] = decision.cost
        self._fit()

    def settle(self, phases: Ints, states: Ints) -> None:
        """Make sure that what every throw does in these phases and states is known."""
        wanted = self.row[phases, states] == UNKNOWN
        rows: list[tuple[list[int], list[int], list[int]]] = []
        known = len(self.next)
        for phase, state in np.unique(np.stack((phases[wanted], states[wanted])), axis=1).T.tolist():
            if self.row[phase, state] != UNKNOWN:
                continue
            wagers, memories = self.states[state]
            alike = not any(map(self._dealer.reads_puck, wagers)) and all(memory is None for memory in memories)
            self.row[slice(None) if alike else phase, state] = known + len(rows)
            rows.append(self._settle(self._phases.all[phase][0], self.states[state]))
        if rows:
            for kept, column in zip((self._next, self._cash, self._decided), zip(*rows, strict=True), strict=True):
                kept.add(np.array(column, dtype=np.int64))
        self._fit()

    @property
    def next(self) -> Ints:
        """The state after each throw, by row."""
        return self._next.rows

    @property
    def cash(self) -> Ints:
        """What each throw pays, by row."""
        return self._cash.rows

    @property
    def decided(self) -> Ints:
        """The stakes each throw decides, by row."""
        return self._decided.rows

    def _settle(self, puck: Phase, state: State) -> tuple[list[int], list[int], list[int]]:
        following: list[int] = []
        cash: list[int] = []
        decided: list[int] = []
        rules, settle = self._dealer.rules, self._dealer.settle
        remembers = any(memory is not None for memory in state.memories)
        for roll in self._columns:
            rulings = [ruling for wager in state.wagers for ruling in settle(wager, puck, roll)]
            left = tuple(sorted(ruling.after for ruling in rulings if ruling.after is not None))
            memories = state.memories
            if remembers:
                outcome = make_outcome(
                    roll, puck, rules.puck_after(puck, roll.total), rules.seven_out(puck, roll.total), rulings
                )
                memories = tuple(
                    part.remember(memory, outcome) for part, memory in zip(self.parts, memories, strict=True)
                )
            following.append(self.id_of(State(left, memories)))
            cash.append(sum(ruling.cash for ruling in rulings))
            decided.append(sum(ruling.stake for ruling in rulings if ruling.result in DECIDED))
        return following, cash, decided

    def _fit(self) -> None:
        """Grow the tables with the states."""
        have = self.after.shape[1]
        if len(self.states) <= have:
            return
        more = ((0, 0), (0, max(have, len(self.states) - have)))
        self.after = np.pad(self.after, more, constant_values=UNKNOWN)
        self.row = np.pad(self.row, more, constant_values=UNKNOWN)
        self.cost = np.pad(self.cost, more)


def partition(strategy: Strategy, rules: Rules, most: int) -> list[tuple[Part, ...]]:
    """Share the parts out into groups that touch different wagers, into no more than `most`."""
    groups: list[tuple[list[int], frozenset[Spot] | None]] = []
    for index, part in enumerate(strategy.parts):
        indices, touched = [index], part.touches(rules)
        apart = []
        for others, theirs in groups:
            if _overlap(touched, theirs):
                indices += others
                touched = None if touched is None or theirs is None else touched | theirs
            else:
                apart.append((others, theirs))
        groups = [*apart, (indices, touched)]
    while len(groups) > most:
        (first, one), (second, other), *rest = sorted(groups, key=lambda group: len(group[0]))
        groups = [*rest, (first + second, None if one is None or other is None else one | other)]
    return [tuple(strategy.parts[index] for index in sorted(indices)) for indices, _ in sorted(groups)]


def _overlap(one: frozenset[Spot] | None, other: frozenset[Spot] | None) -> bool:
    if one is None or other is None:
        return True
    return any(matches(a, b) or matches(b, a) for a in one for b in other)
