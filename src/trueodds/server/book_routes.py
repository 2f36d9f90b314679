"""The books, and what a house may choose under each."""

from __future__ import annotations

from functools import cache
from typing import Annotated, Any

from fastapi import APIRouter, Path
from pydantic import BaseModel

from trueodds.rulebook import (
    OPTION_GROUPS,
    OPTION_TYPES,
    Book,
    BookError,
    Form,
    Option,
    book_ids,
    form_of,
    load_book,
    open_house,
    plain,
    say,
)
from trueodds.server.errors import ApiError
from trueodds.server.snapshot import limit_view
from trueodds.server.special import special
from trueodds.service.company import MOST_BOTS

router = APIRouter(prefix="/api", tags=["books"])


class OptionView(BaseModel):
    """A choice the book leaves to the house: its default by the book, what a table has otherwise, its bounds.

    `form` says how to ask for it; `settled` that the book leaves nothing to choose; `law` names the clauses that bind.
    """

    name: str
    group: str
    title: str
    meaning: str
    book_default: Any
    house_default: Any
    lawful: list[str]
    cite: str
    law: str
    settled: bool
    form: Form


class BookCard(BaseModel):
    """A book in short: what it is called, where it comes from, what is special about it, its usual limits."""

    id: str
    code: str
    title: str
    text: str
    special: str
    operator: str
    currency: str
    games: list[str]
    wagers: list[str]
    min_bet: int | None
    max_bet: int | None


class GroupView(BaseModel):
    """Where options belong; a group that is not common is for those who look for it."""

    id: str
    title: str
    common: bool


class BookView(BookCard):
    """A book, every option of a house under it, and how many bots a table is made with at most."""

    most_bots: int
    groups: list[GroupView]
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
def books() -> list[BookCard]:
    """List the books."""
    return [_card(name) for name in book_ids()]


BookName = Annotated[str, Path(alias="id", max_length=40)]


@router.get("/books/{id}")
def book(name: BookName) -> BookView:
    """Show a book with every option of a house: default, bounds, clause, and how to ask for it."""
    return _view(find_book(name).id)


@cache
def _card(name: str) -> BookCard:
    book: Book = load_book(name)
    house = open_house(book)
    return BookCard(
        id=book.id, code=book.code, title=book.title, text=book.text, operator=book.operator, currency=book.currency,
        special=special(book, [load_book(other) for other in book_ids() if other != name]),
        games=list(book.games), wagers=[text.title for text in book.wagers.values()],
        min_bet=limit_view(house.get("min_bet")), max_bet=limit_view(house.get("max_bet")),
    )  # fmt: skip


@router.get("/books/{id}/silences")
def silences(name: BookName) -> list[SilenceView]:
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
        **_card(name).model_dump(),
        most_bots=MOST_BOTS,
        groups=[GroupView(id=key, **group._asdict()) for key, group in OPTION_GROUPS.items()],
        options=[_option(book, option, house[option.name]) for option in book.options.values()],
    )


def _option(book: Book, option: Option, chosen: Any) -> OptionView:
    kind, form = OPTION_TYPES[option.name], form_of(book, option.name)
    law = tuple(dict.fromkeys(part for bound in option.lawful for part in bound.cite))
    return OptionView(
        name=option.name, group=kind.group, title=kind.title, meaning=kind.meaning,
        book_default=plain(option.default), house_default=plain(chosen),
        lawful=[bound.words() for bound in option.lawful], cite=say(option.cite), law=say(law),
        settled=form.is_settled, form=form,
    )  # fmt: skip
