"""Conditions: when a play acts. Combine them with `&`, `|` and `~`.

A condition keeps only the memory it needs, and every memory has finitely many values, so a strategy can be compiled.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import repeat
from typing import Any, Final, Literal

from trueodds.rulebook import Spot
from trueodds.strategy.errors import StrategyError
from trueodds.strategy.player_view import PlayerView, RollOutcome, parse_spot
from trueodds.wagers import Result

Memory = Any
"""What a play, condition or staking plan remembers between rolls: any hashable value. None means nothing."""


@dataclass(frozen=True, slots=True)
class Condition:
    """The condition that always holds, and the base class of the others."""

    def referenced_spots(self) -> frozenset[Spot]:
        """Return the spots, kinds of wagers and kinds of odds this condition asks about."""
        return frozenset()

    def referenced_points(self) -> frozenset[int]:
        """Return the points this condition compares with."""
        return frozenset()

    def initial_memory(self) -> Memory:
        """Return the memory before the first roll, or None if this condition never remembers anything."""
        return None

    def holds(self, view: PlayerView, memory: Memory) -> bool:
        """Return whether the condition holds now."""
        return True

    def next_memory(self, memory: Memory, outcome: RollOutcome) -> Memory:
        """Return the memory after a roll."""
        return memory

    def __and__(self, other: Condition) -> Condition:
        check_condition(other)
        return AllOf((self, other))

    def __or__(self, other: Condition) -> Condition:
        check_condition(other)
        return AnyOf((self, other))

    def __bool__(self) -> bool:
        raise StrategyError("combine conditions with &, | and ~, not with and, or and not")

    def __invert__(self) -> Condition:
        return Not(self)


def check_condition(value: object) -> None:
    """Raise StrategyError if the value is not a condition."""
    if not isinstance(value, Condition):
        raise StrategyError(f"expected a condition such as puck_on or hits('place:6', 2), got {value!r}")


always = Condition()


@dataclass(frozen=True, slots=True)
class PuckState(Condition):
    """The puck is off, or on; with `points`, on one of these."""

    on: bool
    points: frozenset[int] = frozenset()

    def referenced_points(self) -> frozenset[int]:
        """Return the points."""
        return self.points

    def holds(self, view: PlayerView, memory: Memory) -> bool:
        """Return whether the puck is as required."""
        if view.point is None:
            return not self.on
        return self.on and (not self.points or view.point in self.points)


puck_on = PuckState(True)
puck_off = PuckState(False)


def point(*numbers: int) -> Condition:
    """Return a condition that holds while the point is one of the numbers.

    >>> point(6, 8).points == {6, 8}
    True
    """
    if not numbers or any(type(number) is not int for number in numbers):
        raise StrategyError(f"points must be whole numbers, got {', '.join(map(repr, numbers)) or 'none'}")
    return PuckState(True, frozenset(numbers))


@dataclass(frozen=True, slots=True)
class NewShooter(Condition):
    """The shooter has not rolled yet."""

    def holds(self, view: PlayerView, memory: Memory) -> bool:
        """Return whether a hand is about to start."""
        return view.hand_stage == "new"


new_shooter = NewShooter()


@dataclass(frozen=True, slots=True)
class BetsUp(Condition):
    """At least `at_least` wagers on a spot or of a kind, or odds bets of a kind, are up."""

    target: Spot
    at_least: int = 1

    def referenced_spots(self) -> frozenset[Spot]:
        """Return the target."""
        return frozenset({self.target})

    def holds(self, view: PlayerView, memory: Memory) -> bool:
        """Return whether enough of them are up."""
        return len(view.bets_on(self.target)) >= self.at_least


def up(target: Spot | str, at_least: int = 1) -> Condition:
    """Return a condition that holds while at least this many bets on a spot or of a kind are up."""
    return BetsUp(parse_spot(target), parse_count(at_least))


ResultName = Literal["win", "lose", "push"]

_RESULTS: Final[Mapping[ResultName, Result]] = {"win": Result.WIN, "lose": Result.LOSE, "push": Result.PUSH}


@dataclass(frozen=True, slots=True)
class LastResult(Condition):
    """The last roll that resolved a bet on the target gave this result for at least one of them.

    With `last_roll_only`, that roll must also be the last one of all.
    """

    target: Spot
    result: Result
    last_roll_only: bool

    def referenced_spots(self) -> frozenset[Spot]:
        """Return the target."""
        return frozenset({self.target})

    def initial_memory(self) -> Memory:
        """Return False: nothing was resolved yet."""
        return False

    def holds(self, view: PlayerView, memory: Memory) -> bool:
        """Return whether the last result was this one."""
        return bool(memory)

    def next_memory(self, memory: Memory, outcome: RollOutcome) -> Memory:
        """Return whether the last result, this roll included, was this one."""
        resolved = [result for result in outcome.results(self.target) if result in _RESULTS.values()]
        if resolved:
            return self.result in resolved
        return False if self.last_roll_only else memory


def last_result(target: Spot | str, result: ResultName) -> Condition:
    """Return a condition that holds while the most recent result of a bet is this one.

    A seven-out does not reset it.
    """
    return LastResult(parse_spot(target), _RESULTS[parse_result_name(result)], last_roll_only=False)


def last_roll_result(target: Spot | str, result: ResultName) -> Condition:
    """Return a condition that holds if the previous roll gave a bet this result."""
    return LastResult(parse_spot(target), _RESULTS[parse_result_name(result)], last_roll_only=True)


def parse_result_name(name: object) -> ResultName:
    """Return the name of a result. Raise StrategyError unless it is "win", "lose" or "push"."""
    for known in _RESULTS:
        if name == known:
            return known
    raise StrategyError(f"result must be win, lose or push, got {name!r}")


@dataclass(frozen=True, slots=True)
class CountAtLeast(Condition):
    """Something happened at least `at_least` times since the shooter's hand began.

    With a `target`, these `results` of it are counted; with `totals`, the rolls of these totals; with `points_made`,
    the points the shooter made; otherwise every roll.
    """

    at_least: int
    target: Spot | None = None
    results: frozenset[Result] = frozenset()
    totals: frozenset[int] = frozenset()
    points_made: bool = False

    def referenced_spots(self) -> frozenset[Spot]:
        """Return the target, if there is one."""
        return frozenset({self.target} if self.target else ())

    def initial_memory(self) -> Memory:
        """Return a count of 0."""
        return 0

    def holds(self, view: PlayerView, memory: Memory) -> bool:
        """Return whether the count is high enough."""
        return bool(memory >= self.at_least)

    def next_memory(self, memory: Memory, outcome: RollOutcome) -> Memory:
        """Return the count after a roll, never above `at_least`. A seven-out resets it."""
        if outcome.seven_out:
            return 0
        return min(self.at_least, memory + self._count(outcome))

    def _count(self, outcome: RollOutcome) -> int:
        if self.target is not None:
            return sum(result in self.results for result in outcome.results(self.target))
        if self.totals:
            return int(outcome.roll.total in self.totals)
        if self.points_made:
            return int(outcome.puck_before > 0 and outcome.puck_after == 0)
        return 1


def hits(target: Spot | str, at_least: int = 1) -> Condition:
    """Return a condition that holds once the bets on a target have won this many times in the shooter's hand."""
    return CountAtLeast(parse_count(at_least), parse_spot(target), frozenset({Result.WIN}))


