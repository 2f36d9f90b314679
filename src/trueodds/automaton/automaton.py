"""The automaton: a strategy at a table, compiled into flat arrays by asking the engine.

    situation after betting  --throw-->  money back + situation before betting  --strategy-->  ...

Situations are numbered. One after betting has, for every throw that can be told apart, the situation it leads to and
the cents that come back. One before betting has what the strategy's decision costs and the situation it leads to.
Situations in which a player is short of money and lets what is up run are added when they are asked for.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final, Literal

import numpy as np
import numpy.typing as npt

from trueodds.chain.errors import ChainTooLargeError
from trueodds.chain.group import UNKNOWN, Group, Ints, Phases, State, partition
from trueodds.chain.growing import Growing
from trueodds.dice import BY_PAIR, BY_TOTAL, Roll
from trueodds.notation import write_position
from trueodds.rulebook import House
from trueodds.strategy import Part, Strategy, StrategyRefusedError, lay_out
from trueodds.table import Dealer, Situation
from trueodds.wagers import Rule, Rules

Numbers = npt.NDArray[np.integer[Any]]

GROUPS_MOST: Final = 4
KEY_BITS: Final = 62
BLOCK: Final = 1 << 14
"""How many situations are looked at together: enough to be quick, few enough to stay within the budget."""

REACH: Final = 1 << 12
"""How many situations are looked at beyond one that a walk asks for."""

BUDGET: Final = 1 << 30
"""How many bytes an automaton may take unless somebody says otherwise."""

INDEX_BYTES: Final = 140
"""What a situation takes besides the arrays while more are being looked for: its key and its place in the index."""

STATE_BYTES: Final = 1600
"""What a state of a group takes: its wagers, its memory, and its rows of the tables."""


class _Crowded(Exception):  # noqa: N818  a reason to begin again, never seen outside
    """More states in a group than its share of a key can number."""


class Automaton:
    """A strategy at a house's table as flat arrays.

    Before betting, by situation: `cost` (cents, negative when money comes back), `after`, `short` (-1 until it is asked
    for), `up` (stakes on the layout), `empty`, `fresh` (a new shooter). After betting, by situation: `up_after`; and by
    situation and column: `next`, `cash`, `decided` (stakes the throw won, lost or pushed). `columns` are the throws
    told apart, `ways` how many of the 36 each stands for.

    >>> from trueodds.rulebook import load_book
    >>> from trueodds.strategy import named_strategy
    >>> line = Automaton(named_strategy("pass"), House(load_book("new_jersey")))
    >>> line.next.shape[0], int(line.cost[line.start])
    (7, 1000)
    """

    def __init__(
        self,
        strategy: Strategy | Part,
        house: House,
        *,
        budget: int = BUDGET,
        lazy: bool = False,
        start: Situation | None = None,
        found: Callable[[int], None] = lambda _count: None,
    ) -> None:
        """Compile; `found` is told how many situations there are so far.

        A lazy automaton stops looking when a quarter of the budget is spent: where `after` is -1 nothing was decided
        yet, and `reach` goes on from there.
        """
        self.strategy = strategy if isinstance(strategy, Strategy) else Strategy((strategy,))
        self.house = house
        self.budget = budget
        self.dealer = Dealer(Rules(house))
        self._lazy = lazy
        self._tell = found
        self._first = start or Situation(0, "new", ())
        for part in self.strategy.parts:
            part.check(self.dealer.rules)
        self.by_pair = self._tells_pairs()
        told_apart = BY_PAIR if self.by_pair else BY_TOTAL
        self.columns: tuple[Roll, ...] = tuple(roll for roll, _ in told_apart)
        self.ways: Ints = np.array([ways for _, ways in told_apart])
        for most in (1,) if self._first.wagers else (GROUPS_MOST, 2, 1):
            try:
                self._begin(partition(self.strategy, self.dealer.rules, most))
                (self.start,) = self._enter([[group.start for group in self.groups]], [self.phases.start])
                break
            except _Crowded:
                if most == 1:
                    raise self.too_large() from None

    # -------------------------------------------------------------------------------------- what it is made of

    def column_of(self, roll: Roll) -> int:
        """Find which of the throws that are told apart a roll is."""
        same = Roll(*roll.pair) if self.by_pair else next(one for one in self.columns if one.total == roll.total)
        return self.columns.index(same)

    def _tells_pairs(self) -> bool:
        """Tell whether the faces of the dice can matter, for a wager or for a memory."""
        rules = self.dealer.rules
        if any(rules.spots[wager.spot].by_pair for wager in self._first.wagers):
            return True
        return any(part.by_pair for part in self.strategy.parts) or self._touches(lambda rule: rule.by_pair)

    def _tells_seven(self) -> bool:
        """Tell whether it matters that the last come-out was a seven: for a window, or for a function that may look."""
        return self._touches(lambda rule: rule.window == "after_any_seven")

    def _touches(self, such: Callable[[Rule], bool]) -> bool:
        """Tell whether the strategy may touch a wager of some sort."""
        rules = self.dealer.rules
        for part in self.strategy.parts:
            touched = part.touches(rules)
            if touched is None:
                return True
            kinds = {spot.kind for spot in touched}
            if any(such(rule) for spot, rule in rules.spots.items() if spot.kind in kinds):
                return True
        return False

    def _begin(self, parts: Sequence[tuple[Part, ...]]) -> None:
        self.phases = Phases(
            self.dealer, self.columns, (self._first.puck, self._first.hand), tells_seven=self._tells_seven()
        )
        self.groups = [Group(self.dealer, one, self.strategy.name, self.columns, self.phases) for one in parts]
        if self._first.wagers:
            only = self.groups[0]
            only.start = only.id_of(State(self._first.wagers, only.states[only.start].memories))
        self._bits = (KEY_BITS - len(self.phases.all).bit_length()) // len(self.groups)
        self._before: dict[int, int] = {}
        self._after: dict[int, int] = {}
        self._looked = 0
        width = len(self.columns)
        self._before_keys, self._after_keys = Growing(np.int64), Growing(np.int64)
        self._cost, self._up, self._up_after = Growing(np.int64), Growing(np.int64), Growing(np.int64)
        self._after_betting, self._short = Growing(np.int32), Growing(np.int32)
        self._empty, self._fresh = Growing(np.bool_), Growing(np.bool_)
        self._next, self._cash, self._decided = (Growing(np.int32, width) for _ in range(3))

    @property
    def cost(self) -> Ints:
        """What each decision costs, in cents; negative when money comes back."""
        return self._cost.rows

    @property
    def after(self) -> Numbers:
        """Where each decision leads; -1 where none was made yet."""
        return self._after_betting.rows

    @property
    def short(self) -> Numbers:
        """Where letting what is up run leads; -1 until it was asked for."""
        return self._short.rows

    @property
    def up(self) -> Ints:
        """Stakes on the layout before betting."""
        return self._up.rows

    @property
    def up_after(self) -> Ints:
        """Stakes on the layout after betting."""
        return self._up_after.rows

    @property
    def empty(self) -> npt.NDArray[np.bool_]:
        """Whether nothing is up before betting."""
        return self._empty.rows

    @property
    def fresh(self) -> npt.NDArray[np.bool_]:
        """Whether a new shooter begins."""
        return self._fresh.rows

    @property
    def next(self) -> Numbers:
        """Where each throw leads."""
        return self._next.rows

    @property
    def cash(self) -> Numbers:
        """What each throw pays, in cents."""
        return self._cash.rows

    @property
    def decided(self) -> Numbers:
        """The stakes that each throw wins, loses or pushes."""
        return self._decided.rows

    @property
    def arrays_bytes(self) -> int:
        """What the arrays take."""
        return sum(
            array.nbytes
            for array in (
                self.cost, self.after, self.short, self.up, self.up_after, self.empty, self.fresh, self.next, self.cash,
                self.decided,
            )
        )  # fmt: skip

    @property
    def total_bytes(self) -> int:
        """What it takes altogether, about: the arrays, the index of situations, the states of the groups."""
        states = sum(len(group.states) for group in self.groups)
        return self.arrays_bytes + INDEX_BYTES * (len(self._before) + len(self._after)) + STATE_BYTES * states

    def too_large(self) -> ChainTooLargeError:
        """Say that the budget is spent, and on what."""
        return ChainTooLargeError(
            f"{self.strategy.name} has too many situations to write down within {self.budget / 1e6:,.0f} MB: "
            f"{len(self.after):,} before betting and {len(self.next):,} after it were found when they took "
            f"{self.total_bytes / 1e6:,.0f} MB, and there are more; allow more memory, or simulate"
        )

    # ------------------------------------------------------------------------------------------------- building

    def enter(self, states: Sequence[Sequence[int]] | Ints, phases: Sequence[int] | Ints) -> Ints:
        """Number situations before betting by the states of the groups, and find everything they lead to."""
        try:
            return self._enter(states, phases)
        except _Crowded:
            raise self.too_large() from None

    def _enter(self, states: Sequence[Sequence[int]] | Ints, phases: Sequence[int] | Ints) -> Ints:
        keys = self._key(np.asarray(phases, dtype=np.int64), np.asarray(states, dtype=np.int64))
        numbers = self._number_before(keys)
        self._explore()
        return numbers

    def let_run(self, before: Ints) -> None:
        """Add what happens when a player short of money lets what is up run in these situations."""
        wanted = before[self.short[before] == UNKNOWN]
        if not len(wanted):
            return
        try:
            phases, states = self.states_of(wanted)
            self.short[wanted] = self._number_after(phases, states)
            self._explore()
        except _Crowded:
            raise self.too_large() from None

    def reach(self, before: Ints) -> None:
        """Decide in these situations of a lazy automaton and in some that follow; beyond the budget, refuse."""
        try:
            wanted = before[self.after[before] == UNKNOWN]
            until = len(self.after) + REACH
            while len(wanted):
                if self.total_bytes > self.budget:
                    raise self.too_large()
                known = len(self.after)
                self._decide_in(wanted)
                wanted = np.arange(known, min(len(self.after), until))
        except _Crowded:
            raise self.too_large() from None

    def states_of(self, before: Ints) -> tuple[Ints, Ints]:
        """Give the phases and the states of the groups of situations before betting."""
        return self._split(self._before_keys.rows[before])

    def situation(self, number: int, when: Literal["before", "after"] = "before") -> Situation:
        """Give a situation by its number."""
        keys = self._before_keys if when == "before" else self._after_keys
        phases, states = self._split(keys.rows[number : number + 1])
        return self._compose(int(phases[0]), states[0].tolist())

    def _compose(self, phase: int, states: Sequence[int]) -> Situation:
        puck, hand = self.phases.all[phase]
        wagers = [
            wager for group, state in zip(self.groups, states, strict=True) for wager in group.states[state].wagers
        ]
        return Situation(puck, hand, tuple(sorted(wagers)))

    def _key(self, phases: Ints, states: Ints) -> Ints:
        if states.size and int(states.max()) >> self._bits:
            raise _Crowded
        key = phases
        for index in range(len(self.groups)):
            key = (key << self._bits) | states[..., index]
        return key

    def _split(self, keys: Ints) -> tuple[Ints, Ints]:
        states = np.empty((len(keys), len(self.groups)), dtype=np.int64)
        for index in reversed(range(len(self.groups))):
            states[:, index] = keys & ((1 << self._bits) - 1)
            keys = keys >> self._bits
        return keys, states

    def _explore(self) -> None:
        """Decide in every situation where nothing was decided, until nothing new turns up or there is no more room."""
        while self._looked < len(self._before_keys.rows):
            if self.total_bytes > (self.budget // 4 if self._lazy else self.budget):
                if self._lazy:
                    return
                raise self.too_large()
            block = np.arange(self._looked, min(self._looked + BLOCK, len(self._before_keys.rows)))
            self._looked += len(block)
            self._decide_in(block[self.after[block] == UNKNOWN])
            self._tell(len(self._before_keys.rows))

    def _decide_in(self, before: Ints) -> None:
        """Decide in situations before betting; what follows from where that leads is settled at once."""
        phases, states = self.states_of(before)
        cost, after = np.zeros(len(before), dtype=np.int64), np.empty_like(states)
        for index, group in enumerate(self.groups):
            try:
                group.decide(phases, states[:, index])
            except StrategyRefusedError as refused:
                raise self._in_full(refused, phases, states) from None
            after[:, index] = group.after[phases, states[:, index]]
            cost += group.cost[phases, states[:, index]]
        numbers = self._number_after(phases, after)
        self.cost[before] = cost
        self.after[before] = numbers

    def _in_full(self, refused: StrategyRefusedError, phases: Ints, states: Ints) -> StrategyRefusedError:
        """Show a refusal with everything that is up, not only what the group sees."""
        for phase, row in zip(phases.tolist(), states.tolist(), strict=True):
            seen = self._compose(phase, row)
            if (seen.puck, seen.hand) == refused.situation[:2] and set(refused.situation.wagers) <= set(seen.wagers):
                return StrategyRefusedError(
                    refused.strategy, refused.what, refused.refusal, seen, write_position(lay_out(seen))
                )
        return refused

    def _number_before(self, keys: Ints) -> Ints:
        """Number situations before betting; of the new ones note what is up."""
        numbers, new = self._number(keys, self._before)
        phases, states = self._split(new)
        up, count = np.zeros(len(new), dtype=np.int64), np.zeros(len(new), dtype=np.int64)
        for index, group in enumerate(self.groups):
            up += group.up[states[:, index]]
            count += group.wagers_up[states[:, index]]
        unknown = np.full(len(new), UNKNOWN)
        self._before_keys.add(new)
        self._up.add(up)
        self._empty.add(count == 0)
        self._fresh.add(self.phases.fresh[phases])
        self._cost.add(np.zeros(len(new), dtype=np.int64))
        self._after_betting.add(unknown)
        self._short.add(unknown)
        return numbers

    def _number_after(self, phases: Ints, states: Ints) -> Ints:
        """Number situations after betting, and settle every throw in the new ones."""
        numbers, new = self._number(self._key(self.phases.after_betting[phases], states), self._after)
        self._after_keys.add(new)
        for begin in range(0, len(new), BLOCK):
            self._throw(new[begin : begin + BLOCK])
        return numbers

    def _throw(self, keys: Ints) -> None:
        phases, states = self._split(keys)
        shape = (len(keys), len(self.columns))
        cash, decided = np.zeros(shape, dtype=np.int64), np.zeros(shape, dtype=np.int64)
        following = np.empty((*shape, len(self.groups)), dtype=np.int64)
        up = np.zeros(len(keys), dtype=np.int64)
        for index, group in enumerate(self.groups):
            group.settle(phases, states[:, index])
            rows = group.row[phases, states[:, index]]
            following[..., index] = group.next[rows]
            cash += group.cash[rows]
            decided += group.decided[rows]
            up += group.up[states[:, index]]
        reached = self._number_before(self._key(self.phases.next[phases], following).ravel())
        self._next.add(reached.reshape(shape))
        self._cash.add(cash)
        self._decided.add(decided)
        self._up_after.add(up)

    @staticmethod
    def _number(keys: Ints, index: dict[int, int]) -> tuple[Ints, Ints]:
        """Look keys up, numbering those not met before; give the numbers and the new keys in order of number."""
        different, places = np.unique(keys, return_inverse=True)
        new, numbers = [], []
        for key in different.tolist():
            number = index.get(key)
            if number is None:
                number = index[key] = len(index)
                new.append(key)
            numbers.append(number)
        return np.array(numbers, dtype=np.int64)[places], np.array(new, dtype=np.int64)
