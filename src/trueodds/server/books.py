"""The books, and what a house may choose under each."""

from __future__ import annotations

from functools import cache
from typing import Any

from fastapi import APIRouter
from pydantic import BaseModel

from trueodds.rulebook import Book, Option, book_ids, load_book, open_house, plain, say

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


@router.get("/books")
def books() -> list[BookView]:
    """List the books and what a house may choose."""
    return [_view(name) for name in book_ids()]


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
