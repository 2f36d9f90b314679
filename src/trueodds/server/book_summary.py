"""One-line summaries of books, derived by comparing them with each other."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from trueodds.rulebook import Book


def summarize_book(book: Book, others: Sequence[Book]) -> str:
    """Return how many wagers a book has, and which wagers, games or currency the other books lack.

    >>> from trueodds.rulebook import book_ids, load_book
    >>> summarize_book(load_book("RWS"), [load_book(name) for name in book_ids() if name != "rws"])
    '22 wagers. The only one in SGD.'
    """
    sentences = [f"{len(book.wagers)} wagers{_fewest_note(book, others)}."]
    shared = {kind: sum(kind in other.wagers for other in others) for kind in book.wagers}
    only = [*_wager_titles(book, shared, 0), *_unique_games(book, others)]
    rare = _wager_titles(book, shared, 1)
    if only:
        sentences.append(f"Only here: {_join_words(only)}.")
    if rare:
        sentences.append(f"Rare elsewhere: {_join_words(rare)}.")
    if others and all(other.currency != book.currency for other in others):
        sentences.append(f"The only one in {book.currency}.")
    return " ".join(sentences)


def _fewest_note(book: Book, others: Sequence[Book]) -> str:
    fewest = others and all(len(other.wagers) > len(book.wagers) for other in others)
    return ", the fewest of all" if fewest else ""


def _wager_titles(book: Book, shared: dict[str, int], count: int) -> list[str]:
    # Odds bets are left out: they come with their base bet.
    return [
        wager.title
        for kind, wager in book.wagers.items()
        if shared[kind] == count < len(shared) and wager.family != "odds"
    ]


def _unique_games(book: Book, others: Iterable[Book]) -> list[str]:
    other_games = {game for other in others for game in other.games}
    return [game.replace("_", " ") for game in book.games if game not in other_games]


def _join_words(words: Sequence[str]) -> str:
    return " and ".join(filter(None, [", ".join(words[:-1]), words[-1]]))
