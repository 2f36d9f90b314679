"""The dealer's drill over HTTP. Nothing is kept: an exercise follows from its book, level and number."""

from __future__ import annotations

from functools import cache
from typing import Annotated, Any, Final

from fastapi import APIRouter, Query
from pydantic import BaseModel, ConfigDict, Field, StrictInt

from trueodds.drill import LEVELS, PLAYER, Exercise, Marked, NoSuchTagError, make_exercise, mark
from trueodds.drill.sheet import Fate
from trueodds.rulebook import open_house
from trueodds.server.books import find_book
from trueodds.server.errors import ApiError
from trueodds.server.snapshot import book_view, chip_view, spot_view
from trueodds.table import Dealer
from trueodds.table.layout import draw_layout
from trueodds.table.stick import stick_call
from trueodds.wagers import Rules

router = APIRouter(prefix="/api/drill", tags=["drill"])

NUMBERS: Final = 2**31
BookName = Annotated[str, Field(min_length=1, max_length=40)]
LevelNumber = Annotated[int, Field(ge=1, le=len(LEVELS))]
Number = Annotated[int, Field(ge=0, lt=NUMBERS)]


class LevelView(BaseModel):
    """A level that can be asked for."""

    level: int
    title: str


class ExerciseView(BaseModel):
    """An exercise: spots and chips as on a table, every chip with a `name`; the puck before the throw; the throw."""

    book: dict[str, str]
    house: str
    currency: str
    level: int
    levels: list[LevelView]
    number: int
    point: int | None
    markers: dict[str, list[int]]
    spots: list[dict[str, Any]]
    chips: list[dict[str, Any]]
    roll: str
    call: str


class Sheet(BaseModel):
    """What somebody answers, by tag: cents paid besides the stake and after vigorish, or what becomes of the wager."""

    model_config = ConfigDict(extra="forbid")
    book: BookName
    level: LevelNumber
    number: Number
    answers: dict[str, StrictInt | Fate]


class MarkedView(BaseModel):
    """One wager marked: what was given (null: nothing), what is `due`, and why."""

    tag: str
    name: str
    right: bool
    given: int | str | None
    due: int | str
    result: str
    sentence: str
    cite: list[str]


class Marks(BaseModel):
    """A sheet marked."""

    right: int
    of: int
    wagers: list[MarkedView]


@router.get("")
def exercise(
    book: Annotated[str, Query(min_length=1, max_length=40)],
    level: Annotated[int, Query(ge=1, le=len(LEVELS))],
    number: Annotated[int, Query(ge=0, lt=NUMBERS)],
) -> ExerciseView:
    """Give the exercise of a number."""
    dealer = _dealer(find_book(book).id)
    return _view(dealer, make_exercise(dealer, LEVELS[level - 1], number))


@router.post("")
def check(sheet: Sheet) -> Marks:
    """Mark a sheet of answers."""
    dealer = _dealer(find_book(sheet.book).id)
    made = make_exercise(dealer, LEVELS[sheet.level - 1], sheet.number)
    try:
        marked = mark(dealer, made, sheet.answers)
    except NoSuchTagError as error:
        raise ApiError(422, "malformed", f"answers: {error}", where="answers") from None
    wagers = [_marked(one) for one in marked]
    return Marks(right=sum(one.right for one in marked), of=len(marked), wagers=wagers)


@cache
def _dealer(book_id: str) -> Dealer:
    """Keep one dealer for the default house of each book."""
    return Dealer(Rules(open_house(book_id)))


def _view(dealer: Dealer, made: Exercise) -> ExerciseView:
    layout = draw_layout(dealer, made.position, PLAYER)
    rolled = made.settled(dealer)
    place = {one.tag: index for index, one in enumerate(rolled.settled)}
    names = {one.tag: one.ruling.name for one in rolled.settled}
    used = [spot for spot in layout.spots if spot.chips]
    chips = [
        {"spot": str(spot.spot)} | chip_view(dealer, spot, chip) | {"name": names[chip.tag]}
        for spot in used for chip in spot.chips
    ]  # fmt: skip
    house = dealer.rules.house
    return ExerciseView(
        book=book_view(house.book), house=house.name, currency=house.currency, level=made.level.number,
        levels=[LevelView(level=level.number, title=level.title) for level in LEVELS], number=made.number,
        point=layout.point, markers={key: list(shown) for key, shown in layout.markers._asdict().items()},
        spots=[spot_view(dealer, spot) for spot in layout.spots],
        chips=sorted(chips, key=lambda chip: place[chip["tag"]]), roll=str(made.roll), call=stick_call(rolled),
    )  # fmt: skip


def _marked(one: Marked) -> MarkedView:
    ruling = one.settled.ruling
    return MarkedView(
        tag=one.settled.tag, name=ruling.name, right=one.right, given=one.given, due=one.due, result=ruling.result,
        sentence=ruling.sentence, cite=list(ruling.cite),
    )  # fmt: skip
