"""Conditions: when a part of a strategy acts. Each carries the little memory it needs, and no more.

Combine them with `&`, `|` and `~`.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import repeat
from typing import Any, Literal

from trueodds.rulebook import Spot
from trueodds.strategy.errors import StrategyError
from trueodds.strategy.view import Outcome, View, spot_of
from trueodds.wagers import Result

Memory = Any
"""What a part or a condition remembers: any hashable value."""


@dataclass(frozen=True, slots=True)
class Condition:
    """Always true; the others override what they need."""

    def asks_about(self) -> frozenset[Spot]:
        """Which spots or kinds of wagers or odds it asks about."""
        return frozenset()

    def points_named(self) -> frozenset[int]:
        """Which points it waits for."""
        return frozenset()

    def start(self) -> Memory:
        """Give the memory before the first throw; None when there is nothing it will ever remember."""
        return None

    def holds(self, view: View, memory: Any) -> bool:
        """Tell whether to act now."""
        return True

    def remember(self, memory: Any, outcome: Outcome) -> Memory:
        """Give the memory after a throw."""
        return memory

    def __and__(self, other: Condition) -> Condition:
        check_condition(other)
        return All((self, other))

    def __or__(self, other: Condition) -> Condition:
        check_condition(other)
        return AnyOf((self, other))

    def __bool__(self) -> bool:
        raise StrategyError("combine conditions with & and | and ~, not with and, or and not")

    def __invert__(self) -> Condition:
        return Not(self)


def check_condition(value: object) -> None:
    """Refuse what is no condition."""
    if not isinstance(value, Condition):
        msg = f"a condition is like puck_on or hits('place:6', 2), not {value!r}"
        raise StrategyError(msg)


always = Condition()


@dataclass(frozen=True, slots=True)
class Puck(Condition):
    """The puck is on, optionally on certain points; or off."""

    on: bool
    points: frozenset[int] = frozenset()

    def points_named(self) -> frozenset[int]:
        """Wait for these."""
        return self.points

    def holds(self, view: View, memory: Any) -> bool:
        """Look at the puck."""
        if view.point is None:
            return not self.on
        return self.on and (not self.points or view.point in self.points)


puck_on = Puck(True)
puck_off = Puck(False)


def point(*numbers: int) -> Condition:
    """While the point is one of these.

    >>> point(6, 8).points == {6, 8}
    True
    """
    if not numbers or any(type(number) is not int for number in numbers):
        msg = f"points are numbers, not {', '.join(map(repr, numbers)) or 'nothing'}"
        raise StrategyError(msg)
    return Puck(True, frozenset(numbers))


@dataclass(frozen=True, slots=True)
class NewShooter(Condition):
    """Before a shooter's first come-out."""

    def holds(self, view: View, memory: Any) -> bool:
        """Look at the hand."""
        return view.hand == "new"


new_shooter = NewShooter()


@dataclass(frozen=True, slots=True)
class Up(Condition):
    """At least so many wagers on a spot or of a kind, or odds of a kind, are up."""

    what: Spot
    least: int = 1

    def asks_about(self) -> frozenset[Spot]:
        """Ask about those."""
        return frozenset({self.what})

    def holds(self, view: View, memory: Any) -> bool:
        """Count them."""
        return len(view.meant(self.what)) >= self.least


def up(what: Spot | str, least: int = 1) -> Condition:
    """While so many wagers of a kind are up."""
    return Up(spot_of(what), count_of(least))


_RESULTS = {"win": Result.WIN, "lose": Result.LOSE, "push": Result.PUSH}


@dataclass(frozen=True, slots=True)
class Last(Condition):
    """The last throw that decided such a wager decided one of them this way; `just`: and it was the last throw."""

    what: Spot
    result: Result
    just: bool

    def asks_about(self) -> frozenset[Spot]:
        """Ask about those."""
        return frozenset({self.what})

    def start(self) -> Memory:
        """Nothing was decided yet."""
        return False

    def holds(self, view: View, memory: Any) -> bool:
        """Recall."""
        return bool(memory)

    def remember(self, memory: Any, outcome: Outcome) -> Memory:
        """Note whether the newest decision was the one in question."""
        decided = [result for result in outcome.results(self.what) if result in _RESULTS.values()]
        if decided:
            return self.result in decided
        return False if self.just else memory


def last(what: Spot | str, result: Literal["win", "lose", "push"]) -> Condition:
    """While the last decision on a wager was a win, a loss or a push."""
    return Last(spot_of(what), _result(result), just=False)


def just(what: Spot | str, result: Literal["win", "lose", "push"]) -> Condition:
    """Right after the throw that decided a wager this way."""
    return Last(spot_of(what), _result(result), just=True)


def _result(word: object) -> Result:
    if not isinstance(word, str) or word not in _RESULTS:
        msg = f"a result is win, lose or push, not {word!r}"
        raise StrategyError(msg)
    return _RESULTS[word]


