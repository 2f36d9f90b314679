"""Grading: the dealer settles the roll, and every answer is compared with the result."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, Literal, NamedTuple, Self

from trueodds.drill.exercise import Exercise
from trueodds.errors import TrueoddsError
from trueodds.money import Cents
from trueodds.table import Dealer, SettledWager, Settlement
from trueodds.wagers import Result

WagerFate = Literal["loses", "stays", "moves", "returned"]
"""What happens to a wager that is not paid."""

DrillAnswer = int | WagerFate
"""The cents paid on top of the stake and after vigorish, or the fate of the wager."""

FATE_BY_RESULT: Final[Mapping[Result, WagerFate]] = {
    Result.LOSE: "loses",
    Result.NO_ACTION: "stays",
    Result.OFF: "stays",
    Result.MOVED: "moves",
    Result.PUSH: "returned",
    Result.RETURNED: "returned",
}


class UnknownTagError(TrueoddsError, ValueError):
    """Raised for an answer about a wager that is not in the exercise."""

    def __init__(self, tag: str) -> None:
        super().__init__(f"the exercise has no wager {tag!r}")
        self.tag = tag

    def __reduce__(self) -> tuple[type[Self], tuple[str]]:
        return type(self), (self.tag,)


class GradedAnswer(NamedTuple):
    """A settled wager with the given answer (None if there was none) and the correct one."""

    settled: SettledWager
    answer: DrillAnswer | None
    correct_answer: DrillAnswer

    @property
    def is_correct(self) -> bool:
        """Whether the answer is correct."""
        return self.answer == self.correct_answer


def correct_answer(settlement: Settlement) -> DrillAnswer:
    """Return the correct answer for a settlement."""
    fate = FATE_BY_RESULT.get(settlement.result)
    return Cents(settlement.net_cents - settlement.vig_cents) if fate is None else fate


def grade(dealer: Dealer, exercise: Exercise, answers: Mapping[str, DrillAnswer]) -> tuple[GradedAnswer, ...]:
    """Grade the answers to an exercise, wager by wager. Raise `UnknownTagError` for an answer about anything else."""
    settled = exercise.settle(dealer).settled
    tags = {wager.tag for wager in settled}
    for tag in answers:
        if tag not in tags:
            raise UnknownTagError(tag)
    return tuple(GradedAnswer(wager, answers.get(wager.tag), correct_answer(wager.settlement)) for wager in settled)
