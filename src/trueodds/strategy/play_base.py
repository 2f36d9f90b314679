"""The parts a strategy is put together from, and the strategy itself.

A part says which wagers it touches, what it does in a view, and what it remembers of a throw. It is a pure value: the
same view and memory always give the same steps. A strategy is a list of parts, added up with `+`.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Hashable, Iterable
from dataclasses import dataclass, field, replace
from typing import Any, Final

from trueodds.rulebook import Spot
from trueodds.strategy.condition import Condition, Memory, always, check_condition
from trueodds.strategy.errors import StrategyError
from trueodds.strategy.source import Source
from trueodds.strategy.step import Step
from trueodds.strategy.view import Outcome, View, base_of, why_unknown
from trueodds.wagers import Rules

UNNAMED: Final = "the strategy"


@dataclass(frozen=True, kw_only=True)
class Part(ABC):
    """One thing a strategy does, while a condition holds. Kinds of parts say what they touch and do, and remember."""

    condition: Condition = always

    source: Source | None = field(default=None, compare=False, repr=False)
    """Where it was written, if it was read from a file."""

    by_pair: bool = field(default=False, init=False)
    """Whether what it remembers can depend on the faces of the dice and not only on their sum."""

    def when(self, condition: Condition) -> Part:
        """Do it only while a condition holds, with any it has already."""
        check_condition(condition)
        return replace(self, condition=condition if self.condition is always else self.condition & condition)

    def touches(self, rules: Rules) -> frozenset[Spot] | None:
        """Name the spots or kinds whose wagers it looks at or changes; None: all of them."""
        mine = self.touched(rules)
        asked = frozenset(base_of(rules, what) for what in self.condition.asks_about())
        return None if mine is None else mine | asked

    def check(self, rules: Rules) -> None:
        """Refuse what makes no sense under these rules before any bet is made; a bet itself the verifier answers."""
        for what in sorted(self.condition.asks_about() | self.names()):
            unknown = why_unknown(rules, what)
            if unknown:
                raise self.error(unknown, what)
        strange = self.condition.points_named() - rules.points
        if strange:
            raise self.error(f"{', '.join(map(str, sorted(strange)))} is no point in {rules.book.title}")

    def error(self, what: str, spot: Spot | None = None) -> StrategyError:
        """Make an error of it that says where it was written, or where it names a spot."""
        return StrategyError(f"{self.source.at(spot)}: {what}" if self.source else what)

    def names(self) -> frozenset[Spot]:
        """Which spots or kinds it names without betting on them."""
        return frozenset()

    def start(self) -> Memory:
        """Give the memory before the first throw; None when there is nothing it will ever remember."""
        own, of_condition = self.own_start(), self.condition.start()
        return None if own is None and of_condition is None else (own, of_condition)

    def decide(self, view: View, memory: Any) -> Iterable[Step]:
        """Say what to do now."""
        own, of_condition = memory or (None, None)
        return self.acts(view, own) if self.condition.holds(view, of_condition) else ()

    def remember(self, memory: Any, outcome: Outcome) -> Memory:
        """Give the memory after a throw."""
        if memory is None:
            return None
        own, of_condition = memory
        return (self.own_remember(own, outcome), self.condition.remember(of_condition, outcome))

    @abstractmethod
    def touched(self, rules: Rules) -> frozenset[Spot] | None:
        """Name the spots or kinds that `acts` and `own_remember` look at."""

    @abstractmethod
    def acts(self, view: View, memory: Any) -> Iterable[Step]:
        """Say what to do while the condition holds."""

    def own_start(self) -> Memory:
        """Give the part's own memory, next to its condition's."""
        return None

    def own_remember(self, memory: Any, outcome: Outcome) -> Memory:
        """Give the part's own memory after a throw."""
        return memory

    def __add__(self, other: Part | Strategy) -> Strategy:
        return Strategy((self,)) + other


