"""The automaton: a strategy at a table, compiled into flat arrays by asking the engine.

    situation after betting  --throw-->  money back + situation before betting  --strategy-->  ...

Situations are numbered. One after betting has, for every throw that can be told apart, the situation it leads to and
the cents that come back. One before betting has what the strategy's decision costs and the situation it leads to.
Situations in which a player is short of money and lets what is up run are added when they are asked for.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, Literal

import numpy as np
import numpy.typing as npt

from trueodds.chain.errors import ChainTooLargeError
from trueodds.chain.group import UNKNOWN, Group, Ints, Phases, State, partition
from trueodds.dice import BY_PAIR, BY_TOTAL, Roll
from trueodds.notation import write_position
from trueodds.rulebook import House
from trueodds.strategy import Part, Strategy, StrategyRefusedError, lay_out
from trueodds.table import Dealer, Situation
from trueodds.wagers import Rules

Numbers = npt.NDArray[np.integer[Any]]

GROUPS_MOST: Final = 4
KEY_BITS: Final = 62
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
    for), `up` (stakes on the layout), `empty`, `fresh` (a new shooter). After betting, by situation and column: `next`,
    `cash`, `decided` (stakes the throw won, lost or pushed). `columns` are the throws told apart, `ways` how many of
    the 36 each stands for.

    >>> from trueodds.rulebook import load_book
    >>> from trueodds.strategy import named_strategy
    >>> line = Automaton(named_strategy("pass"), House(load_book("new_jersey")))
    >>> line.next.shape[0], int(line.cost[line.start])
    (7, 1000)
    """

    def __init__(
        self,
        strategy: Strategy,
        house: House,
        *,
        budget: int = BUDGET,
        dealer: Dealer | None = None,
        start: Situation | None = None,
    ) -> None:
        self.strategy = strategy
        self.house = house
        self.budget = budget
        self.dealer = dealer or Dealer(Rules(house))
        self._first = start or Situation(0, "new", ())
        pairs = self._tells_pairs()
        self.columns: tuple[Roll, ...] = tuple(roll for roll, _ in (BY_PAIR if pairs else BY_TOTAL))
        self.ways: Ints = np.array([ways for _, ways in (BY_PAIR if pairs else BY_TOTAL)])
        for most in (GROUPS_MOST, 1):
            try:
                self._begin(partition(strategy, self.dealer.rules, 1 if self._first.wagers else most))
                self.start = self.enter([[group.start for group in self._groups]], [self.phases.start])[0]
                break
            except _Crowded:
                if most == 1:
                    raise self.too_large() from None

    # -------------------------------------------------------------------------------------- what it is made of

    def _tells_pairs(self) -> bool:
        """Tell whether the faces of the dice can matter, for a wager or for a memory."""
        rules = self.dealer.rules
        if any(rules.spots[wager.spot].by_pair for wager in self._first.wagers):
            return True
        for part in self.strategy.parts:
            touched = part.touches(rules)
            if part.by_pair or touched is None:
                return True
            kinds = {spot.kind for spot in touched}
            if any(rule.by_pair for spot, rule in rules.spots.items() if spot.kind in kinds):
                return True
        return False

    def _begin(self, parts: Sequence[tuple[Part, ...]]) -> None:
        self.phases = Phases(
            self.dealer, self.columns, (self._first.puck, self._first.hand), tells_seven=self._tells_seven()
        )
        self._groups = [Group(self.dealer, one, self.strategy.name, self.columns, self.phases) for one in parts]
        if self._first.wagers:
            only = self._groups[0]
            only.start = only.id_of(State(self._first.wagers, only.states[only.start].memories))
        self._phase_bits = len(self.phases.all).bit_length()
        self._bits = (KEY_BITS - self._phase_bits) // len(self._groups)
        self._before: dict[int, int] = {}
        self._after: dict[int, int] = {}
        self._before_keys: Ints = np.zeros(0, dtype=np.int64)
        self._after_keys: Ints = np.zeros(0, dtype=np.int64)
        width = len(self.columns)
        self.cost: Ints = np.zeros(0, dtype=np.int64)
        self.after: Numbers = np.zeros(0, dtype=np.int32)
        self.short: Numbers = np.zeros(0, dtype=np.int32)
        self.up: Ints = np.zeros(0, dtype=np.int64)
        self.empty = np.zeros(0, dtype=np.bool_)
        self.fresh = np.zeros(0, dtype=np.bool_)
        self.next: Numbers = np.zeros((0, width), dtype=np.int32)
        self.cash: Numbers = np.zeros((0, width), dtype=np.int32)
        self.decided: Numbers = np.zeros((0, width), dtype=np.int32)

    def _tells_seven(self) -> bool:
        """Tell whether it matters that the last come-out was a seven: for a window, or for a function that may look."""
        rules = self.dealer.rules
        for part in self.strategy.parts:
            touched = part.touches(rules)
            if touched is None:
                return True
            kinds = {spot.kind for spot in touched}
            if any(rule.window == "after_any_seven" for spot, rule in rules.spots.items() if spot.kind in kinds):
                return True
        return False

    @property
    def arrays_bytes(self) -> int:
        """What the arrays take."""
        arrays: tuple[npt.NDArray[np.generic], ...] = (
            self.cost, self.after, self.short, self.up, self.empty, self.fresh, self.next, self.cash, self.decided,
        )  # fmt: skip
        return sum(array.nbytes for array in arrays)

    @property
    def total_bytes(self) -> int:
        """What it takes altogether, about: the arrays, the index of situations, the states of the groups."""
        states = sum(len(group.states) for group in self._groups)
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
        return self._explore(self._key(np.asarray(phases, dtype=np.int64), np.asarray(states, dtype=np.int64)))

    def let_run(self, before: Ints) -> None:
        """Add what happens when a player short of money lets what is up run in these situations."""
        wanted = before[self.short[before] == UNKNOWN]
        if not len(wanted):
            return
        phases, states = self._split(self._before_keys[wanted])
        after, new = self._number_after(phases, states)
        self.short[wanted] = after
        self._throw(new)
        while self._pending < len(self._before_keys):
            self._explore_before()

    def states_of(self, before: Ints) -> tuple[Ints, Ints]:
        """Give the phases and the states of the groups of situations before betting."""
        return self._split(self._before_keys[before])

    @property
    def groups(self) -> list[Group]:
        """The groups the parts were shared out into."""
        return self._groups

    def situation(self, number: int, when: Literal["before", "after"] = "before") -> Situation:
        """Give a situation by its number."""
        keys = self._before_keys if when == "before" else self._after_keys
        phases, states = self._split(keys[number : number + 1])
        return self._compose(int(phases[0]), states[0].tolist())

    def _compose(self, phase: int, states: Sequence[int]) -> Situation:
        puck, hand = self.phases.all[phase]
        wagers = [
            wager for group, state in zip(self._groups, states, strict=True) for wager in group.states[state].wagers
        ]
        return Situation(puck, hand, tuple(sorted(wagers)))

    def _key(self, phases: Ints, states: Ints) -> Ints:
        if states.size and int(states.max()) >> self._bits:
            raise _Crowded
        key = phases
        for index in range(len(self._groups)):
            key = (key << self._bits) | states[..., index]
        return key

    def _split(self, keys: Ints) -> tuple[Ints, Ints]:
        states = np.empty((len(keys), len(self._groups)), dtype=np.int64)
        for index in reversed(range(len(self._groups))):
            states[:, index] = keys & ((1 << self._bits) - 1)
            keys = keys >> self._bits
        return keys, states

    def _explore(self, keys: Ints) -> Ints:
        """Number situations before betting, and go on until nothing new turns up."""
        numbers = self._number_before(keys.ravel())
        while self._pending < len(self._before_keys):
            self._explore_before()
        return numbers.reshape(keys.shape)

    @property
    def _pending(self) -> int:
        """The first situation before betting in which nothing was decided yet."""
        return len(self.after)

    def _explore_before(self) -> None:
        """Decide in the pending situations before betting, and settle the throws that follow."""
        keys = self._before_keys[self._pending :]
        phases, states = self._split(keys)
        cost, after = np.zeros(len(keys), dtype=np.int64), np.empty_like(states)
        up, count = np.zeros(len(keys), dtype=np.int64), np.zeros(len(keys), dtype=np.int64)
        for index, group in enumerate(self._groups):
            mine = states[:, index]
            self._decide(group, phases, states, index)
            after[:, index] = group.after[phases, mine]
            cost += group.cost[phases, mine]
            up += group.up[mine]
            count += group.wagers_up[mine]
        numbers, new = self._number_after(phases, after)
        self.cost = np.concatenate((self.cost, cost))
        self.after = np.concatenate((self.after, numbers.astype(np.int32)))
        self.short = np.concatenate((self.short, np.full(len(keys), UNKNOWN, dtype=np.int32)))
        self.up = np.concatenate((self.up, up))
        self.empty = np.concatenate((self.empty, count == 0))
        self.fresh = np.concatenate((self.fresh, self.phases.fresh[phases]))
        self._throw(new)

    def _decide(self, group: Group, phases: Ints, states: Ints, index: int) -> None:
        try:
            group.decide(phases, states[:, index])
        except StrategyRefusedError as refused:
            raise self._in_full(refused, phases, states) from None

    def _in_full(self, refused: StrategyRefusedError, phases: Ints, states: Ints) -> StrategyRefusedError:
        """Show a refusal with everything that is up, not only what the group sees."""
        for phase, row in zip(phases.tolist(), states.tolist(), strict=True):
            seen = self._compose(phase, row)
            if (seen.puck, seen.hand) == refused.situation[:2] and set(refused.situation.wagers) <= set(seen.wagers):
                return StrategyRefusedError(
                    refused.strategy, refused.what, refused.refusal, seen, write_position(lay_out(seen))
                )
        return refused

    def _number_after(self, phases: Ints, states: Ints) -> tuple[Ints, Ints]:
        keys = self._key(self.phases.after_betting[phases], states)
        numbers, new = self._number(keys, self._after)
        self._after_keys = np.concatenate((self._after_keys, new))
        return numbers, new

    def _number_before(self, keys: Ints) -> Ints:
        numbers, new = self._number(keys, self._before)
        self._before_keys = np.concatenate((self._before_keys, new))
        return numbers

    def _throw(self, keys: Ints) -> None:
        """Settle every throw in new situations after betting."""
        if not len(keys):
            return
        phases, states = self._split(keys)
        shape = (len(keys), len(self.columns))
        cash, decided = np.zeros(shape, dtype=np.int64), np.zeros(shape, dtype=np.int64)
        following = np.empty((*shape, len(self._groups)), dtype=np.int64)
        for index, group in enumerate(self._groups):
            group.settle(phases, states[:, index])
            rows = group.row[phases, states[:, index]]
            following[..., index] = group.next[rows]
            cash += group.cash[rows]
            decided += group.decided[rows]
        reached = self._key(self.phases.next[phases], following)
        numbers = self._number_before(reached.ravel())
        self.next = np.concatenate((self.next, numbers.reshape(shape).astype(np.int32)))
        self.cash = _joined(self.cash, cash)
        self.decided = _joined(self.decided, decided)
        if self.total_bytes > self.budget:
            raise self.too_large()

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


def _joined(kept: Numbers, more: Ints) -> Numbers:
    """Append rows, in 32 bits as long as the cents fit."""
    if kept.dtype == np.int32 and (not more.size or int(np.abs(more).max()) < 2**31):
        return np.concatenate((kept, more.astype(np.int32)))
    return np.concatenate((kept.astype(np.int64), more))
