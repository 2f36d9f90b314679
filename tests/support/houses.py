"""Houses and tables that tests start from."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any

from trueodds.rulebook import House, book_ids, load_book
from trueodds.table import Dealer, Table
from trueodds.wagers import Rules

BOOKS = book_ids()


@cache
def plain_dealer(book: str) -> Dealer:
    """The bare options of a book: cents, winners come down."""
    return Dealer(Rules(House(load_book(book), plain_options=True)))


@cache
def default_dealer(book: str) -> Dealer:
    """The house a player meets."""
    return Dealer(Rules(House(load_book(book))))


def plain_table(book: str, options: Mapping[str, Any] | None = None, players: tuple[str, ...] = ("A",)) -> Table:
    """A table on the bare options of a book with some changed."""
    if not options:
        return Table(plain_dealer(book), players)
    return Table(House(load_book(book), options, plain_options=True), players)