def losses(target: Spot | str, at_least: int = 1) -> Condition:
    """Return a condition that holds once the bets on a target have lost this many times in the shooter's hand."""
    return CountAtLeast(parse_count(at_least), parse_spot(target), frozenset({Result.LOSE}))


def decisions(target: Spot | str, at_least: int = 1) -> Condition:
    """Return a condition that holds once the bets on a target were resolved this many times in the shooter's hand.

    Wins, losses and pushes count. Use ~decisions(...) to limit the number of bets for each shooter.
    """
    return CountAtLeast(parse_count(at_least), parse_spot(target), frozenset(_RESULTS.values()))


def totals_rolled(*totals: int, at_least: int = 1) -> Condition:
    """Return a condition that holds once these totals have been rolled this many times in the shooter's hand.

    The totals are counted together.
    """
    if not totals or any(type(total) is not int or not 2 <= total <= 12 for total in totals):
        raise StrategyError(f"totals must be from 2 to 12, got {', '.join(map(repr, totals)) or 'none'}")
    return CountAtLeast(parse_count(at_least), totals=frozenset(totals))


def points_made(at_least: int = 1) -> Condition:
    """Return a condition that holds once the shooter has made this many points."""
    return CountAtLeast(parse_count(at_least), points_made=True)


def rolls(at_least: int) -> Condition:
    """Return a condition that holds once the shooter has rolled this many times."""
    return CountAtLeast(parse_count(at_least))


