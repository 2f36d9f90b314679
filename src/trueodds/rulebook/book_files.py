"""Load books: those that come with trueodds, and files of your own."""

from __future__ import annotations

from functools import cache
from importlib import resources
from pathlib import Path
from typing import Final

from trueodds.rulebook.book import Book
from trueodds.rulebook.book_parser import parse_book, read_book
from trueodds.rulebook.errors import BookError
from trueodds.rulebook.toml_reader import Location, TomlDocument, TomlTable, parse_toml, read_toml_file

_BOOKS: Final = resources.files("trueodds.rulebook") / "books"


@cache
def book_ids() -> tuple[str, ...]:
    """Return the ids of the books that come with trueodds, in alphabetical order."""
    return tuple(sorted(entry.name.removesuffix(".toml") for entry in _BOOKS.iterdir() if entry.name.endswith(".toml")))


@cache
def load_book(name: str) -> Book:
    """Return a book by its id ("new_jersey") or its code ("NJ").

    >>> load_book("NJ").title
    'New Jersey'
    """
    if name in book_ids():
        file = f"{name}.toml"
        location = Location(BookError.at, TomlDocument(file))
        return read_book(parse_toml((_BOOKS / file).read_text("utf-8"), location), load_book)
    for book_id in book_ids():
        if load_book(book_id).code.lower() == name.lower():
            return load_book(book_id)
    hint = "; use load_house or load_book_file to read a file" if name.endswith(".toml") else ""
    raise BookError(name, f"no such book; the books are {', '.join(book_ids())}{hint}")


def load_book_file(path: Path | str) -> Book:
    """Read a book from a file of your own. It may adopt procedures from the books that come with trueodds."""
    return read_book(read_toml_file(Path(path), BookError.at), load_book)


def unpickle_book(table: TomlTable) -> Book:
    """Make a pickled book again. A book that comes with trueodds becomes the one that is loaded here."""
    book = parse_book(table, load_book)
    if book.id in book_ids() and load_book(book.id).digest == book.digest:
        return load_book(book.id)
    return book
