"""Which names an option may have in it under a book: the wagers of a list, the keys of a map."""

from __future__ import annotations

from typing import Final

from trueodds.rulebook.book import Book
from trueodds.rulebook.wager import WagerText

CALLS: Final = ("comeout_off", "call_on", "call_off")
"""Options that list wagers which can be off."""


def named_wagers(book: Book, option: str) -> tuple[str, ...]:
    """List the wagers that an option can name: those that can be off, or those that are odds.

    >>> from trueodds.rulebook import load_book
    >>> named_wagers(load_book("WIN"), "odds_offered")
    ('pass_odds', 'dont_pass_odds', 'come_odds', 'dont_come_odds')
    """
    fits = may_be_off if option in CALLS else is_odds
    return tuple(kind for kind, text in book.wagers.items() if fits(text))


def may_be_off(text: WagerText) -> bool:
    """Tell whether a wager is not always working."""
    return bool(text.terms.get("may_be_off")) or is_odds(text)


def is_odds(text: WagerText) -> bool:
    """Tell whether a wager stands behind another."""
    return text.family == "odds"


def vig_keys(book: Book) -> tuple[str, ...]:
    """List what vigorish can be timed by: a kind of wager, or a kind and a number.

    >>> from trueodds.rulebook import load_book
    >>> vig_keys(load_book("NJ"))[:3]
    ('buy', 'lay', 'buy4')
    """
    charged = [text for text in book.wagers.values() if "vig" in text.terms]
    numbers = [f"{text.kind}{spot.selection}" for text in charged for spot in text.spots() if spot.selection]
    return tuple(dict.fromkeys([*(text.kind for text in charged), *numbers]))
