"""The books that come with trueodds, read once from their files."""

from __future__ import annotations

import tomllib
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Final

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


def load_book_file(path: Path) -> Book:
    """Read a book from a file of one's own; it may adopt procedures from the books on the shelf."""
    try:
        return read_book(tomllib.loads(path.read_text("utf-8")), load_book)
    except OSError as error:
        raise BookError(str(path), f"cannot be read: {error.strerror}") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise BookError(str(path), f"is not TOML: {error}") from None