@dataclass(frozen=True, slots=True)
class Counted(Condition):
    """At least so many since the shooter began: decisions on a wager, certain totals thrown, points made, throws."""

    least: int
    of: Spot | None = None
    results: frozenset[Result] = frozenset()
    totals: frozenset[int] = frozenset()
    points: bool = False

    def asks_about(self) -> frozenset[Spot]:
        """Ask about a wager where its decisions are counted."""
        return frozenset({self.of} if self.of else ())

    def start(self) -> Memory:
        """Count from nothing."""
        return 0

    def holds(self, view: View, memory: Any) -> bool:
        """Compare."""
        return bool(memory >= self.least)

    def remember(self, memory: Any, outcome: Outcome) -> Memory:
        """Count on, never further than matters; a new shooter begins anew."""
        if outcome.seven_out:
            return 0
        return min(self.least, memory + self._seen(outcome))

    def _seen(self, outcome: Outcome) -> int:
        if self.of is not None:
            return sum(result in self.results for result in outcome.results(self.of))
        if self.totals:
            return int(outcome.roll.total in self.totals)
        if self.points:
            return int(outcome.puck > 0 and outcome.puck_after == 0)
        return 1


def hits(what: Spot | str, least: int = 1) -> Condition:
    """After a wager has won so often since the shooter began."""
    return Counted(count_of(least), spot_of(what), frozenset({Result.WIN}))


def losses(what: Spot | str, least: int = 1) -> Condition:
    """After a wager has lost so often since the shooter began."""
    return Counted(count_of(least), spot_of(what), frozenset({Result.LOSE}))


def decided(what: Spot | str, least: int = 1) -> Condition:
    """After a wager has been won, lost or pushed so often since the shooter began: a cap on bets for each shooter."""
    return Counted(count_of(least), spot_of(what), frozenset(_RESULTS.values()))


def thrown(*totals: int, least: int = 1) -> Condition:
    """After these totals have come so often since the shooter began."""
    if not totals or any(type(total) is not int or not 2 <= total <= 12 for total in totals):
        msg = f"totals go from 2 to 12, not {totals}"
        raise StrategyError(msg)
    return Counted(count_of(least), totals=frozenset(totals))


def points_made(least: int = 1) -> Condition:
    """After the shooter has made so many points."""
    return Counted(count_of(least), points=True)


def throws(least: int) -> Condition:
    """After the shooter has thrown so often."""
    return Counted(count_of(least))


def count_of(value: object) -> int:
    """Read how many."""
    if type(value) is not int or not 0 < value <= 1000:
        msg = f"a count goes from 1 to 1000, not {value!r}"
        raise StrategyError(msg)
    return value


@dataclass(frozen=True, slots=True)
class All(Condition):
    """All of several."""

    conditions: tuple[Condition, ...]

    def asks_about(self) -> frozenset[Spot]:
        """Ask about what each of them asks about."""
        return frozenset(spot for one in self.conditions for spot in one.asks_about())

    def points_named(self) -> frozenset[int]:
        """Wait for what each of them waits for."""
        return frozenset(number for one in self.conditions for number in one.points_named())

    def start(self) -> Memory:
        """Remember for each, if any of them remembers."""
        memories = tuple(one.start() for one in self.conditions)
        return None if all(memory is None for memory in memories) else memories

    def _each(self, memory: Any) -> Iterable[tuple[Condition, Memory]]:
        return zip(self.conditions, repeat(None) if memory is None else memory, strict=False)

    def holds(self, view: View, memory: Any) -> bool:
        """Ask each."""
        return all(one.holds(view, its) for one, its in self._each(memory))

    def remember(self, memory: Any, outcome: Outcome) -> Memory:
        """Remember for each."""
        return None if memory is None else tuple(one.remember(its, outcome) for one, its in self._each(memory))


@dataclass(frozen=True, slots=True)
class AnyOf(All):
    """At least one of several."""

    def holds(self, view: View, memory: Any) -> bool:
        """Ask each."""
        return any(one.holds(view, its) for one, its in self._each(memory))


@dataclass(frozen=True, slots=True)
class Not(Condition):
    """The contrary."""

    condition: Condition

    def asks_about(self) -> frozenset[Spot]:
        """Ask about the same."""
        return self.condition.asks_about()

    def points_named(self) -> frozenset[int]:
        """Wait for the same."""
        return self.condition.points_named()

    def start(self) -> Memory:
        """Remember the same."""
        return self.condition.start()

    def holds(self, view: View, memory: Any) -> bool:
        """Turn the answer round."""
        return not self.condition.holds(view, memory)

    def remember(self, memory: Any, outcome: Outcome) -> Memory:
        """Remember the same."""
        return self.condition.remember(memory, outcome)
