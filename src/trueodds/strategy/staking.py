"""Staking plans: how much to bet next. A fixed stake is a ladder of one rung.

Parlays and Oscar's grind are in `progressions`.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Literal

from trueodds.money import Cents, Dollars, parse_dollars
from trueodds.rulebook import Spot
from trueodds.strategy.conditions import Memory
from trueodds.strategy.errors import StrategyError
from trueodds.strategy.player_view import RollOutcome, parse_spot
from trueodds.wagers import Result

RungMove = int | Literal["start"]
"""How many rungs to move up (or down, if negative), or back to the first rung."""

PastEnd = Literal["stay", "start"]
"""What a ladder does past its last rung."""

MAX_RUNGS = 200


class StakingPlan(ABC):
    """How much to bet next, given the results so far. A plan has finitely many memories."""

    @property
    def varies(self) -> bool:
        """Whether the stake can change."""
        return True

    def followed_spot(self, spot: Spot) -> Spot:
        """Return the spot whose results move this plan: `spot`, the plan's own, unless it follows another."""
        return spot

    @abstractmethod
    def initial_memory(self) -> Memory:
        """Return the memory before the first roll, or None if this plan never remembers anything."""

    @abstractmethod
    def stake_cents_at(self, memory: Memory) -> Cents:
        """Return the stake to bet next."""

    @abstractmethod
    def next_memory(self, memory: Memory, spot: Spot, outcome: RollOutcome) -> Memory:
        """Return the memory after a roll, for a bet on `spot`."""


@dataclass(frozen=True, slots=True)
class Ladder(StakingPlan):
    """A list of stakes, the rungs. Each win and each loss moves up or down by a number of rungs.

    Past the last rung it stays there, or starts over with `past_end="start"`. It never goes below the first rung. With
    `restart_each_shooter`, each shooter starts on the first rung. With `follow`, the results of other wagers move it.
    """

    rungs_cents: tuple[Cents, ...]
    win: RungMove = 0
    lose: RungMove = 0
    past_end: PastEnd = "stay"
    restart_each_shooter: bool = False
    follow: Spot | None = None

    @property
    def varies(self) -> bool:
        """Whether there is more than one rung."""
        return len(self.rungs_cents) > 1

    def followed_spot(self, spot: Spot) -> Spot:
        """Return the spot it follows, or `spot`."""
        return self.follow or spot

    def initial_memory(self) -> int | None:
        """Return the first rung, or None if there is only one."""
        return 0 if self.varies else None

    def stake_cents_at(self, memory: int | None) -> Cents:
        """Return the stake on a rung."""
        return self.rungs_cents[memory or 0]

    def next_memory(self, memory: int | None, spot: Spot, outcome: RollOutcome) -> int | None:
        """Return the rung after a roll."""
        if memory is None:
            return None
        if self.restart_each_shooter and outcome.seven_out:
            return 0
        for result in outcome.results(self.followed_spot(spot)):
            if result is Result.WIN:
                memory = self._rung_after(memory, self.win)
            elif result is Result.LOSE:
                memory = self._rung_after(memory, self.lose)
        return memory

    def _rung_after(self, rung: int, move: RungMove) -> int:
        if move == "start":
            return 0
        rung = max(0, rung + move)
        if rung < len(self.rungs_cents):
            return rung
        return 0 if self.past_end == "start" else len(self.rungs_cents) - 1


def ladder(
    *stakes: Dollars,
    win: RungMove = 0,
    lose: RungMove = 0,
    past_end: PastEnd = "stay",
    restart_each_shooter: bool = False,
    follow: Spot | str | None = None,
) -> Ladder:
    """Return a ladder of stakes in dollars, the rungs. It starts on the first.

    `win` and `lose` are how many rungs a win or a loss moves up, or down if negative; "start" moves to the first rung.
    A push does not move the ladder, and it never goes below the first rung. Past the last rung it stays there, or
    starts over with past_end="start". `follow` names the bets whose results move it, by default the bet itself.

    >>> martingale = ladder(10, 20, 40, win="start", lose=1, past_end="start")
    >>> fibonacci = ladder(10, 10, 20, 30, 50, 80, lose=1, win=-2)
    """
    if not 0 < len(stakes) <= MAX_RUNGS:
        raise StrategyError(f"a ladder must have from 1 to {MAX_RUNGS} rungs, got {len(stakes):,}")
    return Ladder(
        tuple(parse_dollars(stake, "stake") for stake in stakes),
        parse_move(win),
        parse_move(lose),
        parse_past_end(past_end),
        parse_bool("restart_each_shooter", restart_each_shooter),
        None if follow is None else parse_spot(follow),
    )


def parse_move(move: object) -> RungMove:
    """Return how far a ladder moves. Raise StrategyError unless it is a whole number or "start"."""
    if move == "start":
        return "start"
    if type(move) is not int:
        raise StrategyError(f'a ladder moves by a whole number of rungs or to the "start", got {move!r}')
    return move


def parse_past_end(past_end: object) -> PastEnd:
    """Return what a ladder does past its last rung. Raise StrategyError unless it is "stay" or "start"."""
    if past_end == "stay":
        return "stay"
    if past_end == "start":
        return "start"
    raise StrategyError(f'past_end must be "stay" or "start", got {past_end!r}')


def parse_bool(name: str, value: object) -> bool:
    """Return a boolean. Raise StrategyError for anything else."""
    if not isinstance(value, bool):
        raise StrategyError(f"{name} must be true or false, got {value!r}")
    return value


def parse_staking_plan(stake: Dollars | StakingPlan) -> StakingPlan:
    """Return a staking plan unchanged, or a ladder of one rung for a fixed stake in dollars."""
    return stake if isinstance(stake, StakingPlan) else Ladder((parse_dollars(stake, "stake"),))
