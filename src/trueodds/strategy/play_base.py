"""The base class of plays, and the strategy that holds them.

A play is a frozen value: for the same view and memory it always returns the same steps. A strategy is a sequence of
plays, combined with `+`.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Hashable, Iterable
from dataclasses import dataclass, field, replace
from typing import Final

from trueodds.rulebook import Spot
from trueodds.strategy.conditions import Condition, Memory, always, check_condition
from trueodds.strategy.decision_steps import DecisionStep
from trueodds.strategy.errors import StrategyError
from trueodds.strategy.play_source import PlaySource
from trueodds.strategy.player_view import PlayerView, RollOutcome, base_spot, unknown_spot_reason
from trueodds.wagers import TableRules

DEFAULT_NAME: Final = "the strategy"


@dataclass(frozen=True, kw_only=True)
class Play(ABC):
    """One thing a strategy does while a condition holds.

    A subclass returns its `steps`, the spots it watches, and the memory it needs between rolls.
    """

    condition: Condition = always

    source: PlaySource | None = field(default=None, compare=False, repr=False)
    """Where the play was parsed from, or None for a play written in Python."""

    reads_faces: bool = field(default=False, init=False, repr=False)
    """Whether the memory can depend on the faces of the dice and not only on their total."""

    def when(self, condition: Condition) -> Play:
        """Return this play restricted to a condition, in addition to the one it has."""
        check_condition(condition)
        return replace(self, condition=condition if self.condition == always else self.condition & condition)

    def watched_spots(self, rules: TableRules) -> frozenset[Spot] | None:
        """Return the spots and kinds whose wagers this play reads or changes, or None for all wagers."""
        own = self.own_watched_spots(rules)
        of_condition = frozenset(base_spot(rules, target) for target in self.condition.referenced_spots())
        return None if own is None else own | of_condition

    def validate(self, rules: TableRules) -> None:
        """Raise StrategyError if the play names a wager, a spot or a point that the book does not have.

        Nothing else is checked here. The dealer refuses bets that break a rule when they are made.
        """
        for target in sorted(self.condition.referenced_spots() | self.referenced_spots()):
            reason = unknown_spot_reason(rules, target)
            if reason:
                raise self.located_error(reason, target)
        unknown_points = self.condition.referenced_points() - rules.points
        if unknown_points:
            numbers = ", ".join(map(str, sorted(unknown_points)))
            raise self.located_error(f"{numbers} cannot be a point in {rules.book.title}")

    def located_error(self, message: str, spot: Spot | None = None) -> StrategyError:
        """Return an error that starts with the file and line of this play, or of the spot it names."""
        return StrategyError(f"{self.source.describe(spot)}: {message}" if self.source else message)

    def referenced_spots(self) -> frozenset[Spot]:
        """Return the spots and kinds the play names."""
        return frozenset()

    def initial_memory(self) -> Memory:
        """Return the memory before the first roll, or None if the play never remembers anything."""
        own, of_condition = self.own_initial_memory(), self.condition.initial_memory()
        return None if own is None and of_condition is None else (own, of_condition)

    def decide(self, view: PlayerView, memory: Memory) -> Iterable[DecisionStep]:
        """Return the steps to take now. There are none unless the condition holds."""
        own, of_condition = memory or (None, None)
        return self.steps(view, own) if self.condition.holds(view, of_condition) else ()

    def next_memory(self, memory: Memory, outcome: RollOutcome) -> Memory:
        """Return the memory after a roll."""
        if memory is None:
            return None
        own, of_condition = memory
        return (self.own_next_memory(own, outcome), self.condition.next_memory(of_condition, outcome))

    @abstractmethod
    def own_watched_spots(self, rules: TableRules) -> frozenset[Spot] | None:
        """Return the spots and kinds that `steps` and `own_next_memory` read, or None for all wagers."""

    @abstractmethod
    def steps(self, view: PlayerView, memory: Memory) -> Iterable[DecisionStep]:
        """Return the steps to take while the condition holds."""

    def own_initial_memory(self) -> Memory:
        """Return the play's own memory before the first roll, without that of its condition."""
        return None

    def own_next_memory(self, memory: Memory, outcome: RollOutcome) -> Memory:
        """Return the play's own memory after a roll."""
        return memory

    def __add__(self, other: Play | Strategy) -> Strategy:
        return Strategy((self,)) + other


