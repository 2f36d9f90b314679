"""How much: a fixed stake, a ladder, a parlay, or Oscar's grind. Each remembers what it needs, and no more."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Any, Literal

from trueodds.money import Cents, checked_stake
from trueodds.notation import parse_amount
from trueodds.rulebook import Spot
from trueodds.strategy.errors import StrategyError
from trueodds.strategy.view import Outcome, spot_of
from trueodds.wagers import Result

Move = int | Literal["start"]
"""Rungs to climb (or, negative, to come down), or back to the first rung."""


RUNGS_MOST = 200


def cents(amount: object, what: str = "a stake") -> Cents:
    """Read units of the currency: 10, "12.50". Cents themselves are only counted inside.

    >>> cents(10), cents("12.50")
    (1000, 1250)
    """
    if type(amount) is int:
        return checked_stake(amount * 100, what)
    if isinstance(amount, str):
        return checked_stake(int(parse_amount(amount)), what)
    msg = f'{what} is a whole number of dollars or a text like "12.50", not {amount!r}'
    raise StrategyError(msg)


class Amount(ABC):
    """How much to bet next, by what was decided so far; from finitely many memories."""

    @property
    def varies(self) -> bool:
        """Tell whether it can ever be another stake than the first."""
        return True

    def followed(self, spot: Spot) -> Spot:
        """Name the wagers whose decisions it goes by: those on the spot itself unless it follows others."""
        return spot

    @abstractmethod
    def start(self) -> Any:
        """Give the memory before the first throw; None when there is nothing it will ever remember."""

    @abstractmethod
    def at(self, memory: Any) -> Cents:
        """Give the stake."""

    @abstractmethod
    def remember(self, memory: Any, spot: Spot, outcome: Outcome) -> Any:
        """Give the memory after a throw."""


@dataclass(frozen=True, slots=True)
class Ladder(Amount):
    """Stakes to climb: a win and a loss each move so many rungs.

    Beyond the last rung it stays there, or starts again with `past_end="start"`; below the first it stays on the first.
    With `each_shooter` every shooter starts on the first rung. With `follow` other wagers than its own move it.
    """

    rungs: tuple[Cents, ...]
    win: Move = 0
    lose: Move = 0
    past_end: Literal["stay", "start"] = "stay"
    each_shooter: bool = False
    follow: Spot | None = None

    @property
    def varies(self) -> bool:
        """Tell whether there is more than one rung."""
        return len(self.rungs) > 1

    def followed(self, spot: Spot) -> Spot:
        """Go by the wagers it follows."""
        return self.follow or spot

    def start(self) -> int | None:
        """Begin on the first rung; one that has no other remembers nothing."""
        return 0 if self.varies else None

    def at(self, memory: int | None) -> Cents:
        """Give the stake on a rung."""
        return self.rungs[memory or 0]

    def remember(self, memory: int | None, spot: Spot, outcome: Outcome) -> int | None:
        """Move by every decision on the wagers in question."""
        if memory is None:
            return None
        if self.each_shooter and outcome.seven_out:
            return 0
        for result in outcome.results(self.followed(spot)):
            if result is Result.WIN:
                memory = self._moved(memory, self.win)
            elif result is Result.LOSE:
                memory = self._moved(memory, self.lose)
        return memory

    def _moved(self, rung: int, move: Move) -> int:
        if move == "start":
            return 0
        rung = max(0, rung + move)
        if rung < len(self.rungs):
            return rung
        return 0 if self.past_end == "start" else len(self.rungs) - 1


def ladder(
    *rungs: int | str,
    win: Move = 0,
    lose: Move = 0,
    past_end: Literal["stay", "start"] = "stay",
    each_shooter: object = False,
    follow: Spot | str | None = None,
) -> Ladder:
    """Make a ladder of stakes.

    >>> martingale = ladder(10, 20, 40, win="start", lose=1, past_end="start")
    >>> fibonacci = ladder(10, 10, 20, 30, 50, 80, lose=1, win=-2)
    """
    if len(rungs) > RUNGS_MOST:
        raise StrategyError(f"a ladder has up to {RUNGS_MOST} rungs, not {len(rungs):,}")
    if not rungs:
        raise StrategyError("a ladder has at least one rung")
    return Ladder(
        tuple(cents(rung) for rung in rungs),
        move_of(win),
        move_of(lose),
        end_of(past_end),
        truth_of("each_shooter", each_shooter),
        None if follow is None else spot_of(follow),
    )


def move_of(move: object) -> Move:
    """Read how far a ladder moves."""
    if move == "start":
        return "start"
    if type(move) is not int:
        msg = f'a ladder moves by a number of rungs or to the "start", not {move!r}'
        raise StrategyError(msg)
    return move


def end_of(past_end: object) -> Literal["stay", "start"]:
    """Read what happens past the end of a ladder."""
    if past_end == "stay":
        return "stay"
    if past_end == "start":
        return "start"
    msg = f"past its end a ladder stays or goes to the start, not {past_end!r}"
    raise StrategyError(msg)


def truth_of(what: str, value: object) -> bool:
    """Read true or false."""
    if not isinstance(value, bool):
        msg = f"{what} is true or false, not {value!r}"
        raise StrategyError(msg)
    return value


def amount_of(amount: object) -> Amount:
    """Read a stake; a fixed one is a ladder of one rung."""
    return amount if isinstance(amount, Amount) else Ladder((cents(amount),))
