"""Routes for the rulebooks and the options a house can choose."""

from __future__ import annotations

from functools import cache
from typing import Annotated, Any

from fastapi import APIRouter, Path
from pydantic import BaseModel

from trueodds.rulebook import (
    OPTION_GROUPS,
    OPTION_SPECS,
    Book,
    BookError,
    Option,
    OptionForm,
    as_house,
    book_ids,
    format_citation,
    load_book,
    option_form,
    plain_value,
)
from trueodds.server.book_summary import summarize_book
from trueodds.server.errors import ApiError
from trueodds.service.bot_runner import MAX_BOTS

router = APIRouter(prefix="/api", tags=["books"])


class OptionView(BaseModel):
    """A house option: its default in the book and at a new table, and its bounds.

    `form` describes an input field for it. `is_fixed` means that the book leaves no choice. `bounds_cite` cites the
    clauses that set the bounds.
    """

    name: str
    group: str
    title: str
    description: str
    book_default: Any
    house_default: Any
    allowed: list[str]
    cite: str
    bounds_cite: str
    is_fixed: bool
    form: OptionForm


class BookSummary(BaseModel):
    """A book in brief: its names, its source, a one-line summary and the default limits."""

    id: str
    code: str
    title: str
    source: str
    summary: str
    operator: str
    currency: str
    games: list[str]
    wagers: list[str]
    min_bet: int | None
    max_bet: int | None


class OptionGroupView(BaseModel):
    """A group of options. Groups that are not `common` are for advanced users."""

    id: str
    title: str
    common: bool


class BookView(BookSummary):
    """A book with all house options, and the maximum number of bots at a table."""

    max_bots: int
    groups: list[OptionGroupView]
    options: list[OptionView]


class SilenceView(BaseModel):
    """A silence, a point that a book leaves open: what the text says, what we do, why, and which options change it."""

    id: str
    about: str
    says: str
    we_do: str
    why: str
    options: list[str]


@router.get("/books")
def list_books() -> list[BookSummary]:
    """List the rulebooks."""
    return [_book_summary(name) for name in book_ids()]


BookName = Annotated[str, Path(alias="id", max_length=40)]


@router.get("/books/{id}")
def get_book(name: BookName) -> BookView:
    """Return a book with all house options."""
    return _book_view(find_book(name).id)


@cache
def _book_summary(name: str) -> BookSummary:
    book: Book = load_book(name)
    house = as_house(book)
    return BookSummary(
        id=book.id, code=book.code, title=book.title, source=book.source, operator=book.operator,
        currency=book.currency,
        summary=summarize_book(book, [load_book(other) for other in book_ids() if other != name]),
        games=list(book.games), wagers=[wager.title for wager in book.wagers.values()],
        min_bet=house.min_bet_cents, max_bet=house.max_bet_cents,
    )  # fmt: skip


@router.get("/books/{id}/silences")
def list_silences(name: BookName) -> list[SilenceView]:
    """List where a book is silent, garbled or contradictory. Spots refer to these by `id`."""
    return [
        SilenceView(**silence._asdict() | {"options": list(silence.options)})
        for silence in find_book(name).silences.values()
    ]


def find_book(name: str) -> Book:
    """Return a book by id or code, or raise a 404 error."""
    try:
        return load_book(name)
    except BookError as error:
        raise ApiError(404, "no_such_book", str(error)) from None


@cache
def _book_view(name: str) -> BookView:
    book: Book = load_book(name)
    house = as_house(book)
    return BookView(
        **_book_summary(name).model_dump(),
        max_bots=MAX_BOTS,
        groups=[OptionGroupView(id=key, **group._asdict()) for key, group in OPTION_GROUPS.items()],
        options=[_option_view(book, option, house[option.name]) for option in book.options.values()],
    )


def _option_view(book: Book, option: Option, house_value: Any) -> OptionView:
    spec, form = OPTION_SPECS[option.name], option_form(book, option.name)
    bounds_cite = tuple(dict.fromkeys(part for bound in option.bounds for part in bound.cite))
    return OptionView(
        name=option.name, group=spec.group, title=spec.title, description=spec.description,
        book_default=plain_value(option.default), house_default=plain_value(house_value),
        allowed=[bound.describe() for bound in option.bounds], cite=format_citation(option.cite),
        bounds_cite=format_citation(bounds_cite), is_fixed=form.is_fixed, form=form,
    )  # fmt: skip