def parse_count(value: object) -> int:
    """Return a count from 1 to 1000. Raise StrategyError for anything else."""
    if type(value) is not int or not 0 < value <= 1000:
        raise StrategyError(f"count must be from 1 to 1000, got {value!r}")
    return value


@dataclass(frozen=True, slots=True)
class AllOf(Condition):
    """All of several conditions hold."""

    conditions: tuple[Condition, ...]

    def referenced_spots(self) -> frozenset[Spot]:
        """Return the spots of all of them."""
        return frozenset(spot for condition in self.conditions for spot in condition.referenced_spots())

    def referenced_points(self) -> frozenset[int]:
        """Return the points of all of them."""
        return frozenset(number for condition in self.conditions for number in condition.referenced_points())

    def initial_memory(self) -> Memory:
        """Return a tuple of their memories, or None if none of them remembers anything."""
        memories = tuple(condition.initial_memory() for condition in self.conditions)
        return None if all(memory is None for memory in memories) else memories

    def _with_memories(self, memory: Memory) -> Iterable[tuple[Condition, Memory]]:
        return zip(self.conditions, repeat(None) if memory is None else memory, strict=False)

    def holds(self, view: PlayerView, memory: Memory) -> bool:
        """Return whether all of them hold."""
        return all(condition.holds(view, own) for condition, own in self._with_memories(memory))

    def next_memory(self, memory: Memory, outcome: RollOutcome) -> Memory:
        """Return a tuple of their memories after a roll."""
        if memory is None:
            return None
        return tuple(condition.next_memory(own, outcome) for condition, own in self._with_memories(memory))


@dataclass(frozen=True, slots=True)
class AnyOf(AllOf):
    """At least one of several conditions holds."""

    def holds(self, view: PlayerView, memory: Memory) -> bool:
        """Return whether any of them holds."""
        return any(condition.holds(view, own) for condition, own in self._with_memories(memory))


@dataclass(frozen=True, slots=True)
class Not(Condition):
    """Another condition does not hold."""

    condition: Condition

    def referenced_spots(self) -> frozenset[Spot]:
        """Return the spots of the negated condition."""
        return self.condition.referenced_spots()

    def referenced_points(self) -> frozenset[int]:
        """Return the points of the negated condition."""
        return self.condition.referenced_points()

    def initial_memory(self) -> Memory:
        """Return the first memory of the negated condition."""
        return self.condition.initial_memory()

    def holds(self, view: PlayerView, memory: Memory) -> bool:
        """Return whether the negated condition does not hold."""
        return not self.condition.holds(view, memory)

    def next_memory(self, memory: Memory, outcome: RollOutcome) -> Memory:
        """Return the memory of the negated condition after a roll."""
        return self.condition.next_memory(memory, outcome)
