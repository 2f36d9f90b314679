"""The books, and what a house may choose under each."""

from __future__ import annotations

from functools import cache
from typing import Annotated, Any

from fastapi import APIRouter, Path
from pydantic import BaseModel

from trueodds.rulebook import Book, BookError, Option, book_ids, load_book, open_house, plain, say
from trueodds.server.errors import ApiError

router = APIRouter(prefix="/api", tags=["books"])


class OptionView(BaseModel):
    """A choice the book leaves to the house: its default by the book, what a table has otherwise, its bounds."""

    name: str
    meaning: str
    book_default: Any
    house_default: Any
    lawful: list[str]
    cite: str


class BookView(BaseModel):
    """A book."""

    id: str
    code: str
    title: str
    operator: str
    currency: str
    games: list[str]
    wagers: list[str]
    options: list[OptionView]


class SilenceView(BaseModel):
    """Where the text leaves a choice: what it says, what is done here, and why; `options` of a house change it."""

    id: str
    about: str
    says: str
    we_do: str
    why: str
    options: list[str]


@router.get("/books")
def books() -> list[BookView]:
    """List the books and what a house may choose."""
    return [_view(name) for name in book_ids()]


@router.get("/books/{id}/silences")
def silences(name: Annotated[str, Path(alias="id", max_length=40)]) -> list[SilenceView]:
    """List where a book is silent, garbled or contradicts itself; spots and clauses name these by `id`."""
    return [
        SilenceView(**silence._asdict() | {"options": list(silence.options)})
        for silence in find_book(name).silences.values()
    ]


def find_book(name: str) -> Book:
    """Find a book that somebody asked for."""
    try:
        return load_book(name)
    except BookError as error:
        raise ApiError(404, "no_such_book", str(error)) from None


@cache
def _view(name: str) -> BookView:
    book: Book = load_book(name)
    house = open_house(book)
    return BookView(
        id=book.id, code=book.code, title=book.title, operator=book.operator, currency=book.currency,
        games=list(book.games), wagers=[text.title for text in book.wagers.values()],
        options=[_option(option, house[option.name]) for option in book.options.values()],
    )  # fmt: skip


def _option(option: Option, chosen: Any) -> OptionView:
    return OptionView(
        name=option.name, meaning=option.meaning, book_default=plain(option.default), house_default=plain(chosen),
        lawful=[bound.words() for bound in option.lawful], cite=say(option.cite),
    )  # fmt: skip
