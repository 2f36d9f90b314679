"""What is special about a book, in a line, read off the books beside it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from trueodds.rulebook import Book


def special(book: Book, others: Sequence[Book]) -> str:
    """Say what a book has that others have not: wagers, games, currency; and how many wagers there are.

    >>> from trueodds.rulebook import book_ids, load_book
    >>> special(load_book("RWS"), [load_book(name) for name in book_ids() if name != "rws"])
    '22 wagers. The only one in SGD.'
    """
    said = [f"{len(book.wagers)} wagers{_fewest(book, others)}."]
    shared = {kind: sum(kind in other.wagers for other in others) for kind in book.wagers}
    only = [*_titles(book, shared, 0), *_games(book, others)]
    rare = _titles(book, shared, 1)
    if only:
        said.append(f"Only here: {_listed(only)}.")
    if rare:
        said.append(f"Seldom elsewhere: {_listed(rare)}.")
    if others and all(other.currency != book.currency for other in others):
        said.append(f"The only one in {book.currency}.")
    return " ".join(said)


def _fewest(book: Book, others: Sequence[Book]) -> str:
    fewest = others and all(len(other.wagers) > len(book.wagers) for other in others)
    return ", the fewest of all" if fewest else ""


def _titles(book: Book, shared: dict[str, int], count: int) -> list[str]:
    # Odds come with what they are behind, and are no news beside it.
    return [
        text.title
        for kind, text in book.wagers.items()
        if shared[kind] == count < len(shared) and text.family != "odds"
    ]


def _games(book: Book, others: Iterable[Book]) -> list[str]:
    elsewhere = {game for other in others for game in other.games}
    return [game.replace("_", " ") for game in book.games if game not in elsewhere]


def _listed(words: Sequence[str]) -> str:
    return " and ".join(filter(None, [", ".join(words[:-1]), words[-1]]))
