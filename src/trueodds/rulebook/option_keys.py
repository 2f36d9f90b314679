"""Which wagers an option may list, and which keys a map may have, under one book."""

from __future__ import annotations

from typing import Final

from trueodds.rulebook.book import Book
from trueodds.rulebook.wager_definition import WagerDefinition

WORKING_OPTIONS: Final = ("comeout_off", "call_on", "call_off")
"""Options that list wagers which can be off."""


def wagers_allowed_in(book: Book, option: str) -> tuple[str, ...]:
    """Return the wagers that an option may list: those that can be off, or the odds wagers.

    >>> from trueodds.rulebook import load_book
    >>> wagers_allowed_in(load_book("WIN"), "odds_offered")
    ('pass_odds', 'dont_pass_odds', 'come_odds', 'dont_come_odds')
    """
    is_allowed = can_be_off if option in WORKING_OPTIONS else is_odds
    return tuple(kind for kind, wager in book.wagers.items() if is_allowed(wager))


def can_be_off(wager: WagerDefinition) -> bool:
    """Return whether a wager can be off; the others are always working."""
    return bool(wager.terms.get("may_be_off")) or is_odds(wager)


def is_odds(wager: WagerDefinition) -> bool:
    """Return whether a wager is odds on another."""
    return wager.family == "odds"


def vig_timing_keys(book: Book) -> tuple[str, ...]:
    """Return the keys that `vig_timing` may have: kinds of wagers with vigorish, alone or with a number.

    >>> from trueodds.rulebook import load_book
    >>> vig_timing_keys(load_book("NJ"))[:3]
    ('buy', 'lay', 'buy4')
    """
    charged = [wager for wager in book.wagers.values() if "vig" in wager.terms]
    numbers = [f"{wager.kind}{spot.selection}" for wager in charged for spot in wager.spots() if spot.selection]
    return tuple(dict.fromkeys([*(wager.kind for wager in charged), *numbers]))
