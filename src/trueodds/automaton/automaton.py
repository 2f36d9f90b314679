"""The automaton: a strategy and a table compiled into flat arrays by querying the engine.

    situation after betting  --roll-->  payout + situation before betting  --strategy-->  ...

Situations are numbered. For each situation after betting and each roll, the arrays hold the number of the next
situation before betting and the cents that the roll returns. Rolls are the 11 totals, or the 21 combinations of two
faces if the faces can matter. For each situation before betting, they hold the cost of the strategy's decision and the
number of the situation after it. The situations after a decision that the player cannot afford and skips are added on
demand.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final, Literal, NamedTuple

import numpy as np

from trueodds.automaton.array_types import BoolArray, Int64Array, IntArray
from trueodds.automaton.calculation_errors import TooManyStatesError
from trueodds.automaton.components import UNKNOWN, Component, ComponentState, split_into_components
from trueodds.automaton.growable_array import GrowableArray
from trueodds.automaton.phase_table import PhaseTable
from trueodds.dice import WEIGHTED_PAIRS, WEIGHTED_TOTALS, Roll
from trueodds.errors import TrueoddsError
from trueodds.notation import write_position
from trueodds.rulebook import House
from trueodds.strategy import Play, Strategy, StrategyRefusedError, position_from_situation
from trueodds.table import CachedDealer, Situation
from trueodds.wagers import TableRules, WagerRule

MAX_COMPONENTS: Final = 4

KEY_BITS: Final = 62
"""Bits of the integer that identifies a situation: its phase and the state of each component."""

BLOCK_SIZE: Final = 1 << 14
"""Situations explored per batch: enough to be fast, few enough to check the budget often."""

MIN_BLOCK_SIZE: Final = 8
"""With less memory left than this many situations may need, the budget is used up."""

LAZY_STEP: Final = 1 << 12
"""Situations that a lazy automaton explores beyond the requested ones."""

DEFAULT_BUDGET_BYTES: Final = 1 << 30

INDEX_ENTRY_BYTES: Final = 190
"""Approximate memory of a situation in addition to its arrays: its key and its index entry."""

COMPONENT_STATE_BYTES: Final = 1600
"""Approximate memory of a component state: its wagers, its memory and its table rows."""


COMPONENT_LIMITS: Final = (MAX_COMPONENTS, 2, 1)
"""How many components to try: fewer components leave more bits of a key for each."""


class KeyOverflowError(TrueoddsError):
    """A component has more states than its bits of a key can number."""


class OnDemand(NamedTuple):
    """How to compile on demand.

    There are at most `max_components` components; KeyOverflowError is raised if one has too many states for its key.
    The memory budget includes `extra_roll_bytes`, which the caller needs, for each entry of `next`.
    """

    max_components: int
    extra_roll_bytes: int


class Automaton:
    """A strategy at a table as flat arrays.

    Indexed by situation before betting: `cost_cents` (negative if the decision returns money), `after_betting`,
    `after_skipping`, `stakes_cents`, `layout_empty` and `new_shooter`. Indexed by situation after betting:
    `stakes_after_cents`, and, with a second index for the column, `next`, `payout_cents` and `resolved_cents`.
    `columns` has one roll for each class of equivalent rolls, and `ways` has the number of rolls (of 36) in each class.
    `start` is the situation before the first bet.

    >>> from trueodds.rulebook import load_book
    >>> from trueodds.strategy import builtin_strategy
    >>> automaton = Automaton(builtin_strategy("pass"), House(load_book("new_jersey")))
    >>> automaton
    <Automaton of Pass line in new_jersey: 8 situations before betting, 7 after>
    >>> int(automaton.cost_cents[automaton.start])
    1000
    """

    def __init__(
        self,
        strategy: Strategy | Play,
        house: House,
        *,
        budget_bytes: int = DEFAULT_BUDGET_BYTES,
        lazy: bool = False,
        on_demand: OnDemand | None = None,
        start_situation: Situation | None = None,
        on_progress: Callable[[int], None] | None = None,
    ) -> None:
        """Compile a strategy, starting from an empty table unless `start_situation` is given.

        `on_progress` is called with the number of situations found so far. Raise TooManyStatesError if the situations
        do not fit into `budget_bytes`. A lazy automaton stops exploring at a quarter of the budget instead:
        `after_betting` is -1 where it has not called the strategy, and `explore_from` continues from there. An
        automaton on demand does not explore: `decide` calls the strategy in the situations that the caller needs.
        """
        self.strategy = strategy if isinstance(strategy, Strategy) else Strategy((strategy,))
        self.house = house
        self.budget_bytes = budget_bytes
        self.dealer = CachedDealer(TableRules(house))
        self._lazy = lazy
        self._on_demand = on_demand
        self._extra_roll_bytes = on_demand.extra_roll_bytes if on_demand else 0
        self._on_progress = on_progress
        self._start_situation = start_situation or Situation(0, "new", ())
        for play in self.strategy.plays:
            play.validate(self.dealer.rules)
        self.reads_faces = self._reads_faces()
        weighted_rolls = WEIGHTED_PAIRS if self.reads_faces else WEIGHTED_TOTALS
        self.columns: tuple[Roll, ...] = tuple(roll for roll, _ in weighted_rolls)
        self.ways: Int64Array = np.array([ways for _, ways in weighted_rolls])
        if on_demand is not None:
            self._start_with(on_demand.max_components)
            return
        for components in (1,) if self._start_situation.wagers else COMPONENT_LIMITS:
            try:
                self._start_with(components)
                break
            except KeyOverflowError:
                if components == 1:
                    raise self.too_large_error() from None

    def _start_with(self, max_components: int) -> None:
        """Start over with at most this many components, and explore from the start."""
        self._reset(split_into_components(self.strategy, self.dealer.rules, max_components))
        states = [[component.start for component in self.components]]
        (self.start,) = self._add_situations(states, [self.phases.start])

    def __repr__(self) -> str:
        return (
            f"<Automaton of {self.strategy.name} in {self.house.book.id}: "
            f"{len(self.after_betting):,} situations before betting, {len(self.next):,} after>"
        )

    def __getstate__(self) -> dict[str, object]:
        return {**vars(self), "_on_progress": None}  # a callback is often a closure, which cannot be pickled

    # ------------------------------------------------------------------------------------------------- contents

    def column_of(self, roll: Roll) -> int:
        """Return the column of a roll."""
        if self.reads_faces:
            return self.columns.index(Roll(*roll.pair))
        return next(index for index, representative in enumerate(self.columns) if representative.total == roll.total)

    def _reads_faces(self) -> bool:
        """Whether the faces of the dice, and not only their total, can matter to a wager or to a memory."""
        rules = self.dealer.rules
        if any(rules.wager_rules[wager.spot].reads_faces for wager in self._start_situation.wagers):
            return True
        return any(play.reads_faces for play in self.strategy.plays) or self._watches_any(lambda rule: rule.reads_faces)

    def _reads_last_seven(self) -> bool:
        """Whether it can matter that the last come-out roll was a seven."""
        return self._watches_any(lambda rule: rule.window == "after_any_seven")

    def _watches_any(self, predicate: Callable[[WagerRule], bool]) -> bool:
        """Whether the strategy watches a wager whose rule satisfies the predicate."""
        rules = self.dealer.rules
        for play in self.strategy.plays:
            watched = play.watched_spots(rules)
            if watched is None:
                return True
            kinds = {spot.kind for spot in watched}
            if any(predicate(rule) for spot, rule in rules.wager_rules.items() if spot.kind in kinds):
                return True
        return False

    def _reset(self, groups_of_plays: Sequence[tuple[Play, ...]]) -> None:
        """Start over with empty arrays and one component for each group of plays."""
        self.phases = PhaseTable(
            self.dealer,
            self.columns,
            (self._start_situation.puck, self._start_situation.hand_stage),
            reads_last_seven=self._reads_last_seven(),
        )
        self.components = [
            Component(self.dealer, plays, self.strategy.name, self.columns, self.phases) for plays in groups_of_plays
        ]
        if self._start_situation.wagers:
            (only,) = self.components
            only.start = only.index_of(ComponentState(self._start_situation.wagers, only.states[only.start].memories))
        self._bits_per_component = (KEY_BITS - len(self.phases.phases).bit_length()) // len(self.components)
        self._before_index: dict[int, int] = {}
        self._after_index: dict[int, int] = {}
        self._explored_count = 0
        width = len(self.columns)
        self._before_keys, self._after_keys = GrowableArray(np.int64), GrowableArray(np.int64)
        self._cost_cents, self._stakes_cents = GrowableArray(np.int64), GrowableArray(np.int64)
        self._stakes_after_cents = GrowableArray(np.int64)
        self._after_betting, self._after_skipping = GrowableArray(np.int32), GrowableArray(np.int32)
        self._layout_empty, self._new_shooter = GrowableArray(np.bool_), GrowableArray(np.bool_)
        self._next, self._payout_cents, self._resolved_cents = (GrowableArray(np.int32, width) for _ in range(3))

    @property
    def cost_cents(self) -> Int64Array:
        """The cost of each decision; negative if the decision returns money."""
        return self._cost_cents.rows

    @property
    def after_betting(self) -> IntArray:
        """The situation after each decision; -1 where the strategy has not been called yet."""
        return self._after_betting.rows

    @property
    def after_skipping(self) -> IntArray:
        """The situation after skipping a decision that the player cannot afford; -1 until `add_skips` adds it."""
        return self._after_skipping.rows

    @property
    def stakes_cents(self) -> Int64Array:
        """The stakes on the layout before betting."""
        return self._stakes_cents.rows

    @property
    def stakes_after_cents(self) -> Int64Array:
        """The stakes on the layout after betting."""
        return self._stakes_after_cents.rows

    @property
    def layout_empty(self) -> BoolArray:
        """Whether there are no wagers on the layout before betting."""
        return self._layout_empty.rows

    @property
    def new_shooter(self) -> BoolArray:
        """Whether a new shooter starts a hand."""
        return self._new_shooter.rows

    @property
    def next(self) -> IntArray:
        """The situation before betting that each roll leads to."""
        return self._next.rows

    @property
    def payout_cents(self) -> IntArray:
        """The cents that each roll returns to the player, stakes included."""
        return self._payout_cents.rows

    @property
    def resolved_cents(self) -> IntArray:
        """The stakes that each roll wins, loses or pushes."""
        return self._resolved_cents.rows

    @property
    def arrays_bytes(self) -> int:
        """The memory used by the arrays."""
        return sum(array.rows.nbytes for array in self._arrays)

    @property
    def _arrays(self) -> list[GrowableArray[Any]]:
        return [array for array in vars(self).values() if isinstance(array, GrowableArray)]

    @property
    def total_bytes(self) -> int:
        """The approximate memory used by the arrays, the index of situations and the states of the components."""
        states = sum(len(component.states) for component in self.components)
        situations = len(self._before_index) + len(self._after_index)
        arrays = sum(array.reserved_bytes for array in self._arrays) + self._extra_roll_bytes * self.next.size
        return arrays + INDEX_ENTRY_BYTES * situations + COMPONENT_STATE_BYTES * states

    def too_large_error(self) -> TooManyStatesError:
        """Return the error to raise when the budget is used up."""
        return TooManyStatesError(
            f"{self.strategy.name} has too many situations for a memory budget of {self.budget_bytes / 1e6:,.0f} MB: "
            f"{len(self.after_betting):,} before betting and {len(self.next):,} after betting were found so far and "
            f"take {self.total_bytes / 1e6:,.0f} MB. Allow more memory, or simulate."
        )

    # ------------------------------------------------------------------------------------------------- building

    def add_situations(
        self, states: Sequence[Sequence[int]] | Int64Array, phases: Sequence[int] | Int64Array
    ) -> Int64Array:
        """Add situations before betting, explore from them, and return their numbers.

        Each situation is given by its phase and the states of the components.
        """
        try:
            return self._add_situations(states, phases)
        except KeyOverflowError:
            raise self.too_large_error() from None

    def _add_situations(
        self, states: Sequence[Sequence[int]] | Int64Array, phases: Sequence[int] | Int64Array
    ) -> Int64Array:
        keys = self._pack_keys(np.asarray(phases, dtype=np.int64), np.asarray(states, dtype=np.int64))
        numbers = self._intern_before(keys)
        self._explore()
        return numbers

    def add_skips(self, before: Int64Array) -> None:
        """Fill in `after_skipping` for these situations, and explore from there."""
        try:
            self.decide_skips(before)
            self._explore()
        except KeyOverflowError:
            raise self.too_large_error() from None

    def decide(self, before: Int64Array) -> None:
        """Fill in `after_betting` for these situations, without exploring further.

        Raise TooManyStatesError if the memory budget is used up, and KeyOverflowError if a component has too many
        states for its key.
        """
        missing = before[self.after_betting[before] == UNKNOWN]
        while len(missing):
            size = self._affordable_block()
            self._decide(missing[:size])
            missing = missing[size:]
            self._report_progress()

    def decide_skips(self, before: Int64Array) -> None:
        """Fill in `after_skipping` for these situations, without exploring further. Raise the errors of `decide`."""
        missing = before[self.after_skipping[before] == UNKNOWN]
        while len(missing):
            size = self._affordable_block()
            block, missing = missing[:size], missing[size:]
            phases, states = self.component_states(block)
            self.after_skipping[block] = self._intern_after(phases, states)

    def _affordable_block(self) -> int:
        """Return how many situations can be decided within the budget, even if every roll leads to a new one."""
        row_bytes = self.arrays_bytes // max(1, len(self.next)) + INDEX_ENTRY_BYTES + COMPONENT_STATE_BYTES
        block_bytes = (1 + len(self.columns)) * (row_bytes + self._extra_roll_bytes)
        size = min(BLOCK_SIZE, (self.budget_bytes - self.total_bytes) // block_bytes)
        if size < MIN_BLOCK_SIZE:
            raise self.too_large_error()
        return size

    def explore_from(self, before: Int64Array) -> None:
        """Fill in `after_betting` for these situations of a lazy automaton and for some that follow them.

        Raise TooManyStatesError if the memory budget is used up.
        """
        try:
            missing = before[self.after_betting[before] == UNKNOWN]
            stop = len(self.after_betting) + LAZY_STEP
            while len(missing):
                if self.total_bytes > self.budget_bytes:
                    raise self.too_large_error()
                count = len(self.after_betting)
                self._decide(missing)
                missing = np.arange(count, min(len(self.after_betting), stop))
        except KeyOverflowError:
            raise self.too_large_error() from None

    def component_states(self, before: Int64Array) -> tuple[Int64Array, Int64Array]:
        """Return the phases of situations before betting, and the states of their components."""
        return self._unpack_keys(self._before_keys.rows[before])

    def situation(self, number: int, when: Literal["before", "after"] = "before") -> Situation:
        """Return the situation with this number, before or after betting."""
        keys = self._before_keys if when == "before" else self._after_keys
        phases, states = self._unpack_keys(keys.rows[number : number + 1])
        return self._compose(int(phases[0]), states[0].tolist())

    def _compose(self, phase: int, states: Sequence[int]) -> Situation:
        puck, hand_stage = self.phases.phases[phase]
        wagers = [
            wager
            for component, state in zip(self.components, states, strict=True)
            for wager in component.states[state].wagers
        ]
        return Situation(puck, hand_stage, tuple(sorted(wagers)))

    def _pack_keys(self, phases: Int64Array, states: Int64Array) -> Int64Array:
        if states.size and int(states.max()) >> self._bits_per_component:
            raise KeyOverflowError
        keys = phases
        for index in range(len(self.components)):
            keys = (keys << self._bits_per_component) | states[..., index]
        return keys

    def _unpack_keys(self, keys: Int64Array) -> tuple[Int64Array, Int64Array]:
        """Return the phases and the states of the components."""
        states = np.empty((len(keys), len(self.components)), dtype=np.int64)
        for index in reversed(range(len(self.components))):
            states[:, index] = keys & ((1 << self._bits_per_component) - 1)
            keys = keys >> self._bits_per_component
        return keys, states

    def _explore(self) -> None:
        """Decide in every situation found, until there are no new ones or the budget is used up."""
        while self._on_demand is None and self._explored_count < len(self._before_keys.rows):
            if self._lazy and self.total_bytes > self.budget_bytes // 4:
                return
            size = BLOCK_SIZE if self._lazy else self._affordable_block()
            block = np.arange(self._explored_count, min(self._explored_count + size, len(self._before_keys.rows)))
            self._explored_count += len(block)
            self._decide(block[self.after_betting[block] == UNKNOWN])
            self._report_progress()

    def _report_progress(self) -> None:
        if self._on_progress is not None:
            self._on_progress(len(self._before_keys.rows))

    def _decide(self, before: Int64Array) -> None:
        """Call the strategy in situations before betting, and settle every roll in the situations after betting."""
        phases, states = self.component_states(before)
        cost, after = np.zeros(len(before), dtype=np.int64), np.empty_like(states)
        for index, component in enumerate(self.components):
            try:
                component.ensure_decided(phases, states[:, index])
            except StrategyRefusedError as error:
                raise self._with_full_situation(error, phases, states) from None
            after[:, index] = component.after_betting[phases, states[:, index]]
            cost += component.cost_cents[phases, states[:, index]]
        numbers = self._intern_after(phases, after)
        self.cost_cents[before] = cost
        self.after_betting[before] = numbers

    def _with_full_situation(
        self, error: StrategyRefusedError, phases: Int64Array, states: Int64Array
    ) -> StrategyRefusedError:
        """Return the error of a component with all wagers on the layout, not only those of the component."""
        for phase, row in zip(phases.tolist(), states.tolist(), strict=True):
            full = self._compose(phase, row)
            if (full.puck, full.hand_stage) == error.situation[:2] and set(error.situation.wagers) <= set(full.wagers):
                return StrategyRefusedError(
                    error.strategy,
                    error.action,
                    error.refusal,
                    full,
                    write_position(position_from_situation(full)),
                    error.source,
                )
        return error

    def _intern_before(self, keys: Int64Array) -> Int64Array:
        """Return the numbers of situations before betting, adding a row to the arrays for each new one."""
        numbers, new = self._intern(keys, self._before_index)
        phases, states = self._unpack_keys(new)
        stakes, wager_counts = np.zeros(len(new), dtype=np.int64), np.zeros(len(new), dtype=np.int64)
        for index, component in enumerate(self.components):
            stakes += component.stakes_cents[states[:, index]]
            wager_counts += component.wager_counts[states[:, index]]
        unknown = np.full(len(new), UNKNOWN)
        self._before_keys.extend(new)
        self._stakes_cents.extend(stakes)
        self._layout_empty.extend(wager_counts == 0)
        self._new_shooter.extend(self.phases.new_shooter[phases])
        self._cost_cents.extend(np.zeros(len(new), dtype=np.int64))
        self._after_betting.extend(unknown)
        self._after_skipping.extend(unknown)
        return numbers

    def _intern_after(self, phases: Int64Array, states: Int64Array) -> Int64Array:
        """Return the numbers of situations after betting, settling every roll in the new ones."""
        numbers, new = self._intern(self._pack_keys(self.phases.after_betting[phases], states), self._after_index)
        self._after_keys.extend(new)
        for start in range(0, len(new), BLOCK_SIZE):
            self._settle_rolls(new[start : start + BLOCK_SIZE])
        return numbers

    def _settle_rolls(self, keys: Int64Array) -> None:
        """Add the array rows of new situations after betting."""
        phases, states = self._unpack_keys(keys)
        shape = (len(keys), len(self.columns))
        payouts, resolved = np.zeros(shape, dtype=np.int64), np.zeros(shape, dtype=np.int64)
        next_states = np.empty((*shape, len(self.components)), dtype=np.int64)
        stakes = np.zeros(len(keys), dtype=np.int64)
        for index, component in enumerate(self.components):
            component.ensure_settled(phases, states[:, index])
            rows = component.settlement_row[phases, states[:, index]]
            next_states[..., index] = component.next[rows]
            payouts += component.payout_cents[rows]
            resolved += component.resolved_cents[rows]
            stakes += component.stakes_cents[states[:, index]]
        reached = self._intern_before(self._pack_keys(self.phases.next[phases], next_states).ravel())
        self._next.extend(reached.reshape(shape))
        self._payout_cents.extend(payouts)
        self._resolved_cents.extend(resolved)
        self._stakes_after_cents.extend(stakes)

    @staticmethod
    def _intern(keys: Int64Array, index: dict[int, int]) -> tuple[Int64Array, Int64Array]:
        """Number the keys that are not in the index. Return the numbers of all keys, and the new keys in order."""
        distinct, positions = np.unique(keys, return_inverse=True)
        new, numbers = [], []
        for key in distinct.tolist():
            number = index.get(key)
            if number is None:
                number = index[key] = len(index)
                new.append(key)
            numbers.append(number)
        return np.array(numbers, dtype=np.int64)[positions], np.array(new, dtype=np.int64)