@dataclass(frozen=True, repr=False)
class Strategy:
    """Plays that act one after the other in each decision. Each sees what the plays before it did.

    >>> from trueodds.strategy import Come, Pass, keep, odds
    >>> keep(Pass(10)) + odds("3-4-5") + keep(Come(10), up_to=2)
    <Strategy 'the strategy': 3 plays>
    """

    plays: tuple[Play, ...]
    name: str = DEFAULT_NAME
    about: str = ""
    needs: str = ""

    def __post_init__(self) -> None:
        """Raise StrategyError unless there is at least one play."""
        if not self.plays:
            raise StrategyError(f"{self.name} must have at least one play")
        for play in self.plays:
            if not isinstance(play, Play):
                msg = f"a strategy is made of plays such as keep(Pass(10)), got {play!r}"  # type: ignore[unreachable]
                raise StrategyError(msg)

    def __repr__(self) -> str:
        count = len(self.plays)
        return f"<Strategy {self.name!r}: {count} {'play' if count == 1 else 'plays'}>"

    def __add__(self, other: Play | Strategy) -> Strategy:
        added = other if isinstance(other, Strategy) else Strategy((other,))
        names = [strategy.name if strategy.name != DEFAULT_NAME else "more" for strategy in (self, added)]
        return Strategy(self.plays + added.plays, DEFAULT_NAME if names == ["more", "more"] else " and ".join(names))

    def when(self, condition: Condition) -> Strategy:
        """Return this strategy with every play restricted to a condition."""
        return replace(self, plays=tuple(play.when(condition) for play in self.plays))

    def with_name(self, name: str, about: str = "", needs: str = "") -> Strategy:
        """Return this strategy with a name, a description, and what it needs from the table and the player."""
        return replace(self, name=name, about=about or self.about, needs=needs or self.needs)

    def initial_memories(self) -> tuple[Memory, ...]:
        """Return the memory of each play before the first roll."""
        return tuple(play.initial_memory() for play in self.plays)


DecideFunction = Callable[[PlayerView, Memory], Iterable[DecisionStep]]
MemoryFunction = Callable[[Memory, RollOutcome], Hashable]


def _unchanged_memory(memory: Memory, outcome: RollOutcome) -> Hashable:  # noqa: ARG001  a MemoryFunction
    return memory  # type: ignore[no-any-return]  # a memory is hashable


@dataclass(frozen=True, kw_only=True)
class FunctionPlay(Play):
    """A play that calls a pure function of the view and an explicit memory. It sees all wagers of the player."""

    decide_function: DecideFunction
    memory_function: MemoryFunction = _unchanged_memory
    first_memory: Hashable = None
    reads_faces: bool = field(default=True, init=False, repr=False)

    def own_watched_spots(self, rules: TableRules) -> None:
        """Return None: a function may read any wager."""
        return

    def steps(self, view: PlayerView, memory: Memory) -> Iterable[DecisionStep]:
        """Return the steps the function returns."""
        steps = self.decide_function(view, self.first_memory if memory is None else memory[0])
        if not isinstance(steps, Iterable):
            msg = f"a strategy function must return a list of steps, got {steps!r}"  # type: ignore[unreachable]
            raise StrategyError(msg)
        return steps

    def own_initial_memory(self) -> Memory:
        """Return the first memory in a tuple, because None is a valid memory of a function."""
        return None if self.memory_function is _unchanged_memory else self._wrap_memory(self.first_memory)

    def own_next_memory(self, memory: Memory, outcome: RollOutcome) -> Memory:
        """Return the memory the function returns, in a tuple."""
        return self._wrap_memory(self.memory_function(memory[0], outcome))

    @staticmethod
    def _wrap_memory(memory: Hashable) -> tuple[Hashable]:
        try:
            hash(memory)
        except TypeError:
            msg = f"a memory must be hashable, like numbers, strings and tuples, got {memory!r}"
            raise StrategyError(msg) from None
        return (memory,)


def strategy_from_function(
    decide: DecideFunction,
    next_memory: MemoryFunction | None = None,
    initial_memory: Hashable = None,
    *,
    name: str | None = None,
) -> Strategy:
    """Return a strategy that calls pure functions.

    `decide(view, memory)` returns steps. `next_memory(memory, outcome)` returns the memory after a roll.

    >>> from trueodds.strategy import MakeBet
    >>> def field_only(view, memory):
    ...     return [MakeBet(Spot("field"), stake_cents=500)]
    >>> strategy_from_function(field_only).name
    'field_only'
    """
    play = FunctionPlay(
        decide_function=decide, memory_function=next_memory or _unchanged_memory, first_memory=initial_memory
    )
    return Strategy((play,), name or str(getattr(decide, "__name__", "a function")))
