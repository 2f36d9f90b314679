"""Checks for display names: readable, and hard to mistake for another name."""

from __future__ import annotations

import unicodedata
from itertools import pairwise
from typing import Final

_BLANK_CHARACTERS: Final = frozenset("\u115f\u1160\u2800\u3164\uffa0")
"""Letters and symbols that are drawn as blanks although Unicode counts them as visible."""

_INVISIBLE_MARKS: Final = frozenset("\u034f\u17b4\u17b5\u180b\u180c\u180d\u180f")
_VARIATION_SELECTORS: Final = ((0xFE00, 0xFE0F), (0xE0100, 0xE01EF))
"""Code points that change nothing visible."""

_CONFUSABLE_SCRIPTS: Final = frozenset({"ARMENIAN", "CHEROKEE", "COPTIC", "CYRILLIC", "GREEK", "LATIN"})
"""Scripts whose letters look like letters of another script. A name may use only one of them."""

_MAX_COMBINING_MARKS: Final = 3


def check_display_name(text: str) -> str:
    """Return a display name, or raise `ValueError` if it is unreadable or mixes look-alike scripts.

    >>> check_display_name("Zo\u00eb 7")
    'Zo\u00eb 7'
    """
    if text != text.strip() or not text.isprintable() or any(_is_invisible(char) for char in text):
        raise ValueError("a name must consist of visible characters, without spaces at the ends")
    if any(first == second == " " for first, second in pairwise(text)):
        raise ValueError("a name must not contain two spaces in a row")
    if _longest_mark_run(text) > _MAX_COMBINING_MARKS:
        raise ValueError(f"a letter can have at most {_MAX_COMBINING_MARKS} combining marks")
    scripts = {unicodedata.name(char, "").split(" ")[0] for char in text if char.isalpha()} & _CONFUSABLE_SCRIPTS
    if len(scripts) > 1:
        raise ValueError("the letters of a name must belong to one alphabet")
    return text


def _is_invisible(char: str) -> bool:
    is_selector = any(low <= ord(char) <= high for low, high in _VARIATION_SELECTORS)
    return is_selector or char in _BLANK_CHARACTERS or char in _INVISIBLE_MARKS


def _longest_mark_run(text: str) -> int:
    longest = run = 0
    for char in unicodedata.normalize("NFD", text):
        run = run + 1 if unicodedata.combining(char) or unicodedata.category(char) in {"Mn", "Me"} else 0
        longest = max(longest, run)
    return longest
