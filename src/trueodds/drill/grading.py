"""Marking a sheet of answers: the dealer settles, and every answer is held against that."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, Literal, NamedTuple

from trueodds.drill.exercise import Exercise
from trueodds.money import Cents
from trueodds.table import Dealer, Ruling, Settled
from trueodds.wagers import Result

Fate = Literal["loses", "stays", "moves", "returned"]
"""What becomes of a wager that is not paid."""

Answer = int | Fate
"""What is paid in cents, besides the stake and after vigorish; or what becomes of the wager."""

FATES: Final[Mapping[Result, Fate]] = {
    Result.LOSE: "loses",
    Result.NO_ACTION: "stays",
    Result.OFF: "stays",
    Result.MOVED: "moves",
    Result.PUSH: "returned",
    Result.RETURNED: "returned",
}


class NoSuchTagError(ValueError):
    """An answer about a wager that is not up."""

    def __init__(self, tag: str) -> None:
        super().__init__(f"no wager {tag!r} is up in this exercise")
        self.tag = tag


class Marked(NamedTuple):
    """One wager with what was answered (None: nothing), what is right, and why."""

    settled: Settled
    given: Answer | None
    due: Answer

    @property
    def right(self) -> bool:
        """Whether the answer is right."""
        return self.given == self.due


def due(ruling: Ruling) -> Answer:
    """Give the right answer to a ruling."""
    return FATES[ruling.result] if ruling.result in FATES else Cents(ruling.net - ruling.vig)


def mark(dealer: Dealer, exercise: Exercise, answers: Mapping[str, Answer]) -> tuple[Marked, ...]:
    """Mark a sheet, wager by wager; an answer about anything else is refused."""
    settled = exercise.settled(dealer).settled
    tags = {one.tag for one in settled}
    for tag in answers:
        if tag not in tags:
            raise NoSuchTagError(tag)
    return tuple(Marked(one, answers.get(one.tag), due(one.ruling)) for one in settled)
