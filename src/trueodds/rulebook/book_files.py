"""The books that come with trueodds, read once from their files."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Any, Final

from trueodds.rulebook.book import Book
from trueodds.rulebook.errors import BookError
from trueodds.rulebook.read import read_book

_SHELF: Final = resources.files("trueodds.rulebook") / "books"


@cache
def book_ids() -> tuple[str, ...]:
    """Name the books on the shelf."""
    return tuple(sorted(entry.name.removesuffix(".toml") for entry in _SHELF.iterdir() if entry.name.endswith(".toml")))


@cache
def load_book(name: str) -> Book:
    """Read a book by its id ("new_jersey") or its short code ("NJ").

    >>> load_book("NJ").title
    'New Jersey'
    """
    if name in book_ids():
        return read_book(tomllib.loads((_SHELF / f"{name}.toml").read_text("utf-8")), load_book)
    for other in book_ids():
        if load_book(other).code.lower() == name.lower():
            return load_book(other)
    raise BookError(name, f"no such book; there are {', '.join(book_ids())}")


def book_from_source(source: Mapping[str, Any]) -> Book:
    """Make a book again from what it was read from; a book of the shelf is the one that stands there."""
    made = read_book(source, load_book)
    if made.id in book_ids() and load_book(made.id).digest == made.digest:
        return load_book(made.id)
    return made


def load_book_file(path: Path) -> Book:
    """Read a book from a file of one's own; it may adopt procedures from the books on the shelf."""
    try:
        return read_book(tomllib.loads(path.read_text("utf-8")), load_book)
    except OSError as error:
        raise BookError(str(path), f"cannot be read: {error.strerror}") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise BookError(str(path), f"is not TOML: {error}") from None
