"""Dealers and tables for tests."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any

from trueodds.craps_table import Table
from trueodds.rulebook import House, book_ids, load_book
from trueodds.table import CachedDealer, Dealer
from trueodds.wagers import TableRules

BOOKS = book_ids()


@cache
def book_default_dealer(book: str) -> Dealer:
    """Return a dealer with the book's own defaults: stakes in cents, winners come down."""
    return CachedDealer(TableRules(House(load_book(book), book_defaults=True)))


@cache
def default_house_dealer(book: str) -> Dealer:
    """Return a dealer with the default house of a book."""
    return CachedDealer(TableRules(House(load_book(book))))


def book_default_table(book: str, options: Mapping[str, Any] | None = None, players: tuple[str, ...] = ("A",)) -> Table:
    """Return a table with the book's own defaults and some options changed.

    The options are a premise of the test and are not held to the bounds of the book.
    """
    if not options:
        return Table(book_default_dealer(book), players)
    return Table(House(load_book(book), options, book_defaults=True, unchecked=True), players)