@dataclass(frozen=True)
class Strategy:
    """Parts that act one after the other in one decision, each seeing what those before it did.

    >>> from trueodds.strategy import Come, Pass, keep, odds
    >>> molly = keep(Pass(10)) + odds("3-4-5") + keep(Come(10), up_to=2)
    >>> len(molly.parts)
    3
    """

    parts: tuple[Part, ...]
    name: str = UNNAMED
    about: str = ""
    needs: str = ""

    def __post_init__(self) -> None:
        """Refuse a strategy that does nothing at all."""
        if not self.parts:
            raise StrategyError(f"{self.name} has no parts")
        for part in self.parts:
            if not isinstance(part, Part):
                msg = f"a strategy is made of parts, like keep(Pass(10)), not {part!r}"  # type: ignore[unreachable]
                raise StrategyError(msg)

    def __add__(self, other: Part | Strategy) -> Strategy:
        more = other if isinstance(other, Strategy) else Strategy((other,))
        names = [one.name if one.name != UNNAMED else "more" for one in (self, more)]
        return Strategy(self.parts + more.parts, UNNAMED if names == ["more", "more"] else " and ".join(names))

    def when(self, condition: Condition) -> Strategy:
        """Do every part only while a condition holds."""
        return replace(self, parts=tuple(part.when(condition) for part in self.parts))

    def named(self, name: str, about: str = "", needs: str = "") -> Strategy:
        """Give it a name, say what it is, and what a table must offer and a player bring for it."""
        return replace(self, name=name, about=about or self.about, needs=needs or self.needs)

    def start(self) -> tuple[Memory, ...]:
        """Give every part's memory before the first throw."""
        return tuple(part.start() for part in self.parts)


Decide = Callable[[View, Any], Any]
Remember = Callable[[Any, Outcome], Any]


def _forget(memory: Any, outcome: Outcome) -> Any:  # noqa: ARG001  the shape of every `remember`
    """Remember nothing new."""
    return memory


@dataclass(frozen=True, kw_only=True)
class Function(Part):
    """Any pure function of the view and an explicit memory. It sees every wager of the player."""

    deciding: Decide
    remembering: Remember = _forget
    memory: Hashable = None
    by_pair: bool = field(default=True, init=False)

    def touched(self, rules: Rules) -> None:
        """It may look at anything."""
        return

    def acts(self, view: View, memory: Any) -> Iterable[Step]:
        """Ask the function."""
        steps = self.deciding(view, self.memory if memory is None else memory[0])
        if not isinstance(steps, Iterable):
            msg = f"a decision is a list of steps, not {steps!r}"
            raise StrategyError(msg)
        return steps

    def own_start(self) -> Memory:
        """Begin with the memory given, wrapped: None is a memory like any other where something is remembered."""
        return None if self.remembering is _forget else self._wrapped(self.memory)

    def own_remember(self, memory: Any, outcome: Outcome) -> Memory:
        """Ask the function."""
        return self._wrapped(self.remembering(memory[0], outcome))

    @staticmethod
    def _wrapped(memory: Any) -> tuple[Any]:
        try:
            hash(memory)
        except TypeError:
            msg = f"a memory is hashable, like numbers, texts and tuples, not {memory!r}"
            raise StrategyError(msg) from None
        return (memory,)


def function(
    decide: Decide, remember: Remember | None = None, memory: Hashable = None, *, name: str | None = None
) -> Strategy:
    """Make a strategy of a pure function: `decide(view, memory)` gives steps, `remember(memory, outcome)` a memory.

    >>> from trueodds.strategy import Put
    >>> def field_only(view, memory):
    ...     return [Put(Spot("field"), 500)]
    >>> function(field_only).name
    'field_only'
    """
    part = Function(deciding=decide, remembering=remember or _forget, memory=memory)
    return Strategy((part,), name or str(getattr(decide, "__name__", "a function")))
