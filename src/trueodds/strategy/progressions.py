"""Progressions that go by money and not by rungs: a parlay lets wins ride, Oscar's grind wins a unit at a time."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from trueodds.money import Cents
from trueodds.rulebook import Spot
from trueodds.strategy.amount import Amount, cents
from trueodds.strategy.errors import StrategyError
from trueodds.strategy.view import Outcome, profit_of
from trueodds.wagers import Result


@dataclass(frozen=True, slots=True)
class Parlay(Amount):
    """Let wins ride: the next stake is the last one and a share of what it won, down to a multiple of the step.

    A loss starts again, and so does the last of so many wins in a row: there are only so many stakes to remember. Where
    the bet that won was of another stake than it should have been by now, its win counts in proportion.
    """

    stake: Cents
    wins: int
    ride: int
    """How much of a win rides, in per cent."""
    step: Cents

    def start(self) -> tuple[Cents, int]:
        """Begin with the first stake and no win."""
        return (self.stake, 0)

    def at(self, memory: tuple[Cents, int]) -> Cents:
        """Give what rides."""
        return memory[0]

    def remember(self, memory: tuple[Cents, int], spot: Spot, outcome: Outcome) -> tuple[Cents, int]:
        """Let a win ride; start again after a loss, or after the last win."""
        for ruling in outcome.rulings_on(spot):
            if ruling.result is Result.WIN:
                memory = self._won(memory, Fraction(profit_of(ruling), ruling.stake))
            elif ruling.result is Result.LOSE:
                memory = self.start()
        return memory

    def _won(self, memory: tuple[Cents, int], ratio: Fraction) -> tuple[Cents, int]:
        stake, wins = memory[0], memory[1] + 1
        if wins >= self.wins:
            return self.start()
        riding = stake + int(stake * ratio * self.ride / 100)
        return (Cents(max(self.stake, riding // self.step * self.step)), wins)


def parlay(stake: Any, wins: object = 2, ride: object = 100, step: Any = 1) -> Parlay:
    """Make a parlay: so many wins in a row are let ride, wholly or in part, and then it starts again.

    The stakes are multiples of `step` once something rides: parlay(12, wins=3, ride=50, step=6) for a place bet on 6.

    >>> parlay(10, wins=3).at((40_00, 2))
    4000
    """
    return Parlay(cents(stake), wins_of(wins), ride_of(ride), cents(step, "a step"))


def wins_of(wins: object) -> int:
    """Read how many wins in a row a parlay is for."""
    if type(wins) is not int or not 2 <= wins <= 10:
        msg = f"a parlay is for 2 to 10 wins in a row, not {wins!r}"
        raise StrategyError(msg)
    return wins


def ride_of(ride: object) -> int:
    """Read how many per cent of a win ride."""
    if type(ride) is not int or not 1 <= ride <= 100:
        msg = f"1 to 100 per cent of a win ride, not {ride!r}"
        raise StrategyError(msg)
    return ride


@dataclass(frozen=True, slots=True)
class Grind(Amount):
    """Oscar's grind: cycles that each win one unit.

    A loss leaves the stake as it is. A win puts one unit on it, but never more than what would end the cycle one unit
    ahead at even money, in whole units. One unit ahead a cycle is won and the next begins; so it does when the cycle is
    so far behind that it is given up, which keeps the memory finite.
    """

    unit: Cents
    give_up: Cents

    def start(self) -> tuple[int, int]:
        """Begin a cycle with nothing won and one unit."""
        return (0, self.unit)

    def at(self, memory: tuple[int, int]) -> Cents:
        """Give the stake."""
        return Cents(memory[1])

    def remember(self, memory: tuple[int, int], spot: Spot, outcome: Outcome) -> tuple[int, int]:
        """Count what the cycle has brought, and raise after a win."""
        for ruling in outcome.rulings_on(spot):
            if ruling.result in (Result.WIN, Result.LOSE):
                memory = self._counted(memory, profit_of(ruling), won=ruling.result is Result.WIN)
        return memory

    def _counted(self, memory: tuple[int, int], profit: int, *, won: bool) -> tuple[int, int]:
        brought, stake = memory[0] + profit, memory[1]
        if brought >= self.unit or brought <= -self.give_up:
            return self.start()
        if not won:
            return (brought, stake)
        needed = -((brought - self.unit) // self.unit) * self.unit
        return (brought, min(stake + self.unit, needed))


def grind(unit: Any, give_up: Any) -> Grind:
    """Make Oscar's grind in a unit; a cycle that is `give_up` behind is given up.

    >>> grind(10, give_up=200).at((-1000, 1000))
    1000
    """
    one, most = cents(unit, "a unit"), cents(give_up, "what is given up at")
    if most < one:
        raise StrategyError("a grind is given up when at least a unit is lost")
    if most > 1000 * one:
        raise StrategyError("a grind is given up within a thousand units")
    return Grind(one, most)
