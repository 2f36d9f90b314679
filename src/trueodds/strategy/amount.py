"""How much: a fixed stake, or a ladder that a strategy climbs as it wins and loses."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from trueodds.money import Cents, checked_stake
from trueodds.notation import parse_amount
from trueodds.rulebook import Spot
from trueodds.strategy.errors import StrategyError
from trueodds.strategy.view import Outcome
from trueodds.wagers import Result

Move = int | Literal["start"]
"""Rungs to climb (or, negative, to come down), or back to the first rung."""


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


@dataclass(frozen=True, slots=True)
class Ladder:
    """Stakes to climb: a win and a loss each move so many rungs.

    Beyond the last rung it stays there, or starts again with `past_end="start"`; below the first it stays on the first.
    With `each_shooter` every shooter starts on the first rung.
    """

    rungs: tuple[Cents, ...]
    win: Move = 0
    lose: Move = 0
    past_end: Literal["stay", "start"] = "stay"
    each_shooter: bool = False

    def start(self) -> int | None:
        """Begin on the first rung; one that has no other remembers nothing."""
        return 0 if len(self.rungs) > 1 else None

    def at(self, rung: int | None) -> Cents:
        """Give the stake on a rung."""
        return self.rungs[rung or 0]

    def remember(self, rung: int | None, what: Spot, outcome: Outcome) -> int | None:
        """Move by every decision on the wagers in question."""
        if rung is None:
            return None
        if self.each_shooter and outcome.seven_out:
            return 0
        for result in outcome.results(what):
            if result is Result.WIN:
                rung = self._moved(rung, self.win)
            elif result is Result.LOSE:
                rung = self._moved(rung, self.lose)
        return rung

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
) -> Ladder:
    """Make a ladder of stakes.

    >>> martingale = ladder(10, 20, 40, win="start", lose=1, past_end="start")
    """
    if not rungs:
        raise StrategyError("a ladder has at least one rung")
    for move in (win, lose):
        if move != "start" and type(move) is not int:
            msg = f'a ladder moves by a number of rungs or to the "start", not {move!r}'
            raise StrategyError(msg)
    if past_end not in ("stay", "start"):
        msg = f"past its end a ladder stays or goes to the start, not {past_end!r}"
        raise StrategyError(msg)
    if not isinstance(each_shooter, bool):
        msg = f"each_shooter is true or false, not {each_shooter!r}"
        raise StrategyError(msg)
    return Ladder(tuple(cents(rung) for rung in rungs), win, lose, past_end, each_shooter)


def amount_of(amount: object) -> Ladder:
    """Read a stake; a fixed one is a ladder of one rung."""
    return amount if isinstance(amount, Ladder) else Ladder((cents(amount),))
