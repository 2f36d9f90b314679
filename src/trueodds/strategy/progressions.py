"""Staking plans that depend on money won: a parlay lets wins ride, Oscar's grind wins one unit per cycle."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from trueodds.money import Cents, Dollars, parse_dollars
from trueodds.rulebook import Spot
from trueodds.strategy.errors import StrategyError
from trueodds.strategy.player_view import RollOutcome, profit_cents
from trueodds.strategy.staking import StakingPlan
from trueodds.wagers import Result


@dataclass(frozen=True, slots=True)
class Parlay(StakingPlan):
    """Let wins ride: add a percentage of each win to the stake, and round the new stake down to a multiple of the step.

    A loss starts over, and so does the last of `wins` wins in a row, which keeps the memory finite. If the bet that won
    had another stake than the plan's current one, its win counts in proportion.
    """

    first_stake_cents: Cents
    wins: int
    ride_percent: int
    step_cents: Cents

    def initial_memory(self) -> tuple[Cents, int]:
        """Return the first stake and no wins."""
        return (self.first_stake_cents, 0)

    def stake_cents_at(self, memory: tuple[Cents, int]) -> Cents:
        """Return the stake that rides."""
        return memory[0]

    def next_memory(self, memory: tuple[Cents, int], spot: Spot, outcome: RollOutcome) -> tuple[Cents, int]:
        """Return the stake and the number of wins in a row after a roll."""
        for settlement in outcome.settlements_on(spot):
            if settlement.result is Result.WIN:
                memory = self._after_win(memory, Fraction(profit_cents(settlement), settlement.stake_cents))
            elif settlement.result is Result.LOSE:
                memory = self.initial_memory()
        return memory

    def _after_win(self, memory: tuple[Cents, int], ratio: Fraction) -> tuple[Cents, int]:
        stake, wins = memory[0], memory[1] + 1
        if wins >= self.wins:
            return self.initial_memory()
        riding = stake + int(stake * ratio * self.ride_percent / 100)
        return (Cents(max(self.first_stake_cents, riding // self.step_cents * self.step_cents)), wins)


def parlay(stake: Dollars, wins: int = 2, ride_percent: int = 100, step: Dollars = 1) -> Parlay:
    """Return a parlay that starts over after `wins` wins in a row.

    Once something rides, stakes are multiples of `step` dollars: parlay(12, wins=3, ride_percent=50, step=6) suits a
    place bet on 6.

    >>> parlay(10, wins=3).stake_cents_at((40_00, 2))
    4000
    """
    return Parlay(
        parse_dollars(stake, "stake"), parse_wins(wins), parse_ride_percent(ride_percent), parse_dollars(step, "step")
    )


def parse_wins(wins: object) -> int:
    """Return the number of wins in a row of a parlay. Raise StrategyError unless it is from 2 to 10."""
    if type(wins) is not int or not 2 <= wins <= 10:
        raise StrategyError(f"wins must be from 2 to 10, got {wins!r}")
    return wins


def parse_ride_percent(ride_percent: object) -> int:
    """Return the percentage of a win that rides. Raise StrategyError unless it is from 1 to 100."""
    if type(ride_percent) is not int or not 1 <= ride_percent <= 100:
        raise StrategyError(f"ride_percent must be from 1 to 100, got {ride_percent!r}")
    return ride_percent


@dataclass(frozen=True, slots=True)
class Grind(StakingPlan):
    """Oscar's grind: cycles that each win one unit.

    A loss leaves the stake unchanged. A win raises it by one unit, but only so far that an even-money win would end the
    cycle one unit ahead, rounded up to whole units. A cycle ends when it is at least one unit ahead, or at least
    `give_up_cents` behind, which keeps the memory finite.
    """

    unit_cents: Cents
    give_up_cents: Cents

    def initial_memory(self) -> tuple[int, int]:
        """Return a new cycle: no profit, and a stake of one unit."""
        return (0, self.unit_cents)

    def stake_cents_at(self, memory: tuple[int, int]) -> Cents:
        """Return the stake of the cycle."""
        return Cents(memory[1])

    def next_memory(self, memory: tuple[int, int], spot: Spot, outcome: RollOutcome) -> tuple[int, int]:
        """Return the profit of the cycle and the stake after a roll."""
        for settlement in outcome.settlements_on(spot):
            if settlement.result in (Result.WIN, Result.LOSE):
                memory = self._after_result(memory, profit_cents(settlement), won=settlement.result is Result.WIN)
        return memory

    def _after_result(self, memory: tuple[int, int], profit: int, *, won: bool) -> tuple[int, int]:
        cycle_profit, stake = memory[0] + profit, memory[1]
        if cycle_profit >= self.unit_cents or cycle_profit <= -self.give_up_cents:
            return self.initial_memory()
        if not won:
            return (cycle_profit, stake)
        needed = -((cycle_profit - self.unit_cents) // self.unit_cents) * self.unit_cents
        return (cycle_profit, min(stake + self.unit_cents, needed))


def grind(unit: Dollars, give_up: Dollars) -> Grind:
    """Return Oscar's grind with a unit in dollars. A cycle ends when it is `give_up` dollars behind.

    >>> grind(10, give_up=200).stake_cents_at((-1000, 1000))
    1000
    """
    unit_cents, give_up_cents = parse_dollars(unit, "unit"), parse_dollars(give_up, "give_up")
    if not unit_cents <= give_up_cents <= 1000 * unit_cents:
        raise StrategyError(f"give_up must be from 1 to 1000 units of {unit}, got {give_up}")
    return Grind(unit_cents, give_up_cents)
