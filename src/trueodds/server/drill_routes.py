"""Routes of the dealer's drill. Nothing is stored: book, level and number determine an exercise."""

from __future__ import annotations

from functools import cache
from typing import Annotated, Any, Final

from fastapi import APIRouter, Query
from pydantic import BaseModel, ConfigDict, Field, StrictInt

from trueodds.drill import DRILL_PLAYER, LEVELS, Exercise, GradedAnswer, UnknownTagError, grade, make_exercise
from trueodds.drill.grading import WagerFate
from trueodds.rulebook import as_house
from trueodds.server.book_routes import find_book
from trueodds.server.errors import ApiError
from trueodds.server.stick_calls import stick_call
from trueodds.server.table_snapshot import bet_view, book_view, spot_view
from trueodds.table import CachedDealer, Dealer
from trueodds.table.layout import build_layout
from trueodds.wagers import TableRules

router = APIRouter(prefix="/api/drill", tags=["drill"])

EXERCISE_COUNT: Final = 2**31
BookName = Annotated[str, Field(min_length=1, max_length=40)]
LevelNumber = Annotated[int, Field(ge=1, le=len(LEVELS))]
Number = Annotated[int, Field(ge=0, lt=EXERCISE_COUNT)]


class LevelView(BaseModel):
    """One level of the drill."""

    level: int
    title: str


class ExerciseView(BaseModel):
    """An exercise: the layout and the bets before the roll, each with a `name`, and the roll."""

    book: dict[str, str]
    house: str
    currency: str
    level: int
    levels: list[LevelView]
    number: int
    point: int | None
    markers: dict[str, list[int]]
    spots: list[dict[str, Any]]
    bets: list[dict[str, Any]]
    roll: str
    stick_call: str


class AnswerSheet(BaseModel):
    """Answers by tag: the cents paid on top of the stake and after vigorish, or the fate of the wager."""

    model_config = ConfigDict(extra="forbid")
    book: BookName
    level: LevelNumber
    number: Number
    answers: dict[str, StrictInt | WagerFate]


class GradedAnswerView(BaseModel):
    """A graded answer: the given one (null if there was none), the correct one, and the reason."""

    tag: str
    name: str
    is_correct: bool
    answer: int | str | None
    correct_answer: int | str
    result: str
    sentence: str
    cite: list[str]


class GradeReport(BaseModel):
    """A graded answer sheet."""

    correct: int
    total: int
    wagers: list[GradedAnswerView]


@router.get("")
def get_exercise(
    book: Annotated[str, Query(min_length=1, max_length=40)],
    level: Annotated[int, Query(ge=1, le=len(LEVELS))],
    number: Annotated[int, Query(ge=0, lt=EXERCISE_COUNT)],
) -> ExerciseView:
    """Return the exercise with this number."""
    dealer = _dealer(find_book(book).id)
    return _exercise_view(dealer, make_exercise(dealer, LEVELS[level - 1], number))


@router.post("")
def grade_answers(sheet: AnswerSheet) -> GradeReport:
    """Grade an answer sheet."""
    dealer = _dealer(find_book(sheet.book).id)
    exercise = make_exercise(dealer, LEVELS[sheet.level - 1], sheet.number)
    try:
        graded = grade(dealer, exercise, sheet.answers)
    except UnknownTagError as error:
        raise ApiError(422, "invalid_request", f"answers: {error}", field="answers") from None
    correct = sum(answer.is_correct for answer in graded)
    return GradeReport(correct=correct, total=len(graded), wagers=[_graded_view(answer) for answer in graded])


@cache
def _dealer(book_id: str) -> Dealer:
    """Return the dealer for the default house of a book."""
    return CachedDealer(TableRules(as_house(book_id)))


def _exercise_view(dealer: Dealer, exercise: Exercise) -> ExerciseView:
    layout = build_layout(dealer, exercise.position, DRILL_PLAYER)
    rolled = exercise.settle(dealer)
    order = {settled.tag: index for index, settled in enumerate(rolled.settled)}
    names = {settled.tag: settled.settlement.name for settled in rolled.settled}
    bets = [
        {"spot": str(spot.spot)} | bet_view(dealer, spot, bet) | {"name": names[bet.tag]}
        for spot in layout.spots for bet in spot.bets
    ]  # fmt: skip
    house = dealer.rules.house
    return ExerciseView(
        book=book_view(house.book), house=house.name, currency=house.currency, level=exercise.level.number,
        levels=[LevelView(level=level.number, title=level.title) for level in LEVELS], number=exercise.number,
        point=layout.point, markers={key: list(numbers) for key, numbers in layout.markers._asdict().items()},
        spots=[spot_view(dealer, spot) for spot in layout.spots],
        bets=sorted(bets, key=lambda bet: order[bet["tag"]]), roll=str(exercise.roll), stick_call=stick_call(rolled),
    )  # fmt: skip


def _graded_view(graded: GradedAnswer) -> GradedAnswerView:
    settlement = graded.settled.settlement
    return GradedAnswerView(
        tag=graded.settled.tag, name=settlement.name, is_correct=graded.is_correct, answer=graded.answer,
        correct_answer=graded.correct_answer, result=settlement.result, sentence=settlement.sentence,
        cite=list(settlement.cite),
    )  # fmt: skip
